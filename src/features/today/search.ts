import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { dayBefore } from '../../lib/timezones.ts';
import { type CrmLink, describeLinks } from '../contacts/link.ts';
import type { Digest } from '../digests/schema.ts';
import { foldWords, searchDigests } from '../digests/searchRepo.ts';
import { withTicks } from '../digests/ticks.ts';

export const SEARCHED_DAYS = 90;
/** Nobody reads on from there: another word narrows it down. */
export const MOST_FOUND = 240;

export type Found = {
  typed: string;
  /** The same as the index has it: folded, without accents. */
  words: string[];
  /** Newest first, at most {@link MOST_FOUND}. */
  digests: Digest[];
  links: ReadonlyMap<string, CrmLink>;
};

/**
 * The digests of the last 90 days in which each of the words stands: names, companies, topics, summaries, action items.
 * @param today the user's present day, YYYY-MM-DD
 */
export async function search(
  deps: { db: Db; clock: Clock },
  { userId, typed, today }: { userId: string; typed: string; today: string },
): Promise<Found> {
  const words = await foldWords(deps.db, typed);
  const since = dayBefore(today, SEARCHED_DAYS - 1);
  const found = words.length > 0 ? await searchDigests(deps.db, { userId, words, since, limit: MOST_FOUND }) : [];
  const [digests, links] = await Promise.all([
    withTicks(deps, { userId, digests: found }),
    describeLinks(deps, { userId, dialogIds: [...new Set(found.map(({ dialogId }) => dialogId))] }),
  ]);
  return { typed, words, digests, links };
}
