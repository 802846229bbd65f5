import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import { fold } from '../cleaning.ts';
import type { Utterance } from '../conversation.ts';
import { findWhen, type When } from '../days/findWhen.ts';
import { dayNames, plain } from '../days/names.ts';
import { wordsOf } from '../words.ts';
import type { Anchor } from './anchoring.ts';

/** What a model says about a date: the words from the conversation, and the day it takes them for. */
export type Claim = { words: string | null; date: string | null };
type SaidDate = { words: string | null; date: string | null /** HH:MM */; time: string | null };
/** `today`: YYYY-MM-DD, the day of the digest. */
type Calendar = { timezone: string; today: string };

/** The share of the claimed words that must be in the message. */
const MOST_OF_THEM = 0.6;
const NOTHING: SaidDate = { words: null, date: null, time: null };
const FARTHEST_DAYS = 2 * 366;

/**
 * The day someone named. Models count badly, so we count ourselves, from the words and the moment they were said. The
 * model's day is used where our calendar doesn't know the words and the Unicode CLDR does, and where they leave open what
 * only the rest of the conversation tells: a day of a week, weekend or month, and which of two Fridays. Words that name
 * no day are kept without one.
 */
export function saidDate(claim: Claim, anchor: Anchor, calendar: Calendar): SaidDate {
  if (claim.words === null && claim.date === null) return NOTHING;
  const { words, said } = wordsSaid(claim.words ?? '', anchor.utterances) ?? { words: null, said: null };
  if (words === null) return fromSentence(anchor, calendar);
  const claimed = plausible(claim.date, said, calendar);
  const counted = findWhen(words, said.pack.code, said.sentAt, calendar.timezone);
  if (!counted) return { words, date: null, time: null };
  const isChoice = claimed !== null && isOpenTo(claimed, { counted, words, said }, calendar);
  return { words, date: isChoice ? claimed : counted.date, time: counted.time };
}

function fromSentence({ sentence }: Anchor, { timezone }: Calendar): SaidDate {
  const said = sentence?.utterance;
  const found = said && findWhen(sentence.text, said.pack.code, said.sentAt, timezone);
  return found && !found.isHour ? { words: found.words, date: found.date, time: found.time } : NOTHING;
}

/**
 * The words as far as the messages say them, since any other may be anything, and the message that has most of them.
 * null where too few are said.
 */
function wordsSaid(claimed: string, utterances: Utterance[]): { words: string; said: Utterance } | null {
  const claims = utterances.map(said => {
    const known = new Set(said.sentences.flatMap(({ text }) => wordsOf(fold(text, said.pack.code))));
    const all = wordsOf(fold(claimed, said.pack.code));
    return { said, all, kept: all.filter(word => known.has(word)) };
  });
  const best = claims.reduce((one, other) => (other.kept.length > one.kept.length ? other : one));
  if (best.kept.length === 0 || best.kept.length < MOST_OF_THEM * best.all.length) return null;
  const known = new Set(claims.flatMap(({ kept }) => kept));
  const words = best.all.every(word => known.has(word)) ? claimed : best.all.filter(word => known.has(word)).join(' ');
  return { words, said: best.said };
}

type Counted = { counted: When; words: string; said: Utterance };

/** Whether the words can mean this day as well as the one that was counted. */
function isOpenTo(claimed: string, { counted, words, said }: Counted, { timezone, today }: Calendar): boolean {
  const [day, other] = [Temporal.PlainDate.from(claimed), Temporal.PlainDate.from(counted.date)];
  const unit = periodNamed(plain(words), said.pack.code);
  if (unit !== null) return claimed >= localDay(said.sentAt, timezone) && isWithin(unit, day, other);
  if (day.since(other).days !== 7) return false;
  // A Friday that was over before the day ended was not the one meant, and "Sunday in a week" is not the next one.
  return counted.date < today || dayNames(said.pack.code).week.test(plain(words).replace(plain(counted.words), ' '));
}

type Period = 'weekend' | 'week' | 'month';

function periodNamed(words: string, language: string): Period | null {
  const { weekdays, said, thisWeek, nextWeek, thisMonth, nextMonth } = dayNames(language);
  const named = (patterns: RegExp[]) => patterns.some(pattern => pattern.test(words));
  if (named([said.weekend])) return 'weekend';
  if (named(weekdays)) return null;
  if (named([thisWeek, nextWeek])) return 'week';
  return named([thisMonth, nextMonth]) ? 'month' : null;
}

function isWithin(period: Period, day: Temporal.PlainDate, counted: Temporal.PlainDate): boolean {
  if (period === 'month') return day.toPlainYearMonth().equals(counted.toPlainYearMonth());
  if (period === 'weekend' && day.dayOfWeek < 6) return false;
  return day.weekOfYear === counted.weekOfYear && day.yearOfWeek === counted.yearOfWeek;
}

function plausible(date: string | null, { sentAt }: Utterance, { timezone }: Calendar): string | null {
  if (date === null) return null;
  try {
    const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
    const away = Math.abs(day.since(localDay(sentAt, timezone)).days);
    return away <= FARTHEST_DAYS ? day.toString() : null;
  } catch {
    return null;
  }
}
