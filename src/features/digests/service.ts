import type { Db, UserKey } from '../../lib/db.ts';
import { subtractDays } from '../../lib/timezones.ts';
import { type CrmLink, describeLoadedLinks } from '../contacts/matching/describeLinks.ts';
import type { CrmConnection } from '../crm/schema.ts';
import { searchDigests } from './repo.ts';
import type { Digest } from './schema.ts';

export { foldWords, searchDigests } from './repo.ts';

export const SEARCHED_DAYS = 90;
/** Deeper paging is pointless: another word narrows the search. */
export const MAX_RESULTS = 240;

export type SearchResult = {
  typed: string;
  /** The words as the index has them: folded, without accents. */
  words: string[];
  /** Newest first, at most {@link MAX_RESULTS}. */
  digests: Digest[];
  links: ReadonlyMap<string, CrmLink>;
};

/**
 * The last 90 days' digests that contain each of the words: names, companies, topics, summaries, action items.
 * @param query `words`: of what was typed, as {@link foldWords} returns them
 */
export async function searchRecentDigests(
  { db }: { db: Db },
  { today, crm }: { /** YYYY-MM-DD */ today: string; crm: CrmConnection },
  { userId, typed, words }: UserKey & Pick<SearchResult, 'typed' | 'words'>,
): Promise<SearchResult> {
  const since = subtractDays(today, SEARCHED_DAYS - 1);
  const digests = words.length > 0 ? await searchDigests(db, { userId, words, since, limit: MAX_RESULTS }) : [];
  const links = digests.map(({ link }) => link);
  return { typed, words, digests, links: describeLoadedLinks(links, crm) };
}
