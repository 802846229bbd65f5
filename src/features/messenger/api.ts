import type { IRouter } from 'express';
import { currentUser, parseInput, requireUser } from '../../http/request.ts';
import { getSettings } from '../base/settings/service.ts';
import { isTracked } from './dialogs/rules.ts';
import { type Dialog, trackInput } from './dialogs/schema.ts';
import { setTracked } from './dialogs/service.ts';
import { type DialogJson, disconnectInput, listedDialog } from './schema.ts';
import { disconnect, type ListDeps, listDialogs } from './service.ts';

export function messengerApi(api: IRouter, deps: ListDeps): void {
  api.use('/api/messenger', requireUser);

  api.get('/api/messenger/dialogs', async (req, res) => {
    const userId = currentUser(req).id;
    const { dialogs } = await listDialogs(deps, { userId });
    const config = await getSettings(deps, { userId });
    res.json({ dialogs: dialogs.map(dialog => toDialogJson(dialog, config)) });
  });

  api.patch('/api/messenger/dialogs', async (req, res) => {
    const input = parseInput(trackInput, req.body);
    const userId = currentUser(req).id;
    const dialog = await setTracked(deps, { userId, ...input });
    res.json({ success: true, dialog: toDialogJson(dialog, await getSettings(deps, { userId })) });
  });

  api.post('/api/messenger/disconnect', async (req, res) => {
    const { accountId } = parseInput(disconnectInput, req.body);
    res.json({ success: true, ...(await disconnect(deps, { userId: currentUser(req).id, accountId })) });
  });
}

function toDialogJson(dialog: Dialog, config: { includeGroups: boolean }): DialogJson {
  return listedDialog.parse({
    ...dialog,
    isTracked: isTracked(dialog, config),
    lastMessageAt: dialog.lastMessageAt?.toISOString() ?? null,
    lastSyncedAt: dialog.lastSyncedAt?.toISOString() ?? null,
  });
}
