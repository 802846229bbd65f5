import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import { isUuid } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { addDays } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { toUserMoment } from '../../promises/rules.ts';
import { presentWritten } from '../ask/present.ts';
import { type AnswerDeps, findSentences, tryWriting } from '../ask/service.ts';
import { listMoods } from '../conversation/repo.ts';
import { getMatched } from '../review/service.ts';
import { presentBrief, withSentences } from './present.ts';
import { listColleagues, listDigestsOfDialogs, listPromisesOfDialogs } from './repo.ts';
import type { Brief, BriefQuery } from './schema.ts';

type BriefDeps = Timed & { crm: Pick<CrmClient, 'contactUrl'> | undefined };

/**
 * Reads what a brief is made of, and stores nothing. Throws NotFound for a conversation that is not the user's.
 * @param among the only conversations that are found, also among colleagues; default: all
 */
export async function getBrief(deps: BriefDeps, { userId, dialogId, among }: BriefQuery): Promise<Brief> {
  if (among && !among.includes(dialogId)) throw new NotFound('conversation');
  const { db } = deps;
  const key = { userId, dialogId };
  const [matched, { timezone }, connection, colleagues] = await Promise.all([
    getMatched(deps, key),
    getSettings(deps, { userId }),
    getConnection(deps.db, userId),
    isUuid(dialogId) ? listColleagues(db, { ...key, among }) : [],
  ]);
  const now = deps.clock.now();
  const moment = toUserMoment(now, timezone);
  const { today } = moment;
  const dialogIds = [dialogId, ...colleagues.map(colleague => colleague.dialogId)];
  const [digests, promises, moods] = await Promise.all([
    listDigestsOfDialogs(db, { userId, dialogIds }),
    listPromisesOfDialogs(db, { userId, dialogIds, ...moment }),
    listMoods(db, { ...key, since: addDays(today, 1 - CHART_DAYS) }),
  ]);
  const { dialog } = matched;
  const isLinked = dialog.crmContactId !== '' && dialog.matchStatus !== 'IGNORED' && connection.status !== 'disconnected';
  const { portalId } = connection;
  const contactUrl = isLinked ? deps.crm?.contactUrl({ portalId, contactId: dialog.crmContactId }) : undefined;
  return { ...matched, colleagues, digests, promises, moods, today, timezone, now, contactUrl };
}

export type DescribeDeps = BriefDeps & AnswerDeps & { readLimiter: ReadLimiter };
export type DescribedBrief = Awaited<ReturnType<typeof describeBrief>>;

/**
 * A brief with a model's sentences, based on conversations with consent.
 * @param writes whether the model is asked for sentences that are missing
 */
export async function describeBrief(deps: DescribeDeps, { userId, dialogId, writes }: DialogKey & { writes: boolean }) {
  const shown = presentBrief(await deps.readLimiter(userId, () => getBrief(deps, { userId, dialogId })));
  const { passages, sourceOf } = shown;
  const find = writes ? tryWriting : findSentences;
  const written = await find(deps, { userId, question: undefined, passages });
  // Ask and Settings offer a model to whoever has not agreed to one; a brief says what is there.
  return withSentences(shown, written.state === 'notAgreed' ? undefined : presentWritten(written, { sourceOf }));
}
