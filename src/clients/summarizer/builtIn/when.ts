import { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import type { Sentence } from '../conversation.ts';
import { findDay, type NamedDay } from '../dueDates.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import { type Hour, hourOf } from './hours.ts';

/** A named day, YYYY-MM-DD, with the hour (HH:MM) if said. `isHour`: only that was said; the day is the message's. */
export type When = { date: string; time: string | null; words: string; isHour?: boolean };

/** The day and hour of a sentence, counted from when it was said; null when neither is named. */
export function whenOf(
  { utterance }: { utterance: Pick<Sentence['utterance'], 'sentAt'> },
  spelled: string,
  lexicon: Lexicon,
  timezone: string,
): When | null {
  const folded = fold(spelled, lexicon.code);
  const hour = hourOf(folded, lexicon);
  const time = hour?.time ?? null;
  const day = findDay(spelled, lexicon, utterance.sentAt, timezone);
  if (day) {
    const later =
      hour && dayOfHour(spelled, folded, { day, hour }, said => findDay(said, lexicon, utterance.sentAt, timezone));
    return { date: later?.date ?? day.date, time, words: later?.words ?? day.words };
  }
  if (!hour?.isSure) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(utterance.sentAt.getTime()).toZonedDateTimeISO(timezone);
  const isToCome = Temporal.PlainTime.compare(Temporal.PlainTime.from(hour.time), now.toPlainTime()) > 0;
  return isToCome ? { date: now.toPlainDate().toString(), time, words: hour.words, isHour: true } : null;
}

type Named = { day: NamedDay; hour: Hour };

/** "I'm at the lab tonight and send it tomorrow before 9": the day next to the hour, where that is another one. */
function dayOfHour(
  spelled: string,
  folded: string,
  { day, hour }: Named,
  dayIn: (said: string) => NamedDay | null,
): NamedDay | null {
  const [dayAt, hourAt] = [folded.indexOf(day.words.toLowerCase()), folded.lastIndexOf(hour.words)];
  const behind = dayAt + day.words.length;
  if (dayAt < 0 || hourAt < behind + FARTHEST || spelled.length !== folded.length) return null;
  const other = dayIn(spelled.slice(behind));
  const otherAt = other ? folded.indexOf(other.words.toLowerCase(), behind) : -1;
  if (!other || otherAt < 0 || other.date === day.date) return null;
  return Math.abs(hourAt - otherAt) < hourAt - dayAt ? other : null;
}

/** Letters between a day and an hour that may still be of one. */
const FARTHEST = 4;
