import { Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import { networkOf } from '../../http/rateLimit.ts';
import { OPERATOR_DECIDES } from '../consent/rules.ts';
import { isTracked } from '../dialogs/rules.ts';
import { type Dialog, trackInput } from '../dialogs/schema.ts';
import { setTracked } from '../dialogs/service.ts';
import { getSettings } from '../settings/service.ts';
import { disconnect } from './accounts.ts';
import { type ConnectDeps, type StepResult, startConnect, verifyCode, verifyPassword } from './connect.ts';
import {
  connectInput,
  type DialogJson,
  disconnectInput,
  type StepJson,
  verifyInput,
  verifyPasswordInput,
} from './schema.ts';
import { listDialogs } from './service.ts';

export function messengerApi(deps: ConnectDeps): Router {
  const api = Router();
  api.use('/api/messenger', requireUser);

  api.post('/api/messenger/connect', async (req, res) => {
    const { phone } = parseInput(connectInput, req.body);
    const { authToken } = await startConnect(deps, { userId: currentUser(req).id, phone, network: networkOf(req) });
    res.json({ authToken });
  });

  api.post('/api/messenger/verify', async (req, res) => {
    const input = parseInput(verifyInput, req.body);
    res.json(toStepJson(await verifyCode(deps, { userId: currentUser(req).id, choice: OPERATOR_DECIDES, ...input })));
  });

  api.post('/api/messenger/verify-2fa', async (req, res) => {
    const input = parseInput(verifyPasswordInput, req.body);
    res.json(
      toStepJson(await verifyPassword(deps, { userId: currentUser(req).id, choice: OPERATOR_DECIDES, ...input })),
    );
  });

  api.get('/api/messenger/dialogs', async (req, res) => {
    const userId = currentUser(req).id;
    const [dialogs, config] = [await listDialogs(deps, { userId }), await getSettings(deps, { userId })];
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

  return api;
}

function toStepJson(result: StepResult): StepJson {
  if (result.needs2FA) return { needs2FA: true };
  return { success: true, accountId: result.accountId, messengerUser: result.messengerUser };
}

function toDialogJson(dialog: Dialog, config: { includeGroups: boolean }): DialogJson {
  return {
    id: dialog.id,
    accountId: dialog.accountId,
    peerId: dialog.peerId,
    peerType: dialog.peerType,
    peerName: dialog.peerName,
    peerUsername: dialog.peerUsername,
    peerPhone: dialog.peerPhone,
    isTracked: isTracked(dialog, config),
    lastMessageAt: dialog.lastMessageAt?.toISOString() ?? null,
    unreadCount: dialog.unreadCount,
    matchStatus: dialog.matchStatus,
    matchConfidence: dialog.matchConfidence,
    crmContactId: dialog.crmContactId,
    crmContactName: dialog.crmContactName,
    lastSyncedAt: dialog.lastSyncedAt?.toISOString() ?? null,
  };
}
