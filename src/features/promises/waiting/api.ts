import type { IRouter } from 'express';
import { currentUser, parseInput, requireUser } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { getSettings } from '../../base/settings/service.ts';
import { changeInput, listInput, type Wait, type WaitJson } from './schema.ts';
import { changeWaiting, getWaiting } from './service.ts';

export function waitingApi(api: IRouter, deps: Timed): void {
  api.use('/api/waiting', requireUser);

  api.get('/api/waiting', async (req, res) => {
    const query = parseInput(listInput, req.query);
    const owner = { userId: currentUser(req).id };
    const { count, waits } = await getWaiting(deps, { ...owner, ...query, config: await getSettings(deps, owner) });
    res.json({ count, waiting: waits.map(toJson) });
  });

  api.patch('/api/waiting', async (req, res) => {
    const change = parseInput(changeInput, req.body);
    await changeWaiting(deps, { userId: currentUser(req).id, ...change });
    res.json({ success: true });
  });
}

function toJson({ dialogId, messageId, lastMessageId, askedAt, words, peerName, peerUsername }: Wait): WaitJson {
  return {
    dialogId,
    messageId: String(messageId),
    lastMessageId: String(lastMessageId),
    askedAt: askedAt.toISOString(),
    question: words,
    dialog: { peerName, peerUsername },
  };
}
