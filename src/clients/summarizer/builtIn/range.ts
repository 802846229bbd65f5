import { Temporal } from 'temporal-polyfill';
import type { Conversation } from '../conversation.ts';
import { phrase } from './phrases.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** The share of its worth that a fact keeps per day before the last: older things are mostly settled. */
const OLDER = 0.7;
const MOST_DAYS = 14;

/** "(Since 7 Nov)" if the messages span more than one day, else ''. */
export function sinceNote({ utterances, pack }: Conversation): string {
  const [first, last] = [utterances[0]?.day, utterances.at(-1)?.day];
  if (!first || !last || first === last) return '';
  const quote = dayInWords(first, pack.code, 'short');
  return `(${phrase(pack.code, 'since', { quote })
    .replace(/[:：]?$/u, '')
    .trimEnd()})`;
}

/** "Thu 19 Nov" */
export function dayLabel(day: string, code: string): string {
  return dayInWords(day, code, 'dated').replace(',', '');
}

const FORMATS = {
  short: { day: 'numeric', month: 'short' },
  dated: { weekday: 'short', day: 'numeric', month: 'short' },
  weekday: { weekday: 'long' },
} as const;
/** Cached, because creating a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function dayInWords(day: string, code: string, form: keyof typeof FORMATS): string {
  const language = code === 'en' || code === 'und' ? 'en-GB' : code;
  const key = `${form} ${language}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...FORMATS[form], timeZone: 'UTC' });
  formats.set(key, format);
  return format.format(Date.parse(`${day}T12:00Z`));
}

/** The day on which something was last mentioned. */
export function dayOf(readings: Reading[]): string {
  return readings.reduce(
    (latest, { sentence: { utterance } }) => (utterance.day > latest ? utterance.day : latest),
    '',
  );
}

export function recency(readings: Reading[], { utterances }: Conversation): number {
  const [day, last] = [dayOf(readings), utterances.at(-1)?.day];
  if (!day || !last || day === last) return 1;
  return OLDER ** Math.min(MOST_DAYS, Temporal.PlainDate.from(last).since(day).days);
}

/** Replaces "tomorrow" and the like by the name of the day, for someone who reads it on another day. */
export function withWeekdays(text: string, day: string): string {
  if (!/today|tonight|tomorrow|yesterday|this /iu.test(text)) return text;
  return text.replaceAll(
    /(?<![\p{L}'’-])(?:(by|until|till|before|after|from|since|for|of|on) )?(today|tonight|tomorrow|yesterday|this morning|this afternoon|this evening)(?: (morning|afternoon|evening|night|noon))?(?!['’\p{L}-])/giu,
    (_, before: string | undefined, word: string, part: string | undefined) => {
      const low = word.toLowerCase();
      const away = low === 'tomorrow' ? 1 : low === 'yesterday' ? -1 : 0;
      const date = Temporal.PlainDate.from(day).add({ days: away }).toString();
      const time = part ?? (low === 'tonight' ? 'evening' : low.startsWith('this ') ? low.slice(5) : '');
      return `${before ?? 'on'} ${dayInWords(date, 'en', 'weekday')}${time ? ` ${time}` : ''}`;
    },
  );
}

/** {@link withWeekdays} for the words of a task, counted from the day on which its day was named. */
export function withTaskWeekdays(words: string, { when, readings }: Pick<Task, 'when' | 'readings'>): string {
  const said = readings.findLast(reading => when !== null && reading.when?.words === when.words) ?? readings[0];
  const spoken = words.replace(BARE_DAY, ' on $1');
  return said ? withWeekdays(spoken, said.sentence.utterance.day) : spoken;
}

/** "Tell Sam Friday" */
const BARE_DAY =
  /(?<!(?:^| )(?:on|by|until|till|til|next|this|last|every|each|before|after|for|from|to|since|of|and|or|per|the|good|early|late|around|about)) ((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)$/u;
