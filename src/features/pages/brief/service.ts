import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { dayAfter, localDay } from '../../../lib/timezones.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { getSettings } from '../../base/settings/service.ts';
import type { Matched } from '../../contacts/matching/schema.ts';
import { getMatched } from '../../contacts/review/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { type DayMood, listMoods } from '../conversation/repo.ts';
import { listColleagues, listDigests, listPromises } from './repo.ts';
import type { Colleague } from './schema.ts';

export type BriefDeps = { db: Db; clock: Clock; crm: Pick<CrmClient, 'contactUrl'> | undefined };

/** What there is to know about a conversation before talking to its people, at their company too. */
export type Brief = Matched & {
  colleagues: Colleague[];
  /** Newest day first. */
  digests: ShownDigest[];
  /** Open ones by day, and a few that were kept lately. */
  promises: SourcedPromise[];
  moods: DayMood[];
  /** Where a person sees the record of the contact; undefined without one. */
  contactUrl: string | undefined;
  /** YYYY-MM-DD, in the user's time zone. */
  today: string;
  timezone: string;
  now: Date;
};

/**
 * Read in two steps, each in parallel, and nothing is kept. Throws NotFound for a conversation that is not the user's.
 * @param asked.among only of these conversations, also of those at the same company; any other one is not found
 */
export async function getBrief(
  deps: BriefDeps,
  { userId, dialogId, among }: { userId: string; dialogId: string; among?: readonly string[] | undefined },
): Promise<Brief> {
  if (among && !among.includes(dialogId)) throw new NotFound('conversation');
  const { db } = deps;
  const of = { userId, dialogId };
  const [{ dialog, state }, { timezone }, connection, colleagues] = await Promise.all([
    getMatched(deps, of),
    getSettings(deps, { userId }),
    getConnection(deps.db, userId),
    isUuid(dialogId) ? listColleagues(db, { ...of, among }) : [],
  ]);
  const now = deps.clock.now();
  const today = localDay(now, timezone);
  const dialogIds = [dialogId, ...colleagues.map(one => one.dialogId)];
  const [digests, promises, moods] = await Promise.all([
    listDigests(db, { userId, dialogIds }),
    listPromises(db, { userId, dialogIds, today }),
    listMoods(db, { ...of, since: dayAfter(today, 1 - CHART_DAYS) }),
  ]);
  const isLinked =
    dialog.crmContactId !== '' && dialog.matchStatus !== 'IGNORED' && connection.status !== 'disconnected';
  const { portalId } = connection;
  return {
    ...{ dialog, state, colleagues, digests, promises, moods, today, timezone, now },
    contactUrl: isLinked ? deps.crm?.contactUrl({ portalId, contactId: dialog.crmContactId }) : undefined,
  };
}
