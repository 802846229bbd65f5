import { FAILURES, sayAskedToWait } from '../../lib/failures.ts';
import { formatPhone } from '../../lib/phone.ts';
import { localDay } from '../../lib/timezones.ts';
import {
  dropPeriod,
  formatCount,
  formatDayInSentence,
  formatNearDay,
  formatQuantity,
  formatTimeOfDay,
  formatUntil,
  isolateDirection,
} from '../../lib/words.ts';
import type { Connection, SyncConfig } from '../base/settings/schema.ts';
import { presentAccountWriter, presentDialogWriter } from './consent/present.ts';
import type { AiService } from './consent/schema.ts';
import type { ActiveChoices } from './consent/service.ts';
import { presentProminence } from './dialogs/present.ts';
import { type CountedDialogs, dialogName, isTracked } from './dialogs/rules.ts';
import type { Dialog } from './dialogs/schema.ts';
import { findFloodEnd, isFlooded } from './rules.ts';
import type { AccountStatus, MessengerAccount } from './schema.ts';

type AccountContext = {
  now: Date;
  timezone: string;
  aiService: AiService | undefined;
  choices: ActiveChoices;
  /** By account, as far as counted. */
  conversations?: ReadonlyMap<string, CountedDialogs>;
};

const BADGES: Record<AccountStatus, Connection['badge']> = {
  active: { tone: 'is-ok', icon: 'okc', word: 'Working' },
  expired: { tone: 'is-warn', icon: 'warn', word: 'Signed out' },
  banned: { tone: 'is-alert', icon: 'ban', word: 'Banned by Telegram' },
  inactive: { tone: 'is-mute', icon: 'skip', word: 'Disconnected' },
};

const WAITING: Connection['badge'] = { tone: 'is-warn', icon: 'clock', word: 'Waiting' };

/** One account as the settings show it: its state, who writes its digests, and the button that connects or disconnects it. */
export function presentAccount(account: MessengerAccount, context: AccountContext): Connection {
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
    detail: describeAccount(account, context),
    writer: status === 'inactive' ? undefined : presentAccountWriter(id, context),
    action,
  };
}

/** `Lena Hartmann, @lena_h, +49 171 ••••• 12`, as far as known. */
export function accountName({ firstName, lastName, username, phone }: MessengerAccount): string {
  const name = `${firstName} ${lastName}`.trim();
  const [country = '', area = ''] = formatPhone(phone).split(' ');
  // Enough to recognize one's own number.
  const masked = [country, area.slice(0, 3), `••••• ${phone.slice(-2)}`].filter(Boolean).join(' ');
  return [isolateDirection(name), username && `@${username}`, phone && withoutLineBreaks(masked)].filter(Boolean).join(', ');
}

function describeAccount(account: MessengerAccount, context: AccountContext): string {
  const { id, status, connectedAt, lastUsedAt, floodUntil } = account;
  const count = context.conversations?.get(id) ?? { read: 0, all: 0 };
  const share = count.read === count.all ? '' : `${formatCount(count.read)} of `;
  const found = count.all > 0 ? `, ${share}${formatQuantity(count.all, 'conversation', 'conversations')}` : '';
  const read = lastUsedAt
    ? `Last read ${formatDayInSentence(lastUsedAt, context)}, ${formatTimeOfDay(lastUsedAt, context.timezone)}${found}.`
    : 'Not read yet.';
  if (status === 'expired' || status === 'banned') {
    const { says, advice } = status === 'expired' ? FAILURES.SESSION_EXPIRED : FAILURES.ACCOUNT_BANNED;
    return `${read} ${says} ${advice}`;
  }
  if (status === 'inactive') return `${read} The session is erased. Your digests stay.`;
  if (floodUntil && isFlooded(account, context.now)) {
    const asks = sayAskedToWait('messenger', `until ${formatUntil(floodUntil, context)}`);
    return `${read} ${asks} New messages are read after that.`;
  }
  return `${read} Connected since ${formatDayInSentence(connectedAt, context)}.`;
}

/** Keeps a number on one line: a number that wraps is hard to check. */
export function withoutLineBreaks(phone: string): string {
  return phone.replaceAll(' ', '\u00a0');
}

/** A conversation's CRM link, supplied by the feature that matches. */
export type DialogLink = { kind: string; words: string; href: string };

type ListContext = {
  config: SyncConfig;
  now: Date;
  aiService: AiService | undefined;
  choices: ActiveChoices;
  links: ReadonlyMap<string, DialogLink>;
};

const KINDS: Record<Dialog['peerType'], string> = {
  user: 'Person',
  group: 'Group',
  supergroup: 'Group',
  channel: 'Channel',
  bot: 'Bot',
};

const LOCKED: Record<NonNullable<Dialog['unreadable']>, string> = {
  service: 'Telegram’s own messages carry sign-in codes and are never read.',
  self: 'Your saved messages are never read.',
  bot: 'Bots are never read.',
  channel: 'Broadcast channels are never read.',
  deleted: 'This account was deleted.',
};

/** A row of the conversation list. */
export function presentDialog(dialog: Dialog, context: ListContext) {
  const { config, now } = context;
  const { timezone } = config;
  const isRead = isTracked(dialog, config);
  return {
    id: dialog.id,
    name: dialogName(dialog),
    kind: KINDS[dialog.peerType],
    isTracked: isRead,
    link: isRead ? context.links.get(dialog.id) : undefined,
    last: dialog.lastMessageAt ? formatNearDay(localDay(dialog.lastMessageAt, timezone), localDay(now, timezone)) : '',
    /** Why there is no switch, or undefined when there is one. */
    locked: dialog.unreadable === null ? undefined : LOCKED[dialog.unreadable],
    /** Writer and the link to change it, for conversations that are read and have a choice. */
    writer: isRead ? presentDialogWriter(dialog, context) : undefined,
    /** Pin and Mute; undefined for a conversation without a switch. */
    prominence: dialog.unreadable === null ? presentProminence(dialog) : undefined,
  };
}

/** Why the list may be incomplete, and until when. */
export function floodBanner(accounts: MessengerAccount[], listed: number, { now, config }: ListContext) {
  const end = findFloodEnd(accounts, now);
  if (!end) return undefined;
  const until = formatUntil(end, { now, timezone: config.timezone });
  const title = dropPeriod(sayAskedToWait('messenger', `until ${until}`));
  const text = listed > 0 ? 'The list may be missing newer conversations.' : 'Your conversations can be listed after that.';
  const link = { href: '/conversations', label: 'Check again' };
  return { tone: 'warn', title, text, link };
}
