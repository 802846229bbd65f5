import { type Account, addMessages, isKnownPeer, type NewMessage, SERVICE_USER_ID, topMessage } from './account.ts';
import type { State } from './state.ts';
import { splitPeerKey } from './tlPeers.ts';
import type { WorldDialog, WorldMessage } from './world.ts';

const DAY_SECONDS = 24 * 60 * 60;
const REPEATED_CONVERSATIONS = 20;

type Batch = { dialogKey: string; messages: WorldMessage[] };

/** Lets the world's next day arrive now, or the last one once more when no other is left. */
export function letNextDayArrive(account: Account, state: State): { conversations: number; messages: number } {
  const planned = account.nextDays[account.record.daysArrived];
  account.record.daysArrived += planned ? 1 : 0;
  const batches = (planned ?? repeatLastDay(account)).filter(({ dialogKey }) => isKnownPeer(account, dialogKey));
  const shift = Math.floor(Date.now() / 1000) - Math.max(...batches.flatMap(({ messages }) => messages.map(dateOf)));
  for (const { dialogKey, messages } of batches) {
    addMessages(account, dialogKey, renew(account, dialogKey, messages, shift), state);
  }
  const messages = batches.reduce((total, batch) => total + batch.messages.length, 0);
  return { conversations: batches.length, messages };
}

/** Without ids, which the server gives; never dated before what is already there. */
function renew(account: Account, dialogKey: string, messages: WorldMessage[], shift: number): NewMessage[] {
  const earliest = topMessage(account.dialogs.get(dialogKey))?.date ?? 0;
  return messages.map(({ id: _old, replyTo: _unknown, ...message }) => ({
    ...message,
    date: Math.max(message.date + shift, earliest),
  }));
}

function repeatLastDay(account: Account): Batch[] {
  return [...account.dialogs.values()]
    .filter(dialog => isWithPerson(account, dialog))
    .slice(0, REPEATED_CONVERSATIONS)
    .map(({ key, messages }) => {
      const since = (messages.at(-1)?.date ?? 0) - DAY_SECONDS;
      return { dialogKey: key, messages: messages.filter(message => message.date > since) };
    });
}

function isWithPerson(account: Account, dialog: WorldDialog): boolean {
  const { kind, id } = splitPeerKey(dialog.key);
  const user = kind === 'user' ? account.users.get(id) : undefined;
  if (!user || user.isBot || user.isDeleted || dialog.messages.length === 0) return false;
  return id !== account.owner.id && id !== SERVICE_USER_ID;
}

function dateOf(message: WorldMessage): number {
  return message.date;
}
