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
  const day = findDay(spelled.replace(GREETING, ' '), lexicon, utterance.sentAt, timezone);
  if (day && !NO_DAY.test(day.words) && !isOfLength(folded, day.words)) {
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

/** "Guten Morgen" doesn't mean tomorrow. */
const GREETING = /\bguten (?:morgen|abend)\b|^morgen!/giu;

/** "In a sec" names no day. */
const NO_DAY =
  /^(?:after|since|nach|seit|después|desde|après|depuis|после|після|depois|po) (?!de amanhã|demain|обеда|обіду|południu|le déj|comer|do almoço|feierabend)|^(?:день|неделю|месяц|тиждень|місяць|día|semana|tag|woche)$|\b(?:one|some|any) ?day\b|\b(?:a|one|two) ?(?:sec|second|min|minute|moment|mo|bit)s?\b|\b(?:few|couple of|several|some|coming|nächsten|paar|próximos|unos|pocos|prochains|quelques|alguns|prossimi|alcuni|qualche|najbliższych|kilka) (?:days|weeks|months|tage[n]?|wochen|días|dias|jours|giorni|dni|semanas|semaines)\b|ближайшие|ближайшее|найближч|несколько|кілька|на днях|birkaç/iu;

/** "7 days' notice", "a 2 day trip": a duration, not a day. */
function isOfLength(folded: string, words: string): boolean {
  const at = folded.indexOf(words.toLowerCase());
  return (
    at >= 0 &&
    /^'(?=s|\P{L}|$)|^ (?:notice|trial|trip|project|job|course|holiday|term)/u.test(folded.slice(at + words.length))
  );
}
