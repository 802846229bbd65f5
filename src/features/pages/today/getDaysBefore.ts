import type { Db } from '../../../lib/db.ts';
import { dayBefore } from '../../../lib/timezones.ts';
import { type CrmLink, describeAll } from '../../contacts/matching/describeLinks.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import { listTopOfDays, type TopOfDay } from './repo.ts';
import { ROOM_FOR_MORE } from './rules.ts';
import type { Around } from './service.ts';

const DAYS = 2;
const ROWS_OF_A_DAY = 3;

/** A day before the present one in brief. */
export type DayBefore = TopOfDay & { links: ReadonlyMap<string, CrmLink> };

/** The two latest days before the present one that have digests, each with the first few of them. */
export async function getDaysBefore(
  { db }: { db: Db },
  { today, crm }: Pick<Around, 'today' | 'crm'>,
  { userId }: { userId: string },
): Promise<DayBefore[]> {
  const since = dayBefore(today, CHART_DAYS - 1);
  const asked = { userId, since, before: today, days: DAYS, limit: ROWS_OF_A_DAY, room: ROOM_FOR_MORE };
  const tops = await listTopOfDays(db, asked);
  return tops.map(top => {
    const links = top.digests.map(({ link }) => link);
    return { ...top, links: describeAll(links, crm) };
  });
}
