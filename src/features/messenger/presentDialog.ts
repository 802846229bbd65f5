import { localDay } from '../../lib/timezones.ts';
import { nearDay } from '../../lib/words.ts';
import { isTracked } from '../dialogs/rules.ts';
import type { Dialog } from '../dialogs/schema.ts';
import type { SyncConfig } from '../settings/schema.ts';

/** One row of the list of conversations. */
export type DialogRow = {
  id: string;
  name: string;
  kind: string;
  isTracked: boolean;
  last: string;
  /** Why there is no switch, or undefined when there is one. */
  locked: string | undefined;
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

export function presentDialog(dialog: Dialog, config: SyncConfig, now: Date): DialogRow {
  const { timezone } = config;
  return {
    id: dialog.id,
    name: dialog.peerName || dialog.peerUsername || 'Without a name',
    kind: KINDS[dialog.peerType],
    isTracked: isTracked(dialog, config),
    last: dialog.lastMessageAt ? nearDay(localDay(dialog.lastMessageAt, timezone), localDay(now, timezone)) : '',
    locked: dialog.unreadable === null ? undefined : LOCKED[dialog.unreadable],
  };
}
