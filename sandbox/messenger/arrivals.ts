import { type Account, type Arrival, addMessages, isKnownPeer, SERVICE_USER_ID, topMessage } from './account.ts';
import type { Sandbox } from './sandbox.ts';
import { splitPeerKey } from './tlPeers.ts';
import { publishMessages } from './updates.ts';
import type { World, WorldDialog, WorldMessage } from './world.ts';

const DAY_SECONDS = 24 * 60 * 60;
const REPEATED_CONVERSATIONS = 20;

type Day = World['nextDays'][number];
type DayMessage = { dialogKey: string; message: WorldMessage };

/**
 * Delivers the messages of the world's next day; none once its story is over. A world without a story, as an export, has its
 * last day again.
 */
export function simulateNextDay(sandbox: Sandbox, account: Account): { conversations: number; messages: number } {
  const { nextDays } = account.world;
  const planned = nextDays.length > 0 ? (nextDays[account.record.daysArrived] ?? []) : lastDayOf(account);
  account.record.daysArrived = Math.min(nextDays.length, account.record.daysArrived + 1);
  const dayMessages = inOrder(planned).filter(({ dialogKey }) => isKnownPeer(account, dialogKey));
  const arrivals = withNewDates(account, dayMessages);
  const stored = addMessages(account, arrivals, sandbox.state);
  linkReplies(dayMessages, stored);
  sandbox.state.saveAccountRecord(account.key, account.record);
  publishMessages(sandbox, account, arrivals, stored);
  return { conversations: new Set(dayMessages.map(({ dialogKey }) => dialogKey)).size, messages: dayMessages.length };
}

/** All messages of the day in the order they were written, in which they get their ids. */
function inOrder(day: Day): DayMessage[] {
  return day
    .flatMap(({ dialogKey, messages }) => messages.map(message => ({ dialogKey, message })))
    .sort((a, b) => a.message.date - b.message.date);
}

/**
 * Dates the messages whole days later, as late as can be, so that they keep the times of day and the story its days. If
 * that is too early for a conversation, they end now. Never before older messages of the conversation. The server assigns
 * ids.
 */
function withNewDates(account: Account, dayMessages: DayMessage[]): Arrival[] {
  const topOf = (dialogKey: string) => topMessage(account.dialogs.get(dialogKey))?.date ?? 0;
  const untilNow = Math.floor(Date.now() / 1000) - (dayMessages.at(-1)?.message.date ?? 0);
  const wholeDays = Math.floor(untilNow / DAY_SECONDS) * DAY_SECONDS;
  const isTooEarly = dayMessages.some(({ dialogKey, message }) => message.date + wholeDays < topOf(dialogKey));
  const shift = isTooEarly ? untilNow : wholeDays;
  return dayMessages.map(({ dialogKey, message: { id: _id, ...message } }) => {
    return { dialogKey, message: { ...message, date: Math.max(message.date + shift, topOf(dialogKey)) } };
  });
}

/** Points replies within the day to the new ids of their targets; replies to older messages stay. */
function linkReplies(dayMessages: DayMessage[], stored: WorldMessage[]): void {
  const nameOf = (dialogKey: string, id: number | null) => `${dialogKey}/${id}`;
  const newIds = new Map(
    dayMessages.map(({ dialogKey, message }, index) => [nameOf(dialogKey, message.id), stored[index]?.id]),
  );
  dayMessages.forEach(({ dialogKey, message }, index) => {
    const target = newIds.get(nameOf(dialogKey, message.replyTo));
    const reply = stored[index];
    if (reply && target !== undefined) reply.replyTo = target;
  });
}

/** The last day of the world as it was created. */
function lastDayOf(account: Account): Day {
  return account.world.dialogs
    .filter(dialog => isWithPerson(account, dialog))
    .sort((a, b) => lastDate(b) - lastDate(a))
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
