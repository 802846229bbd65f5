import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';
import { cleanText, withoutHiddenCharacters } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { maskKnownSecrets, type Secrets } from '../masking/knownSecrets.ts';
import { mediaInBrackets, withoutTypedMedia } from '../media.ts';
import { looksLikePromptInjection } from '../promptInjection.ts';

/** A message as the model sees it: without secrets, markup and hidden characters, links cut down to their host. */
export type TranscriptLine = {
  /** Counted from 1; what the model cites. */
  n: number;
  messageId: string;
  /** `you` is the account's owner: others who call themselves so are shown in quotation marks. */
  who: string;
  /** `2026-11-17 Tue` and `09:00` in the user's time zone; '' where the messenger says none. */
  day: string;
  time: string;
  text: string;
  forwarded: boolean;
  /** An earlier digest covers it. */
  isCovered: boolean;
  /** Speaks to a machine that reads along: shown as such, and nothing may rest on it. */
  isPromptInjection: boolean;
};

/** Messages with content, oldest first. A secret of one is masked in all. */
export function composeTranscript(
  messages: MessengerMessage[],
  { names, timezone }: Conversation,
  { secrets, coveredUntilId = Number.NEGATIVE_INFINITY }: { secrets: Secrets; coveredUntilId?: number | undefined },
): TranscriptLine[] {
  const said = messages.flatMap(message => {
    const media = message.media ? mediaInBrackets(message.media) : '';
    const text = [media, withoutTypedMedia(maskKnownSecrets(cleanText(message.text), secrets))].filter(Boolean).join(' ');
    return text === ''
      ? []
      : [{ message, text, isPromptInjection: looksLikePromptInjection(withoutHiddenCharacters(message.text)) }];
  });
  return said.map(({ message, text, isPromptInjection }, index) => ({
    n: index + 1,
    messageId: String(message.id),
    who: message.fromUser ? 'you' : names.sender(message),
    ...localTime(message.sentAt, timezone),
    text,
    forwarded: message.forwarded,
    isCovered: message.id <= coveredUntilId,
    isPromptInjection,
  }));
}

/** Prompt lines without line breaks, with a separator per day and one before new messages. */
export function formatLines(lines: TranscriptLine[]): string[] {
  const isNew = (line: TranscriptLine | undefined, before: TranscriptLine | undefined) =>
    before?.isCovered && !line?.isCovered;
  const data = lines.flatMap((line, at) => [
    ...(isNew(line, lines[at - 1]) ? ['"new"'] : []),
    ...(line.day !== '' && line.day !== lines[at - 1]?.day ? [JSON.stringify(line.day)] : []),
    toPromptLine(line),
  ]);
  return isNew(undefined, lines.at(-1)) ? [...data, '"new"'] : data;
}

export function toPromptLine({ n, time, who, text, forwarded, isPromptInjection }: TranscriptLine): string {
  const marks = [...(forwarded ? ['forwarded'] : []), ...(isPromptInjection ? ['toMachine'] : [])];
  return JSON.stringify([n, time, who, text, ...marks]);
}

function localTime(moment: Date, timezone: string): { day: string; time: string } {
  const milliseconds = moment.getTime();
  if (!Number.isFinite(milliseconds)) return { day: '', time: '' };
  const local = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone);
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return { day: withWeekday(local.toPlainDate()), time };
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `2026-11-17 Tue`. Every message has one: Temporal would build a format each time. */
export const withWeekday = (day: Temporal.PlainDate): string => `${day} ${WEEKDAYS[day.dayOfWeek - 1]}`;
