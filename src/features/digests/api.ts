import type { IRouter } from 'express';
import { currentUser, requireUser } from '../../http/request.ts';
import type { Db } from '../../lib/db.ts';
import { listNewestDigests } from './repo.ts';
import type { DigestInShort, DigestJson } from './schema.ts';

const NEWEST = 50;

export function digestsApi(api: IRouter, deps: { db: Db }): void {
  api.get('/api/digests', requireUser, async (req, res) => {
    const digests = await listNewestDigests(deps.db, { userId: currentUser(req).id, limit: NEWEST });
    res.json({ digests: digests.map(toDigestJson) });
  });
}

function toDigestJson({ id, digestDate, structured, ...digest }: DigestInShort): DigestJson {
  const { messageCount, status, summary, peerName, peerUsername } = digest;
  return {
    id,
    digestDate: `${digestDate}T00:00:00.000Z`,
    messageCount,
    status,
    summary,
    structuredData: {
      topics: structured.topics,
      action_items: structured.actionItems,
      sentiment: structured.sentiment,
      urgency: structured.urgency,
    },
    dialog: { peerName, peerUsername },
  };
}
