import { type Account, type Arrival, addMessages, isKnownPeer, SERVICE_USER_ID, topMessage } from './account.ts';
import type { Sandbox } from './sandbox.ts';
import { splitPeerKey } from './tlPeers.ts';
import { publishMessages } from './updates.ts';
import type { World, WorldDialog, WorldMessage } from './world.ts';

const DAY_SECONDS = 24 * 60 * 60;
const REPEATED_CONVERSATIONS = 20;

type Day = World['nextDays'][number];
type Told = { dialogKey: string; message: WorldMessage };

/** Lets the world's next day arrive now, or the last one once more when no other is left. */
export function letNextDayArrive(sandbox: Sandbox, account: Account): { conversations: number; messages: number } {
  const planned = account.world.nextDays[account.record.daysArrived];
  account.record.daysArrived += planned ? 1 : 0;
  const told = inOrder(planned ?? lastDayOf(account)).filter(({ dialogKey }) => isKnownPeer(account, dialogKey));
  const arrivals = redated(account, told);
  const stored = addMessages(account, arrivals, sandbox.state);
  linkReplies(told, stored);
  sandbox.state.saveAccountRecord(account.key, account.record);
  publishMessages(sandbox, account, arrivals, stored);
  return { conversations: new Set(told.map(({ dialogKey }) => dialogKey)).size, messages: told.length };
}

/** All conversations' messages as they were written, one after the other, which is how ids are given. */
function inOrder(day: Day): Told[] {
  return day
    .flatMap(({ dialogKey, messages }) => messages.map(message => ({ dialogKey, message })))
    .sort((left, right) => left.message.date - right.message.date);
}

/** Ending now, and never dated before what is already in the conversation. Ids are left to the server. */
function redated(account: Account, told: Told[]): Arrival[] {
  const shift = Math.floor(Date.now() / 1000) - (told.at(-1)?.message.date ?? 0);
  return told.map(({ dialogKey, message: { id: _told, ...message } }) => {
    const earliest = topMessage(account.dialogs.get(dialogKey))?.date ?? 0;
    return { dialogKey, message: { ...message, date: Math.max(message.date + shift, earliest) } };
  });
}

/** Replies within the day point at the ids their targets got; those to older messages stay. */
function linkReplies(told: Told[], stored: WorldMessage[]): void {
  const nameOf = (dialogKey: string, id: number | null) => `${dialogKey}/${id}`;
  const newIds = new Map(
    told.map(({ dialogKey, message }, index) => [nameOf(dialogKey, message.id), stored[index]?.id]),
  );
  told.forEach(({ dialogKey, message }, index) => {
    const target = newIds.get(nameOf(dialogKey, message.replyTo));
    const reply = stored[index];
    if (reply && target !== undefined) reply.replyTo = target;
  });
}

/** Of the world as it was made: a day that arrived this way is not repeated itself. */
function lastDayOf(account: Account): Day {
  return account.world.dialogs
    .filter(dialog => isWithPerson(account, dialog))
    .sort((left, right) => lastDate(right) - lastDate(left))
    .slice(0, REPEATED_CONVERSATIONS)
    .map(dialog => {
      const since = lastDate(dialog) - DAY_SECONDS;
      return { dialogKey: dialog.key, messages: dialog.messages.filter(message => message.date > since) };
    });
}

function lastDate(dialog: WorldDialog): number {
  return dialog.messages.at(-1)?.date ?? 0;
}

function isWithPerson(account: Account, dialog: WorldDialog): boolean {
  const { kind, id } = splitPeerKey(dialog.key);
  const user = kind === 'user' ? account.users.get(id) : undefined;
  if (!user || user.isBot || user.isDeleted || dialog.messages.length === 0) return false;
  return id !== account.owner.id && id !== SERVICE_USER_ID;
}
