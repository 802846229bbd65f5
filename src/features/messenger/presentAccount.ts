import { localDay } from '../../lib/timezones.ts';
import { clockTime, nearDay } from '../../lib/words.ts';
import type { Connection } from '../settings/connection.ts';
import { maskedPhone } from './presentConnect.ts';
import type { AccountStatus, MessengerAccount } from './schema.ts';

type Now = { now: Date; timezone: string };

const BADGES: Record<AccountStatus, Connection['badge']> = {
  active: { tone: 'is-ok', icon: 'okc', word: 'Working' },
  expired: { tone: 'is-warn', icon: 'warn', word: 'Signed out' },
  banned: { tone: 'is-alert', icon: 'ban', word: 'Banned by Telegram' },
  inactive: { tone: 'is-mute', icon: 'skip', word: 'Disconnected' },
};

export function presentAccount(account: MessengerAccount, now: Now): Connection {
  const { id, status } = account;
  const action: Connection['action'] =
    status === 'active'
      ? { href: `/settings/connections/${id}/disconnect`, label: 'Disconnect', kind: 'danger' }
      : { href: '/connect', label: 'Connect again', kind: 'primary' };
  return {
    title: 'Telegram',
    who: accountName(account),
    badge: BADGES[status],
    detail: detailOf(account, now),
    action,
  };
}

/** `Lena Hartmann, @lena_h, +49 171 ••••• 12`, as far as known. */
export function accountName({ firstName, lastName, username, phone }: MessengerAccount): string {
  const name = `${firstName} ${lastName}`.trim();
  return [name, username && `@${username}`, maskedPhone(phone)].filter(Boolean).join(', ');
}

function detailOf({ status, connectedAt, lastUsedAt }: MessengerAccount, now: Now): string {
  const since = `Connected since ${dayWords(connectedAt, now)}.`;
  const read = lastUsedAt
    ? `Last read ${dayWords(lastUsedAt, now)}, ${clockTime(lastUsedAt, now.timezone)}.`
    : 'Not read yet.';
  if (status === 'expired')
    return `${read} Telegram ended the session; new messages are not read until you connect again.`;
  if (status === 'inactive') return `${read} The session is erased. Your digests stay.`;
  return `${read} ${since}`;
}

function dayWords(moment: Date, { now, timezone }: Now): string {
  const words = nearDay(localDay(moment, timezone), localDay(now, timezone));
  return /^(Today|Yesterday)$/.test(words) ? words.toLowerCase() : words;
}
