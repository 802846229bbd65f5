import type { Db } from '../../../lib/db.ts';
import { mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { type CrmLink, describeAll } from '../../contacts/matching/describeLinks.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import type { UserMoment } from '../rules.ts';
import {
  type Closed,
  countOpen,
  countWeek,
  type ListedPromise,
  listAgenda,
  listClosed,
  type OpenCounts,
  type WeekCounts,
} from './repo.ts';

export { countWeek } from './repo.ts';

export type Agenda = {
  listed: ListedPromise[];
  week: WeekCounts;
  /** Promises that were closed since yesterday, or may have been. */
  closed: Closed;
  /** CRM links of the conversations in `listed`, by conversation. */
  links: ReadonlyMap<string, CrmLink>;
};

const NOTHING_CLOSED: Closed = { promises: [], counts: { kept: 0, past: 0, notNeeded: 0, asked: 0 } };

type AgendaQuery = { userId: string } & UserMoment;

/** How much is open in each conversation that has something open. */
export async function getOpenCounts({ db }: { db: Db }, query: AgendaQuery): Promise<ReadonlyMap<string, OpenCounts>> {
  return countOpen(db, query);
}

/** The promises of today. @param asked.hasClosed false leaves out closed ones, for pages that don't list them */
export async function getAgenda(
  { db }: { db: Db },
  {
    userId,
    today,
    timeOfDay,
    timezone,
    crm,
    hasClosed,
  }: AgendaQuery & { timezone: string; crm: CrmConnection; hasClosed: boolean },
): Promise<Agenda> {
  const ofWeek = { userId, today, monday: mondayOf(today), sunday: sundayOf(today) };
  const [listed, closed, week] = await Promise.all([
    listAgenda(db, { userId, today, timeOfDay }),
    hasClosed ? listClosed(db, { userId, today, timezone }) : NOTHING_CLOSED,
    countWeek(db, ofWeek),
  ]);
  const links = describeAll(
    listed.map(({ link }) => link),
    crm,
  );
  return { listed, week, closed, links };
}
