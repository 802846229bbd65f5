import { clockTime, countOf, dayWords, untilWords } from '../../lib/words.ts';
import type { Connection } from '../settings/connection.ts';
import { maskedPhone } from './presentConnect.ts';
import { isFlooded } from './rules.ts';
import type { AccountStatus, MessengerAccount } from './schema.ts';

type Context = {
  now: Date;
  timezone: string;
  /** The model of the operator's AI service, or undefined where there is none. */
  aiModel: string | undefined;
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
    reader: readerOf(account, context),
    action,
  };
}

/** `Lena Hartmann, @lena_h, +49 171 ••••• 12`, as far as known. */
export function accountName({ firstName, lastName, username, phone }: MessengerAccount): string {
  const name = `${firstName} ${lastName}`.trim();
  return [name, username && `@${username}`, maskedPhone(phone)].filter(Boolean).join(', ');
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

/** Nobody reads a disconnected account, and without an AI service there is nothing to choose. */
function readerOf({ status, builtInOnly }: MessengerAccount, { aiModel }: Context): Connection['reader'] {
  if (!aiModel || status === 'inactive') return undefined;
  const words = builtInOnly
    ? 'The summariser built into this server reads its messages. None is sent to the AI service.'
    : `New messages are sent to the AI service this server uses (${aiModel}), which writes the summaries. Single conversations can be kept from it under Conversations.`;
  return { builtInOnly, words };
}
