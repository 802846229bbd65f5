import { readablePhone } from '../../lib/phone.ts';
import { clockTime, countOf, dayWords, untilWords } from '../../lib/words.ts';
import { isolated } from '../../lib/writing.ts';
import { presentAccountWriter } from '../consent/present.ts';
import type { AiService } from '../consent/schema.ts';
import type { HeldChoices } from '../consent/service.ts';
import type { Connection } from '../settings/connection.ts';
import { isFlooded } from './rules.ts';
import type { AccountStatus, MessengerAccount } from './schema.ts';

type Context = {
  now: Date;
  timezone: string;
  aiService: AiService | undefined;
  held: HeldChoices;
  /** How many conversations each account has, where somebody counted. */
  conversations?: ReadonlyMap<string, number>;
};

const BADGES: Record<AccountStatus, Connection['badge']> = {
  active: { tone: 'is-ok', icon: 'okc', word: 'Working' },
  expired: { tone: 'is-warn', icon: 'warn', word: 'Signed out' },
  banned: { tone: 'is-alert', icon: 'ban', word: 'Banned by Telegram' },
  inactive: { tone: 'is-mute', icon: 'skip', word: 'Disconnected' },
};

const WAITING: Connection['badge'] = { tone: 'is-warn', icon: 'clock', word: 'Waiting' };

export function presentAccount(account: MessengerAccount, context: Context): Connection {
  const { id, status } = account;
  const waits = status === 'active' && isFlooded(account, context.now);
  const action: Connection['action'] =
    status === 'active'
      ? { href: `/settings/connections/${id}/disconnect`, label: 'Disconnect', kind: 'danger' }
      : { href: '/connect', label: 'Connect again', kind: 'primary' };
  return {
    id,
    title: 'Telegram',
    who: accountName(account),
    badge: waits ? WAITING : BADGES[status],
    detail: detailOf(account, context),
    writer: status === 'inactive' ? undefined : presentAccountWriter(id, context),
    action,
  };
}

/** `Lena Hartmann, @lena_h, +49 171 ••••• 12`, as far as known. */
export function accountName({ firstName, lastName, username, phone }: MessengerAccount): string {
  const name = `${firstName} ${lastName}`.trim();
  return [isolated(name), username && `@${username}`, maskedPhone(phone)].filter(Boolean).join(', ');
}

function detailOf(account: MessengerAccount, context: Context): string {
  const { status, connectedAt, lastUsedAt, floodUntil } = account;
  const read = lastUsedAt
    ? `Last read ${dayWords(lastUsedAt, context)}, ${clockTime(lastUsedAt, context.timezone)}${foundWords(account, context)}.`
    : 'Not read yet.';
  if (status === 'expired')
    return `${read} Telegram ended the session; new messages are not read until you connect again.`;
  if (status === 'banned') return `${read} Telegram has banned this account; new messages can’t be read.`;
  if (status === 'inactive') return `${read} The session is erased. Your digests stay.`;
  if (floodUntil && isFlooded(account, context.now)) {
    const until = untilWords(floodUntil, context);
    return `${read} Telegram asks us to wait until ${until}. New messages are read after that.`;
  }
  return `${read} Connected since ${dayWords(connectedAt, context)}.`;
}

function foundWords({ id }: MessengerAccount, { conversations }: Context): string {
  const count = conversations?.get(id) ?? 0;
  return count > 0 ? `, ${countOf(count, 'conversation', 'conversations')}` : '';
}

/** `+49 171 ••••• 12`: enough to recognise the own number by. */
export function maskedPhone(phone: string): string {
  if (phone === '') return '';
  const [country = '', area = ''] = readablePhone(phone).split(' ');
  const start = [country, area.slice(0, 3)].filter(Boolean).join(' ');
  return unbroken(`${start} ••••• ${phone.slice(-2)}`);
}

/** A number that ends on the next line is hard to check. */
export function unbroken(phone: string): string {
  return phone.replaceAll(' ', '\u00a0');
}
