import { localDay } from '../../lib/timezones.ts';
import { nearDay, untilWords } from '../../lib/words.ts';
import { presentDialogWriter } from '../consent/present.ts';
import type { AiService } from '../consent/schema.ts';
import type { HeldChoices } from '../consent/service.ts';
import { isTracked } from '../dialogs/rules.ts';
import type { Dialog } from '../dialogs/schema.ts';
import type { SyncConfig } from '../settings/schema.ts';
import { isFlooded } from './rules.ts';
import type { MessengerAccount } from './schema.ts';

/** Whom a conversation is in the CRM, told by the feature that matches them. */
export type DialogLink = { kind: string; words: string; href: string };

/** One row of the list of conversations. */
export type DialogRow = {
  id: string;
  name: string;
  kind: string;
  isTracked: boolean;
  /** Undefined for what is not read, and where there is nothing to say. */
  link: DialogLink | undefined;
  last: string;
  /** Why there is no switch, or undefined when there is one. */
  locked: string | undefined;
  /** Who writes its digests, and where that is changed, where there is a choice. */
  writer: { words: string; href: string } | undefined;
};

type Context = {
  config: SyncConfig;
  now: Date;
  aiService: AiService | undefined;
  held: HeldChoices;
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
  service: "Telegram's own messages carry sign-in codes and are never read.",
  self: 'Your saved messages are never read.',
  bot: 'Bots are never read.',
  channel: 'Broadcast channels are never read.',
  deleted: 'This account was deleted.',
};

export function presentDialog(dialog: Dialog, context: Context): DialogRow {
  const { config, now } = context;
  const { timezone } = config;
  return {
    id: dialog.id,
    name: dialog.peerName || dialog.peerUsername || 'Without a name',
    kind: KINDS[dialog.peerType],
    isTracked: isTracked(dialog, config),
    link: isTracked(dialog, config) ? context.links.get(dialog.id) : undefined,
    last: dialog.lastMessageAt ? nearDay(localDay(dialog.lastMessageAt, timezone), localDay(now, timezone)) : '',
    locked: dialog.unreadable === null ? undefined : LOCKED[dialog.unreadable],
    // What is not read has no writer.
    writer: isTracked(dialog, config) ? presentDialogWriter(dialog, context) : undefined,
  };
}

/** Why the list may not be whole, and until when. */
export function floodBanner(accounts: MessengerAccount[], listed: number, { now, config }: Context) {
  const waiting = accounts.filter(account => account.status === 'active' && isFlooded(account, now));
  const last = Math.max(0, ...waiting.map(account => account.floodUntil?.getTime() ?? 0));
  if (last === 0) return undefined;
  const until = untilWords(new Date(last), { now, timezone: config.timezone });
  const text = listed > 0 ? 'The list may lack what is newer.' : 'Your conversations can be listed after that.';
  const link = { href: '/conversations', label: 'Check again' };
  return { tone: 'warn', title: `Telegram asks us to wait until ${until}`, text, link };
}
