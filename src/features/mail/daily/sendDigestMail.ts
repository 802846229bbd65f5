import type { Mail } from '../../../clients/mailer/types.ts';
import type { MailViews } from '../../../lib/mailViews.ts';
import { findCoveredUntil } from '../../base/mailing/repo.ts';
import { signUnsubscribe } from '../../base/mailing/rules.ts';
import { getMailMode, type SendDeps, sendOnce } from '../../base/mailing/service.ts';
import { findEmail } from '../../base/users/repo.ts';
import type { Digest } from '../../digests/schema.ts';
import { countAwaitedByModel } from '../../digests/writing/repo.ts';
import { type DayOverview, getDay, getDayIn, type TodayDeps } from '../../pages/today/service.ts';
import { markAllPromisesShown } from '../../promises/service.ts';
import { estimateEnd } from '../../sync/rules.ts';
import type { DigestMailPayload, SyncJob } from '../../sync/schema.ts';
import { findJob } from '../../sync/service.ts';
import { countMail, type MailDay, presentDigestMail } from './present.ts';
import { isDayWorthMail } from './rules.ts';

type Deps = TodayDeps &
  SendDeps & {
    mailViews: MailViews;
    sessionSecret: string;
    /** Origin of the service. */
    appUrl: string;
  };

/** Sends a day's mail once, if wanted. Throws ClientError while the server takes no mail, until it is too late. */
export async function sendDigestMail(deps: Deps, payload: DigestMailPayload): Promise<void> {
  const { userId, day, askedAt } = payload;
  const write = () => prepareDigestMail(deps, payload);
  await sendOnce(deps, { userId, kind: 'digest', day, askedAt }, write, () => markAllPromisesShown(deps.db, { userId }));
}

/** The email of a day in the words and numbers of Today. Undefined without anything to send, or without a recipient. */
async function prepareDigestMail(
  deps: Deps,
  { userId, jobId, day, isEarly = false }: DigestMailPayload,
): Promise<Omit<Mail, 'id'> | undefined> {
  const mode = await getMailMode(deps, { userId });
  const to = mode === 'OFF' ? undefined : await findEmail(deps.db, userId);
  if (!to) return undefined;
  const job = await findJob(deps.db, { userId, jobId });
  const awaited = isEarly && job?.state === 'active' ? await countAwaitedByModel(deps.db, { userId, jobId }) : 0;
  // The mail goes out when the sync ends.
  if (isEarly && awaited === 0) return undefined;
  const mail = await readMailDay(deps, { userId, day, job, awaited });
  if (!isDayWorthMail(mode, countMail(mail), job?.result.errors ?? [])) return undefined;

  const now = deps.clock.now();
  const token = await signUnsubscribe(deps.sessionSecret, { userId, mail: 'digest', mode }, now);
  const unsubscribeUrl = `${deps.appUrl}/mail/unsubscribe/${token}`;
  const about = { now, appUrl: deps.appUrl, email: to, mode, unsubscribeUrl };
  const { subject, ...shown } = presentDigestMail(mail, about);
  return { to, subject, unsubscribeUrl, ...deps.mailViews.render('digest', { subject, ...shown }) };
}

type DigestMailRequest = { userId: string; day: string; job: SyncJob | undefined; awaited: number };

/** Reads a mail's content. Due promises and who waits are of the present day, even if the digests' has just ended. */
async function readMailDay(deps: Deps, { userId, day, job, awaited }: DigestMailRequest): Promise<MailDay> {
  // The mail is about this sync, whatever else runs by now.
  const overview = dropUnwritten({ ...(await getDay(deps, { userId, day: undefined })), job });
  const { digests } = day === overview.today ? overview : dropUnwritten(await getDayIn(deps, overview, { userId, day }));
  const coversUntil = await findCoveredUntil(deps.db, { userId, kind: 'digest' });
  const until = job && awaited > 0 ? estimateEnd(job, deps.clock.now()) : undefined;
  return { overview, day, digests, coversUntil, awaited: { count: awaited, until } };
}

/** The day without unwritten digests, as if its sync were over. */
function dropUnwritten(day: DayOverview): DayOverview {
  const isOver = ({ writingState, isExcerpt }: Digest) =>
    !isExcerpt && writingState !== 'PENDING' && writingState !== 'SUMMARIZING';
  const job = day.job?.state === 'active' ? { ...day.job, state: 'completed' as const } : day.job;
  return { ...day, job, digests: day.digests.filter(isOver) };
}
