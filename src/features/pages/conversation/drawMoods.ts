import { dayAfter } from '../../../lib/timezones.ts';
import { countOf, dateOf, formatCount, shortDay, weekdayOf } from '../../../lib/words.ts';
import { MOODS } from '../../digests/present.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { DayMood as Day } from './repo.ts';

/** A day of which it is known how its messages felt. */
type DayMood = Day & { sentiment: NonNullable<Day['sentiment']> };

const LATEST = 8;
/** Where each mood is drawn, from the top. */
const LEVELS: Record<DayMood['sentiment'], number> = { positive: 8, neutral: 22, mixed: 36, negative: 50 };
const [FIRST_X, LAST_X] = [5, 239];
const [WIDTH, HEIGHT, BAR] = [296, 44, 7.2];

type Bar = { x: string; y: string; height: string };

/** Messages a day over 30 days, and how the last digests sounded. Undefined when there is nothing to draw. */
export function drawMoods(digests: Day[], { today }: { today: string }) {
  if (digests.length === 0) return undefined;
  const moods = digests.filter((day): day is DayMood => day.sentiment !== null);
  const counts = new Map(digests.map(({ date, messages }) => [date, messages]));
  const days = Array.from({ length: CHART_DAYS }, (_, n) => dayAfter(today, n + 1 - CHART_DAYS));
  const values = days.map(day => counts.get(day) ?? 0);
  const most = Math.max(1, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    total: formatCount(total),
    sentence: sentenceOf(total, values, days, today),
    bars: values.flatMap((value, n) => (value > 0 ? [barOf(n, value / most)] : [])),
    from: dateOf(days[0] ?? today, today),
    to: (values.at(-1) ?? 0) > 0 ? `${formatCount(values.at(-1) ?? 0)} today` : 'today',
    table: digests.toReversed().map(({ date, messages, sentiment }) => ({
      day: shortDay(date, today),
      messages: formatCount(messages),
      word: sentiment === null ? '' : MOODS[sentiment].word,
    })),
    mood: moods.length > 0 ? drawLine(moods, days, today) : undefined,
  };
}

/** A point for each digest, on its day; the newest one is marked. */
function drawLine(moods: DayMood[], days: string[], today: string) {
  const points = moods.flatMap(({ date, sentiment }) => {
    const n = days.indexOf(date);
    const x = FIRST_X + (n * (LAST_X - FIRST_X)) / (CHART_DAYS - 1);
    return n < 0 ? [] : [{ x: x.toFixed(1), y: LEVELS[sentiment] }];
  });
  const words = `${moodSentence(moods.slice(-LATEST), today)}.`;
  const sentence = `Mood of ${countOf(moods.length, 'digest', 'digests')} in the last ${CHART_DAYS} days. ${words}`;
  return { points, line: points.map(({ x, y }) => `${x},${y}`).join(' '), words, sentence };
}

function barOf(n: number, share: number): Bar {
  const step = (WIDTH - BAR - 1.6) / (CHART_DAYS - 1);
  const height = Math.max(1.5, share * HEIGHT);
  return { x: (1 + n * step).toFixed(1), y: (HEIGHT - height).toFixed(1), height: height.toFixed(1) };
}

function sentenceOf(total: number, values: number[], days: string[], today: string): string {
  const top = Math.max(...values);
  const day = days[values.lastIndexOf(top)] ?? today;
  const most = `most on ${shortDay(day, today)}: ${formatCount(top)}`;
  return `${countOf(total, 'message', 'messages')} in the last ${CHART_DAYS} days, ${most}.`;
}

/** "Positive until Tuesday, tense since": only how it ended, and what was before. */
export function moodSentence(moods: DayMood[], today: string): string {
  const last = moods.at(-1);
  if (!last) return '';
  const start = moods.findLastIndex(({ sentiment }) => sentiment !== last.sentiment) + 1;
  const before = moods[start - 1];
  const { word } = MOODS[last.sentiment];
  if (!before) return moods.length > 1 ? `${word} throughout` : word;
  const isRun = moods.slice(0, start).every(({ sentiment }) => sentiment === before.sentiment);
  const until = dayAfter(today, -6) <= before.date ? weekdayOf(before.date) : shortDay(before.date, today);
  return isRun && start > 1
    ? `${MOODS[before.sentiment].word} until ${until}, ${word.toLowerCase()} since`
    : `${word} since ${sinceOf(moods[start]?.date ?? today, today)}`;
}

function sinceOf(day: string, today: string): string {
  if (day === today) return 'today';
  return dayAfter(today, -6) <= day ? weekdayOf(day) : shortDay(day, today);
}
