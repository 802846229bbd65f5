import { ClientError } from '../../../clients/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { shorten } from '../../../lib/words.ts';
import { type DayNews, listDayNews } from '../../digests/repo.ts';
import { storeNewsRanks } from '../../digests/writing/service.ts';
import type { Answering } from '../../messenger/consent/service.ts';
import type { OwnJob } from '../schema.ts';
import { runWhileOwned } from '../service.ts';
import type { SyncDeps } from './syncAccount.ts';

export type NewsDeps = Pick<SyncDeps, 'db'> & { answering: Answering | undefined; log: Log };

/** How many conversations one request to a model has room for. */
const MAX_COMPARED = 24;
const MAX_LENGTHS = { summary: 440, before: 200 };

/**
 * Has a model compare the day's digests once, as no digest knows how great the news of other conversations are. Where it
 * can't, they stay in the order of their own scores.
 * @param digestDate YYYY-MM-DD
 */
export async function rankDayNews(deps: NewsDeps, own: OwnJob, digestDate: string, signal: AbortSignal) {
  if (!deps.answering) return;
  const day = { userId: own.userId, date: digestDate };
  const digests = await listDayNews(deps.db, { ...day, limit: MAX_COMPARED });
  try {
    const passages = digests.map((digest, n) => toPassage(digest, { n: n + 1, day: digestDate }));
    const ranked = await deps.answering.rankAllowedNews({ userId: own.userId, passages }, signal);
    const digestIds = ranked.flatMap(n => digests[n - 1]?.id ?? []);
    if (digestIds.length > 0) await runWhileOwned(deps.db, own, trx => storeNewsRanks(trx, { ...day, digestIds }));
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    deps.log.warn({ err, jobId: own.jobId }, 'news not ranked');
  }
}

function toPassage({ dialogId, peerName, peerType, summary, ...digest }: DayNews, place: { n: number; day: string }) {
  const { before, quotedAt } = digest;
  // People's first names alone, as the consent says.
  const peer = (peerType === 'user' && readPersonName(peerName).short) || peerName;
  const lines = [shorten(summary, MAX_LENGTHS.summary)];
  if (before) lines.push(`Before: ${shorten(before, MAX_LENGTHS.before)}`);
  return { ...place, dialogId, peer, lines, quotedAt: quotedAt ?? null };
}
