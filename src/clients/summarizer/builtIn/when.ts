import { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import type { Sentence } from '../conversation.ts';
import { findDay } from '../dueDates.ts';
import type { Lexicon } from '../languages/lexicon.ts';

/** A day somebody named, YYYY-MM-DD, with the hour (HH:MM) where one was said. */
export type When = { date: string; time: string | null; words: string };

type Hour = { time: string; words: string; isSure: boolean };

const HOUR =
  /(?<![\p{L}\p{N}.,:/#+-])([01]?\d|2[0-4])(?:[:.h]([0-5]\d))? ?(am|pm|uhr|h|o'clock)?(?![\p{L}\p{N}%:€$£]|[.,/]\d)/giu;

/** The day and hour of a sentence, counted from when it was said; null when neither is named. */
export function whenOf({ utterance }: Sentence, spelled: string, lexicon: Lexicon, timezone: string): When | null {
  const folded = fold(spelled, lexicon.code);
  const hour = hourOf(folded, lexicon);
  const time = hour?.time ?? null;
  const now = Temporal.Instant.fromEpochMilliseconds(utterance.sentAt.getTime()).toZonedDateTimeISO(timezone);
  const weekend = lexicon.calendar.weekend.exec(folded);
  if (weekend) {
    const date = now.toPlainDate().add({ days: (7 - now.dayOfWeek) % 7 || 7 });
    return { date: date.toString(), time, words: weekend[0] };
  }
  const day = findDay(spelled, utterance.pack, utterance.sentAt, timezone);
  if (day) return { date: dayMeant(day, folded, lexicon), time, words: day.words };
  if (!hour?.isSure) return null;
  const isToCome = Temporal.PlainTime.compare(Temporal.PlainTime.from(hour.time), now.toPlainTime()) > 0;
  return isToCome ? { date: now.toPlainDate().toString(), time, words: hour.words } : null;
}

/** "Before Friday" is Thursday: on Friday it is too late. */
function dayMeant({ date, words }: { date: string; words: string }, folded: string, { calendar }: Lexicon): string {
  const at = folded.indexOf(fold(words, 'und'));
  const before = folded.slice(Math.max(0, at - 20), at + words.length);
  if (at < 0 || !calendar.notOn.test(before)) return date;
  const isPeriod = [calendar.endOfWeek, calendar.nextWeek, calendar.endOfMonth, calendar.nextMonth, calendar.today];
  if (isPeriod.some(pattern => pattern.test(words.toLowerCase()))) return date;
  return Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();
}

/** A bare number is an hour only behind "at" and its like. */
function hourOf(folded: string, { calendar }: Lexicon): Hour | null {
  for (const match of folded.matchAll(HOUR)) {
    const [words, hours = '', minutes, mark] = match;
    const before = folded.slice(Math.max(0, match.index - 14), match.index).trimEnd();
    const lead = new RegExp(`(?:${calendar.at.source})$`, 'u').exec(before)?.[0];
    const isClock = minutes !== undefined && folded[match.index + hours.length] === ':';
    if (!lead && !isClock && mark === undefined) continue;
    const hour = Number(hours) % 24;
    const isAfternoon = mark?.startsWith('pm') && hour < 12;
    const time = `${`${isAfternoon ? hour + 12 : hour}`.padStart(2, '0')}:${minutes ?? '00'}`;
    return { time, words: [lead, words.trim()].filter(Boolean).join(' '), isSure: isClock || mark !== undefined };
  }
  return null;
}
