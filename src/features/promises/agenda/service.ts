import type { Db, UserKey } from '../../../lib/db.ts';
import { type CrmLink, describeLoadedLinks } from '../../contacts/matching/describeLinks.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import type { UserMoment } from '../rules.ts';
import * as repo from './repo.ts';

const NOTHING_CLOSED: repo.ClosedPromises = { promises: [], counts: { kept: 0, past: 0, notNeeded: 0, doubtful: 0 } };

type AgendaQuery = UserKey & UserMoment & { timezone: string; crm: CrmConnection; hasClosed: boolean };

/** The promises of today. Without `hasClosed`, closed ones are left out, for pages that don't list them. */
export async function getAgenda({ db }: { db: Db }, { userId, today, timeOfDay, timezone, crm, hasClosed }: AgendaQuery) {
  const [listed, closed] = await Promise.all([
    repo.listAgenda(db, { userId, today, timeOfDay }),
    hasClosed ? repo.listClosed(db, { userId, today, timeOfDay, timezone }) : NOTHING_CLOSED,
  ]);
  /** CRM links of the conversations in `listed`, by conversation. */
  const links: ReadonlyMap<string, CrmLink> = describeLoadedLinks(
    listed.map(({ link }) => link),
    crm,
  );
  return { listed, closed, links };
}
export type Agenda = Awaited<ReturnType<typeof getAgenda>>;
