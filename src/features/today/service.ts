import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { dayBefore, localDay } from '../../lib/timezones.ts';
import type { PlanLimits } from '../billing/rules.ts';
import { getLimits } from '../billing/service.ts';
import { type CrmLink, describeLinks } from '../contacts/link.ts';
import type { CrmConnection } from '../crm/schema.ts';
import { getConnection } from '../crm/service.ts';
import { listOpenItems } from '../digests/openItemRepo.ts';
import { type DigestDay, getDigestDay, hasDigests, listDigestDays, listDigestsOfDay } from '../digests/repo.ts';
import type { Digest } from '../digests/schema.ts';
import { withTicks } from '../digests/ticks.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import { listAccounts } from '../messenger/service.ts';
import { countWaitingNotes } from '../notes/service.ts';
import { getSettings } from '../settings/service.ts';
import { nextSyncAt } from '../sync/dailySyncs.ts';
import type { SyncJob } from '../sync/schema.ts';
import { lastReadAt, latestJob } from '../sync/service.ts';
import type { OpenItems } from './presentEarlier.ts';
import { listNoted } from './repo.ts';
import { PLOT_DAYS } from './rules.ts';

/** Open items of earlier days beside the page. */
const EARLIER = 5;

export type DayOverview = {
  /** The day shown and the user's present one, YYYY-MM-DD. */
  day: string;
  today: string;
  timezone: string;
  digests: Digest[];
  /** Whom the conversations are in the CRM. By conversation. */
  links: ReadonlyMap<string, CrmLink>;
  /** The digests whose note stands in the CRM. */
  noted: ReadonlySet<string>;
  /** Those of the plot's that have digests, newest first. */
  days: DigestDay[];
  /** Something was digested before, or was tried. */
  isBegun: boolean;
  accounts: MessengerAccount[];
  crm: CrmConnection;
  /** Notes that the CRM has not got yet. */
  notesWaiting: number;
  job: SyncJob | undefined;
  /** When the last sync began that got through; null before the first. */
  readUntil: Date | null;
  /** When the next daily sync begins; undefined when none will. */
  nextAt: Date | undefined;
  /** Open items of days before the present one: the first few, and how many there are. */
  earlier: OpenItems;
  /** What the user's plan includes. */
  limits: PlanLimits;
};

/** Everything Today shows of one day, read side by side. @param day YYYY-MM-DD, default the user's present day */
export async function getDay(
  deps: { db: Db; clock: Clock },
  { userId, day: asked }: { userId: string; day: string | undefined },
): Promise<DayOverview> {
  // The sync first: what it says to have written is then among the digests.
  const [{ timezone }, job] = await Promise.all([getSettings(deps, { userId }), latestJob(deps, { userId })]);
  const today = localDay(deps.clock.now(), timezone);
  const day = asked ?? today;
  const [digests, days, isBegun, accounts, crm, notesWaiting, readUntil, nextAt, limits, earlier] = await Promise.all([
    listDigestsOfDay(deps.db, { userId, date: day }),
    listDigestDays(deps.db, { userId, since: dayBefore(today, PLOT_DAYS - 1), until: today }),
    hasDigests(deps.db, { userId }),
    listAccounts(deps, { userId }),
    getConnection(deps, { userId }),
    countWaitingNotes(deps, { userId }),
    lastReadAt(deps, { userId }),
    nextSyncAt(deps, { userId }),
    getLimits(deps, { userId }),
    listOpenItems(deps.db, { userId, before: today, limit: EARLIER, offset: 0 }),
  ]);
  const [ticked, noted, links] = await Promise.all([
    withTicks(deps, { userId, digests }),
    listNoted(deps.db, { userId, digestIds: digests.map(({ id }) => id) }),
    describeLinks(deps, { userId, dialogIds: digests.map(({ dialogId }) => dialogId) }),
  ]);
  return {
    day,
    today,
    timezone,
    digests: ticked,
    links,
    noted,
    days,
    isBegun,
    accounts,
    crm,
    notesWaiting,
    job,
    readUntil,
    nextAt,
    limits,
    earlier,
  };
}

/** The day a digest is of, with everything Today shows of it. Throws NotFound for an unknown one and for somebody else's. */
export async function getDayOfDigest(
  deps: { db: Db; clock: Clock },
  { userId, digestId }: { userId: string; digestId: string },
): Promise<DayOverview> {
  return getDay(deps, { userId, day: await getDigestDay(deps.db, { userId, digestId }) });
}
