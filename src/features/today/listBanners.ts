import { countOf, pluralOf, untilWords } from '../../lib/words.ts';
import { PLAN_WORDS } from '../billing/present.ts';
import type { Payment } from '../billing/service.ts';
import type { ConnectionStatus } from '../crm/schema.ts';
import type { Failure } from '../digests/describeFailure.ts';
import type { Digest } from '../digests/schema.ts';
import { accountName } from '../messenger/present.ts';
import { isFlooded } from '../messenger/rules.ts';
import type { MessengerAccount } from '../messenger/schema.ts';

/** One bold sentence, one on what follows, one button. */
export type Banner = {
  tone: 'warn' | 'alert';
  icon?: string;
  title: string;
  text: string;
  link?: { href: string; label: string; primary?: true };
  retry?: { action: string; label: string };
};

const AT_MOST = 2;
const CONNECT_AGAIN = { href: '/connect', label: 'Connect again', primary: true } as const;

type About = { now: Date; timezone: string; canStart: boolean };

/** What is broken about the connections, worst first. */
export function connectionBanners(accounts: MessengerAccount[], about: About): Banner[] {
  return [
    ...deadSession(accounts, 'expired'),
    ...deadSession(accounts, 'banned'),
    ...allDisconnected(accounts),
    ...floodWait(accounts, about),
  ];
}

/** Digests are written all the same: only their notes wait. */
export function crmBanners(status: ConnectionStatus, notesWaiting: number): Banner[] {
  if (status !== 'expired') return [];
  const notes = `${countOf(notesWaiting, 'note waits', 'notes wait')} and ${pluralOf(notesWaiting, 'is', 'are')} written`;
  const text =
    notesWaiting > 0 ? `${notes} once you are signed in.` : 'New digests are not written to contacts until then.';
  const link = { href: '/api/crm/connect', label: 'Sign in to the CRM', primary: true } as const;
  return [{ tone: 'warn', icon: 'warn', title: 'The CRM needs you to sign in again', text, link }];
}

/** Syncs go on: it is told here because this is the page that is looked at. */
export function paymentBanners({ plan, isPastDue }: Payment): Banner[] {
  if (!isPastDue) return [];
  const text = `You keep ${PLAN_WORDS[plan]} while the payment provider tries again. Check your card.`;
  const link = { href: '/settings/billing', label: 'Plan and billing' };
  return [{ tone: 'warn', icon: 'warn', title: 'The last payment did not go through', text, link }];
}

/** @param unfinished today's conversations that have no digest yet */
export function listBanners(connection: Banner[], unfinished: Digest[], about: About): Banner[] {
  return [...connection, ...summariesMissing(unfinished, about)].slice(0, AT_MOST);
}

const DEAD = {
  expired: {
    one: 'Telegram signed Forenoon out',
    of: (who: string) => `Telegram signed Forenoon out of ${who}`,
    text: 'New messages are not read until you connect again. Your digests stay.',
  },
  banned: {
    one: 'Telegram has banned this account',
    of: (who: string) => `Telegram has banned ${who}`,
    text: 'New messages can’t be read. Only Telegram can lift the ban; connect again once it has. Your digests stay.',
  },
};

/** Said even when another account works. With several accounts it is said which. */
function deadSession(accounts: MessengerAccount[], status: 'expired' | 'banned'): Banner[] {
  const dead = accounts.filter(account => account.status === status);
  const [first] = dead;
  if (!first) return [];
  const { one, of, text } = DEAD[status];
  const who = dead.length > 1 ? countOf(dead.length, 'account', 'accounts') : accountName(first);
  return [{ tone: 'alert', title: accounts.length > 1 ? of(who) : one, text, link: CONNECT_AGAIN }];
}

/** The person's own doing: worth a word only when nothing is read any more. */
function allDisconnected(accounts: MessengerAccount[]): Banner[] {
  if (accounts.length === 0 || accounts.some(account => account.status !== 'inactive')) return [];
  const text = 'New messages are not read. Your digests stay.';
  return [{ tone: 'warn', icon: 'info', title: 'Telegram is disconnected', text, link: CONNECT_AGAIN }];
}

function floodWait(accounts: MessengerAccount[], { now, timezone }: About): Banner[] {
  const waiting = accounts.filter(account => account.status === 'active' && isFlooded(account, now));
  const last = waiting.map(account => account.floodUntil?.getTime() ?? 0).sort((a, b) => b - a)[0];
  if (!last) return [];
  const title = `Telegram asks us to wait until ${untilWords(new Date(last), { now, timezone })}`;
  return [
    { tone: 'warn', title, text: 'Trying again earlier makes the wait longer. New messages are read after that.' },
  ];
}

const SERVICE_FAILED: readonly Failure[] = ['AI_UNAVAILABLE', 'SUMMARY_TIMEOUT'];

function summariesMissing(unfinished: Digest[], { canStart }: About): Banner[] {
  const count = unfinished.filter(
    ({ writing, reason }) => writing === 'FAILED' && SERVICE_FAILED.some(failure => failure === reason),
  ).length;
  if (count === 0) return [];
  const text = `${countOf(count, 'digest', 'digests')} could not be written. The messages are still in Telegram; the next sync will try again.`;
  const retry = { action: '/sync', label: 'Try again' };
  return [
    { tone: 'warn', icon: 'warn', title: 'The summary service did not answer', text, ...(canStart && { retry }) },
  ];
}
