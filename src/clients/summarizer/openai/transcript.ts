import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';
import { addressesMachine } from '../addressesMachine.ts';
import { cleanText, visibleText } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { mediaInBrackets, withoutTypedMedia } from '../media.ts';

/** A message as the model sees it: without secrets, markup and hidden characters, links cut down to their host. */
export type Line = {
  /** Counted from 1; what the model cites. */
  n: number;
  messageId: string;
  /** `user: Sam` is the account's owner, `contact: …` anybody else, whatever they call themselves. */
  from: string;
  /** `2026-11-17 09:00 Tue`, in the user's time zone. */
  at: string;
  text: string;
  forwarded: boolean;
  /** An earlier digest covers it. */
  told: boolean;
  /** Speaks to a machine that reads along: shown as such, and nothing may rest on it. */
  toMachine: boolean;
};

const MOST_MESSAGES = 500;
/** Characters before cleaning. Several times as many as a busy day of 500 messages has. */
const MOST_TEXT = 200_000;
/** Characters of a message; the first that keeps the day within {@link MOST_TEXT}. The last one always does. */
const LONGEST_TEXT = [4000, 2000, 1000, 400] as const;

/** The newest messages with their texts cut to what is read of a day, before any pattern is matched. */
export function withinBudget(given: MessengerMessage[]): MessengerMessage[] {
  const messages = given.slice(-MOST_MESSAGES);
  const longest = longestText(messages.map(({ text }) => text.length));
  return messages.map(message => ({ ...message, text: message.text.slice(0, longest) }));
}

/** The messages of {@link withinBudget} that say something, oldest first. */
export function transcriptOf(
  messages: MessengerMessage[],
  { names, timezone }: Conversation,
  toldUntilId = Number.NEGATIVE_INFINITY,
): Line[] {
  const said = messages.flatMap(message => {
    const media = message.media ? mediaInBrackets(message.media) : '';
    const text = [media, withoutTypedMedia(cleanText(message.text))].filter(Boolean).join(' ');
    return text === '' ? [] : [{ message, text, toMachine: addressesMachine(visibleText(message.text)) }];
  });
  return said.map(({ message, text, toMachine }, index) => ({
    n: index + 1,
    messageId: String(message.id),
    from: message.fromUser ? `user: ${names.user}` : `contact: ${names.sender(message)}`,
    at: localTime(message.sentAt, timezone),
    text,
    forwarded: message.forwarded,
    told: message.id <= toldUntilId,
    toMachine,
  }));
}

/** The line as it goes into the prompt, without line breaks. */
export function toJsonLine({ n, from, at, text, forwarded, told, toMachine }: Line): string {
  return JSON.stringify({
    n,
    from,
    at,
    text,
    ...(forwarded && { forwarded }),
    ...(told && { told }),
    ...(toMachine && { toMachine }),
  });
}

function longestText(lengths: number[]): number {
  const [, , , least] = LONGEST_TEXT;
  const total = (limit: number) => lengths.reduce((sum, length) => sum + Math.min(length, limit), 0);
  return LONGEST_TEXT.find(limit => total(limit) <= MOST_TEXT) ?? least;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function localTime(moment: Date, timezone: string): string {
  const milliseconds = moment.getTime();
  if (!Number.isFinite(milliseconds)) return '';
  const local = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone);
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${local.toPlainDate()} ${time} ${WEEKDAYS[local.dayOfWeek - 1]}`;
}
