import type { Temporal } from 'temporal-polyfill';
import { dayToCome, lastDayOf, secondsOf, withDays } from './samples/calendar.ts';
import { type Cast, type Conversation, type Line, readCast, readConversations } from './samples/story.ts';
import type { World, WorldDialog, WorldMessage } from './world.ts';

const PASSWORD = 'forenoon-demo';
/** The first message ids of an account of some age, and of a channel. */
const FIRST_ID = 20_481;
const FIRST_CHANNEL_ID = 312;
/** The pause between messages of the same minute. */
const SECONDS_BETWEEN = 9;

/** A line of a conversation, dated, without its id yet. */
type DatedLine = { dialogKey: string; line: Line; date: number };
type Numbered = DatedLine & { id: number };
/** The messages of a dialog: those so far on day 0, those still to come on the days after. */
type MessagesOn = (dialogKey: string, day: number) => WorldMessage[];

/**
 * A week of Lena Hartmann, who sells temperature loggers: some 45 conversations that end on the day of `now`, or on the
 * day before while the story's last message would still be to come. Three more days follow in `nextDays`, dated after
 * it. All names, numbers and texts are made up. Ids do not depend on `now`, dates do: an account whose state is kept
 * needs the same `now` at every start.
 */
export function sampleWorld(now: Date): World {
  const cast = readCast();
  const conversations = readConversations();
  const lastDay = lastDayOf(momentsSoFar(conversations), now);
  const numbered = numberedByDate(conversations.flatMap(conversation => datedLines(conversation, cast, lastDay)));
  const messagesOn: MessagesOn = (key, day) => messagesOf(numbered.get(key) ?? [], day, cast, lastDay);
  const keys = conversations.map(conversation => keyOf(conversation, cast));
  return {
    key: 'sample',
    owner: cast.owner,
    password: PASSWORD,
    users: [cast.owner, ...Object.values(cast.people)],
    chats: conversations.flatMap(conversation => ('chat' in conversation ? conversation.chat : [])),
    dialogs: conversations.map(conversation => toDialog(conversation, keyOf(conversation, cast), messagesOn)),
    nextDays: daysToCome(conversations).map(day =>
      keys
        .map(dialogKey => ({ dialogKey, messages: messagesOn(dialogKey, day) }))
        .filter(batch => batch.messages.length > 0),
    ),
  };
}

function momentsSoFar(conversations: Conversation[]): string[] {
  return conversations.flatMap(({ messages }) => messages.map(({ at }) => at));
}

function daysToCome(conversations: Conversation[]): number[] {
  const count = Math.max(...conversations.map(({ next }) => next.length));
  return Array.from({ length: count }, (_, index) => index + 1);
}

function toDialog(conversation: Conversation, key: string, messagesOn: MessagesOn): WorldDialog {
  const { pinned, archived, unread } = conversation;
  return { key, pinned, archived, unreadCount: unread, messages: messagesOn(key, 0) };
}

function keyOf(conversation: Conversation, cast: Cast): string {
  if ('with' in conversation) return `user:${personId(conversation.with, cast)}`;
  const { id, kind } = conversation.chat;
  return kind === 'group' ? `chat:${id}` : `channel:${id}`;
}

function personId(name: string, cast: Cast): number {
  const person = name === 'me' ? cast.owner : cast.people[name];
  if (!person) throw new Error(`people.json knows no "${name}"`);
  return person.id;
}

function datedLines(conversation: Conversation, cast: Cast, lastDay: Temporal.PlainDate): DatedLine[] {
  const dialogKey = keyOf(conversation, cast);
  const lines = [...conversation.messages, ...conversation.next.flat()];
  return lines.map((line, place) => {
    const earlierInMinute = lines.slice(0, place).filter(({ at }) => at === line.at).length;
    return { dialogKey, line, date: secondsOf(line.at, lastDay) + earlierInMinute * SECONDS_BETWEEN };
  });
}

/** The messages of each dialog with their ids: one counter for private chats and groups, one for each other. */
function numberedByDate(lines: DatedLine[]): Map<string, Numbered[]> {
  const next = new Map<string, number>();
  const numbered = lines
    .toSorted((a, b) => a.date - b.date)
    .map(each => {
      const isOwnCounter = each.dialogKey.startsWith('channel:');
      const counter = isOwnCounter ? each.dialogKey : 'shared';
      const id = next.get(counter) ?? (isOwnCounter ? FIRST_CHANNEL_ID : FIRST_ID);
      next.set(counter, id + 1);
      return { ...each, id };
    });
  return Map.groupBy(numbered, each => each.dialogKey);
}

function messagesOf(dialog: Numbered[], day: number, cast: Cast, lastDay: Temporal.PlainDate): WorldMessage[] {
  return dialog
    .filter(({ line }) => dayToCome(line.at) === day)
    .map(({ id, date, line: { at, from, text, replyTo, ...rest } }) => ({
      ...rest,
      id,
      date,
      from: from === undefined ? null : personId(from, cast),
      text: withDays(text, lastDay),
      replyTo: replyTo === null ? null : idAt(dialog, replyTo),
    }));
}

function idAt(dialog: Numbered[], at: string): number {
  const answered = dialog.find(({ line }) => line.at === at);
  if (!answered) throw new Error(`no message at ${at} in ${dialog[0]?.dialogKey}`);
  return answered.id;
}
