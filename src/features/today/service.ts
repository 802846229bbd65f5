import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { localDay } from '../../lib/timezones.ts';
import type { PlanLimits } from '../billing/rules.ts';
import { getLimits } from '../billing/service.ts';
import { type CrmLink, describeLinks } from '../contacts/link.ts';
import type { CrmConnection } from '../crm/schema.ts';
import { getConnection } from '../crm/service.ts';
import { getDigestDay, listDigestDays, listDigestsOfDay } from '../digests/repo.ts';
import type { Digest } from '../digests/schema.ts';
import { withTicks } from '../digests/ticks.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import { listAccounts } from '../messenger/service.ts';
import { countWaitingNotes } from '../notes/service.ts';
import { getSettings } from '../settings/service.ts';
import { nextSyncAt } from '../sync/dailySyncs.ts';
import type { SyncJob } from '../sync/schema.ts';
import { lastReadAt, latestJob } from '../sync/service.ts';

/** Days shown beside the page; older ones are reached by their address. */
const DAYS = 14;

export type DayOverview = {
  /** The day shown and the user's present one, YYYY-MM-DD. */
  day: string;
  today: string;
  timezone: string;
  digests: Digest[];
  /** Whom the conversations are in the CRM. By conversation. */
  links: ReadonlyMap<string, CrmLink>;
  days: { date: string; total: number; urgent: number }[];
  accounts: MessengerAccount[];
  crm: CrmConnection;
  /** Notes that the CRM has not got yet. */
  notesWaiting: number;
  job: SyncJob | undefined;
  /** When the last sync began that got through; null before the first. */
  readUntil: Date | null;
  /** When the next daily sync begins; undefined when none will. */
  nextAt: Date | undefined;
  /** What the user's plan includes. */
  limits: PlanLimits;
};

/** Everything Today shows of one day, read side by side. @param day YYYY-MM-DD, default the user's present day */
export async function getDay(
  deps: { db: Db; clock: Clock },
  { userId, day: asked }: { userId: string; day: string | undefined },
): Promise<DayOverview> {
  const { timezone } = await getSettings(deps, { userId });
  const today = localDay(deps.clock.now(), timezone);
  const day = asked ?? today;
  const [digests, days, accounts, crm, notesWaiting, job, readUntil, nextAt, limits] = await Promise.all([
    listDigestsOfDay(deps.db, { userId, date: day }),
    listDigestDays(deps.db, { userId, limit: DAYS }),
    listAccounts(deps, { userId }),
    getConnection(deps, { userId }),
    countWaitingNotes(deps, { userId }),
    latestJob(deps, { userId }),
    lastReadAt(deps, { userId }),
    nextSyncAt(deps, { userId }),
    getLimits(deps, { userId }),
  ]);
  const [ticked, links] = await Promise.all([
    withTicks(deps, { userId, digests }),
    describeLinks(deps, { userId, dialogIds: digests.map(({ dialogId }) => dialogId) }),
  ]);
  return {
    day,
    today,
    timezone,
    digests: ticked,
    links,
    days,
    accounts,
    crm,
    notesWaiting,
    job,
    readUntil,
    nextAt,
    limits,
  };
}

/** The day a digest is of, with everything Today shows of it. Throws NotFound for an unknown one and for somebody else's. */
export async function getDayOfDigest(
  deps: { db: Db; clock: Clock },
  { userId, digestId }: { userId: string; digestId: string },
): Promise<DayOverview> {
  return getDay(deps, { userId, day: await getDigestDay(deps.db, { userId, digestId }) });
}
