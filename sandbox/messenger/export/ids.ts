import type { WorldDialog, WorldMessage } from '../world.ts';

const MAX_ID = 2 ** 31 - 1;

type Position = { message: WorldMessage; dialog: number; place: number };

/**
 * Gives messages the ids the messenger would: private chats and groups share one counter, each channel and supergroup
 * has its own. Ids that already follow this stay. Others (starting at 1 in each chat, or negative as Telegram Desktop
 * writes them for a group that became a supergroup) are renumbered by date, then order of the chats, keeping the order
 * within each chat. Replies follow; a reply to a message that is not there becomes an ordinary one.
 */
export function withWorldIds(dialogs: WorldDialog[]): WorldDialog[] {
  const shared = dialogs.filter(dialog => !hasOwnCounter(dialog));
  const renumbered = new Map([
    ...renumberedDialogs(shared),
    ...dialogs.filter(hasOwnCounter).flatMap(dialog => [...renumberedDialogs([dialog])]),
  ]);
  return dialogs.map(dialog => renumbered.get(dialog) ?? dialog);
}

function hasOwnCounter(dialog: WorldDialog): boolean {
  return dialog.key.startsWith('channel:');
}

function renumberedDialogs(dialogs: WorldDialog[]): Map<WorldDialog, WorldDialog> {
  const ordered = byDate(dialogs);
  const newIds = isCounter(ordered, dialogs)
    ? new Map(ordered.map(({ message }) => [message, message.id]))
    : new Map(ordered.map(({ message }, index) => [message, index + 1]));
  return new Map(dialogs.map(dialog => [dialog, { ...dialog, messages: withIds(dialog.messages, newIds) }]));
}

/** A message dated before the one above it (brought in from another messenger) counts as written with that one. */
function byDate(dialogs: WorldDialog[]): Position[] {
  const dated = dialogs.flatMap((dialog, dialogPlace) => {
    let latest = 0;
    return dialog.messages.map((message, place) => {
      latest = Math.max(latest, message.date);
      return { message, dialog: dialogPlace, place, date: latest };
    });
  });
  return dated.sort((a, b) => a.date - b.date || a.dialog - b.dialog || a.place - b.place);
}

/** Whether ids are unique, positive, rising in each chat and in the order of the dates. */
function isCounter(ordered: Position[], dialogs: WorldDialog[]): boolean {
  const byId = ordered.map(({ message }) => message).sort((a, b) => a.id - b.id);
  const rising = byId.every((message, index) => {
    const before = byId[index - 1];
    return message.id > (before?.id ?? 0) && message.date >= (before?.date ?? 0) && message.id <= MAX_ID;
  });
  return rising && dialogs.every(({ messages }) => messages.every((m, i) => m.id > (messages[i - 1]?.id ?? 0)));
}

function withIds(messages: WorldMessage[], newIds: Map<WorldMessage, number>): WorldMessage[] {
  const idOf = (message: WorldMessage) => newIds.get(message) ?? message.id;
  const byOldId = new Map(messages.map(message => [message.id, idOf(message)]));
  return messages.map(message => ({
    ...message,
    id: idOf(message),
    replyTo: message.replyTo === null ? null : (byOldId.get(message.replyTo) ?? null),
  }));
}
