import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { type CrmLink, describeLinks } from '../contacts/link.ts';
import { countOpenItemsOfDay } from '../digests/openItemRepo.ts';
import { type DigestDay, listTopDigests } from '../digests/repo.ts';
import type { Digest } from '../digests/schema.ts';
import type { DayOverview } from './service.ts';

const DAYS = 2;
const ROWS_OF_A_DAY = 3;

/** A day before the present one in brief. */
export type DayBefore = DigestDay & { openItems: number; digests: Digest[]; links: ReadonlyMap<string, CrmLink> };

/** The two latest days before the present one that have digests, each with the first few of them. */
export async function getDaysBefore(
  deps: { db: Db; clock: Clock },
  { days, today }: Pick<DayOverview, 'days' | 'today'>,
  { userId }: { userId: string },
): Promise<DayBefore[]> {
  const latest = days.filter(({ date }) => date < today).slice(0, DAYS);
  return Promise.all(
    latest.map(async day => {
      const [digests, openItems] = await Promise.all([
        listTopDigests(deps.db, { userId, date: day.date, limit: ROWS_OF_A_DAY }),
        countOpenItemsOfDay(deps.db, { userId, date: day.date }),
      ]);
      const links = await describeLinks(deps, { userId, dialogIds: digests.map(({ dialogId }) => dialogId) });
      return { ...day, digests, openItems, links };
    }),
  );
}
