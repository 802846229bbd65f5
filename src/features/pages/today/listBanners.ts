import { describeFailure, FAILURES, type Failure, sayAskedToWait } from '../../../lib/failures.ts';
import { dropPeriod, formatQuantity, formatUntil, joinList } from '../../../lib/words.ts';
import { failedPaymentBanner } from '../../billing/present.ts';
import type { Payment } from '../../billing/service.ts';
import { describeExpired, REQUIREMENTS_HREF, requiredWords } from '../../crm/present.ts';
import { unfilledRequirements } from '../../crm/rules.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import type { Digest } from '../../digests/schema.ts';
import { writerQuestion } from '../../messenger/consent/present.ts';
import { accountName } from '../../messenger/present.ts';
import { findFloodEnd } from '../../messenger/rules.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import type { DayOverview } from './service.ts';

/** A bold sentence, an explanation and a button. */
type Banner = {
  tone: 'warn' | 'alert';
  icon?: string;
  title: string;
  text: string;
  link?: { href: string; label: string; primary?: true };
};

const AT_MOST = 2;
const CONNECT_AGAIN = { href: '/connect', label: 'Connect again', primary: true } as const;

type BannerContext = { now: Date; timezone: string };

/** At most two of the day's banners, the worst first. */
export function listBanners(overview: DayOverview, now: Date): Banner[] {
  const { day, today, timezone, accounts, payment, crm, digests } = overview;
  const question = writerQuestion(overview.unanswered, overview.aiService);
  const banners = [
    ...connectionBanners(accounts, { now, timezone }),
    ...(question && day === today ? [question] : []),
    ...paymentBanners(payment),
    ...crmBanners(overview),
    ...requirementBanners(crm),
    ...(day === today ? summariesMissing(digests) : []),
  ];
  return banners.slice(0, AT_MOST);
}

/** The banners about broken connections, worst first. */
export function connectionBanners(accounts: MessengerAccount[], about: BannerContext): Banner[] {
  return [
    ...deadSession(accounts, 'expired'),
    ...deadSession(accounts, 'banned'),
    ...allDisconnected(accounts),
    ...floodWait(accounts, about),
  ];
}

type CrmStanding = Pick<DayOverview, 'crm' | 'hasCrmKey' | 'notesWaiting'>;

/** Digests are written all the same: only their notes wait. */
export function crmBanners({ crm, hasCrmKey: hasKey, notesWaiting: waiting }: CrmStanding): Banner[] {
  return crm.status === 'expired' ? [{ tone: 'warn', icon: 'warn', ...describeExpired({ hasKey, waiting }) }] : [];
}

/** The banners about properties that the CRM account requires: they keep notes, tasks or contacts from being sent. */
function requirementBanners({ status, requirements }: CrmConnection): Banner[] {
  const required = status === 'active' ? unfilledRequirements(requirements) : [];
  if (required.length === 0) return [];
  const title = dropPeriod(describeFailure('CRM_PROPERTY_REQUIRED', 1, requiredWords(required)).sentence);
  const types = [...new Set(required.map(({ type }) => type))];
  const mayFill = required.some(one => one.mayFill);
  const text = mayFill
    ? `New ${joinList(types)} wait until you say what to send, or it is made optional in the CRM.`
    : 'Fill it in where you create one, or make it optional in the CRM.';
  const label = mayFill ? 'Say what to send' : 'What is required';
  return [{ tone: 'warn', icon: 'warn', title, text, link: { href: REQUIREMENTS_HREF, label } }];
}

/** A banner if the last payment failed, shown here because people look at this page. Syncs continue. */
function paymentBanners({ plan, isPastDue }: Payment): Banner[] {
  const link = { href: '/settings/billing', label: 'Plan and billing' };
  return isPastDue ? [{ ...failedPaymentBanner(plan), icon: 'warn', link }] : [];
}

const DEAD = {
  expired: { ...FAILURES.SESSION_EXPIRED, goOn: '' },
  banned: { ...FAILURES.ACCOUNT_BANNED, goOn: ' Only Telegram can lift the ban; connect again once it has.' },
};

/** Shown even if another account works; names the account if there are several. */
function deadSession(accounts: MessengerAccount[], status: 'expired' | 'banned'): Banner[] {
  const dead = accounts.filter(account => account.status === status);
  const [first] = dead;
  if (!first) return [];
  const { says, saysOf, advice, goOn } = DEAD[status];
  const who = dead.length > 1 ? formatQuantity(dead.length, 'account', 'accounts') : accountName(first);
  const title = dropPeriod(accounts.length > 1 ? saysOf(who) : says);
  return [{ tone: 'alert', title, text: `${advice}${goOn} Your digests stay.`, link: CONNECT_AGAIN }];
}

/** A banner if all accounts are disconnected. The person did that, so it is worth none while another is read. */
function allDisconnected(accounts: MessengerAccount[]): Banner[] {
  if (accounts.length === 0 || accounts.some(account => account.status !== 'inactive')) return [];
  const text = 'New messages aren’t read. Your digests stay.';
  return [{ tone: 'warn', icon: 'info', title: 'Telegram is disconnected', text, link: CONNECT_AGAIN }];
}

function floodWait(accounts: MessengerAccount[], { now, timezone }: BannerContext): Banner[] {
  const end = findFloodEnd(accounts, now);
  if (!end) return [];
  const title = dropPeriod(sayAskedToWait('messenger', `until ${formatUntil(end, { now, timezone })}`));
  return [{ tone: 'warn', title, text: `${FAILURES.FLOOD_WAIT.advice} New messages are read after that.` }];
}

const SERVICE_FAILED: readonly Failure[] = ['AI_UNAVAILABLE', 'SUMMARY_TIMEOUT'];

/** A banner if a model failed, so that digests are excerpts. */
function summariesMissing(digests: Digest[]): Banner[] {
  const failures = digests.flatMap(({ writingState, reason }) =>
    writingState === 'COMPLETE' ? SERVICE_FAILED.filter(failure => failure === reason) : [],
  );
  const [first] = failures;
  if (!first) return [];
  const title = dropPeriod(FAILURES[first].says);
  const shown = formatQuantity(failures.length, 'digest shows', 'digests show');
  return [{ tone: 'warn', icon: 'warn', title, text: `${shown} key lines instead; Rewrite tries again.` }];
}
