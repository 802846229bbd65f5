import { asksToWait, describeFailure, FAILURES, type Failure } from '../../../lib/failures.ts';
import { countOf, listOf, titleOf, untilWords } from '../../../lib/words.ts';
import { PLAN_WORDS } from '../../billing/present.ts';
import type { Payment } from '../../billing/service.ts';
import { describeExpired, REQUIREMENTS_HREF, requiredWords } from '../../crm/present.ts';
import { openOf } from '../../crm/rules.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import type { Digest } from '../../digests/schema.ts';
import { accountName } from '../../messenger/present.ts';
import { isFlooded } from '../../messenger/rules.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import type { DayOverview } from './service.ts';

/** One bold sentence, one about what follows from it, one button. */
export type Banner = {
  tone: 'warn' | 'alert';
  icon?: string;
  title: string;
  text: string;
  link?: { href: string; label: string; primary?: true };
};

const AT_MOST = 2;
const CONNECT_AGAIN = { href: '/connect', label: 'Connect again', primary: true } as const;

type About = { now: Date; timezone: string };

/** What is broken about the connections, worst first. */
export function connectionBanners(accounts: MessengerAccount[], about: About): Banner[] {
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

/** What the CRM account's administrator asks for keeps notes, tasks or contacts from being written. */
export function requirementBanners({ status, requirements }: CrmConnection): Banner[] {
  const required = status === 'active' ? openOf(requirements) : [];
  if (required.length === 0) return [];
  const title = titleOf(describeFailure('CRM_PROPERTY_REQUIRED', 1, requiredWords(required)).sentence);
  const types = [...new Set(required.map(({ type }) => type))];
  const mayFill = required.some(one => one.mayFill);
  const text = mayFill
    ? `New ${listOf(types)} wait until you say what to send, or it is made optional in the CRM.`
    : 'Fill it in where you create one, or make it optional in the CRM.';
  const label = mayFill ? 'Say what to send' : 'What is required';
  return [{ tone: 'warn', icon: 'warn', title, text, link: { href: REQUIREMENTS_HREF, label } }];
}

/** Syncs continue: it is shown here because this is the page people look at. */
export function paymentBanners({ plan, isPastDue }: Payment): Banner[] {
  if (!isPastDue) return [];
  const text = `You keep ${PLAN_WORDS[plan]} while the payment provider tries again. Check your card.`;
  const link = { href: '/settings/billing', label: 'Plan and billing' };
  return [{ tone: 'warn', icon: 'warn', title: 'The last payment didn’t go through', text, link }];
}

/** @param digests today's */
export function listBanners(connection: Banner[], digests: Digest[]): Banner[] {
  return [...connection, ...summariesMissing(digests)].slice(0, AT_MOST);
}

const DEAD = {
  expired: { ...FAILURES.SESSION_EXPIRED, goOn: '' },
  banned: { ...FAILURES.ACCOUNT_BANNED, goOn: ' Only Telegram can lift the ban; connect again once it has.' },
};

/** Shown even if another account works. With several accounts, it says which one. */
function deadSession(accounts: MessengerAccount[], status: 'expired' | 'banned'): Banner[] {
  const dead = accounts.filter(account => account.status === status);
  const [first] = dead;
  if (!first) return [];
  const { says, saysOf, advice, goOn } = DEAD[status];
  const who = dead.length > 1 ? countOf(dead.length, 'account', 'accounts') : accountName(first);
  const title = titleOf(accounts.length > 1 ? saysOf(who) : says);
  return [{ tone: 'alert', title, text: `${advice}${goOn} Your digests stay.`, link: CONNECT_AGAIN }];
}

/** The person did this themselves: worth a banner only if nothing is read any more. */
function allDisconnected(accounts: MessengerAccount[]): Banner[] {
  if (accounts.length === 0 || accounts.some(account => account.status !== 'inactive')) return [];
  const text = 'New messages aren’t read. Your digests stay.';
  return [{ tone: 'warn', icon: 'info', title: 'Telegram is disconnected', text, link: CONNECT_AGAIN }];
}

function floodWait(accounts: MessengerAccount[], { now, timezone }: About): Banner[] {
  const waiting = accounts.filter(account => account.status === 'active' && isFlooded(account, now));
  const last = waiting.map(account => account.floodUntil?.getTime() ?? 0).sort((a, b) => b - a)[0];
  if (!last) return [];
  const title = titleOf(asksToWait('messenger', `until ${untilWords(new Date(last), { now, timezone })}`));
  return [{ tone: 'warn', title, text: `${FAILURES.FLOOD_WAIT.advice} New messages are read after that.` }];
}

const SERVICE_FAILED: readonly Failure[] = ['AI_UNAVAILABLE', 'SUMMARY_TIMEOUT'];

/** A model failed, and the digests are excerpts. */
function summariesMissing(digests: Digest[]): Banner[] {
  const failures = digests.flatMap(({ writing, reason }) =>
    writing === 'COMPLETE' ? SERVICE_FAILED.filter(failure => failure === reason) : [],
  );
  const [first] = failures;
  if (!first) return [];
  const title = titleOf(FAILURES[first].says);
  const shown = countOf(failures.length, 'digest shows', 'digests show');
  return [{ tone: 'warn', icon: 'warn', title, text: `${shown} key lines instead; Rewrite tries again.` }];
}
