import { Temporal } from 'temporal-polyfill';
import { inSteps } from '../../../lib/inSteps.ts';
import { once } from '../../../lib/once.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { LANGUAGES } from '../languages/types.ts';
import {
  digitsOf,
  hoursIn,
  numbersIn,
  numbersSaidIn,
  partsOf,
  pricesIn,
  rowsIn,
  runsOf,
  saysLarge,
  spellingsOf,
  wordsIn,
} from './readNumbers.ts';

/** Smaller numbers are counts, or were said in words: as many in a text, more are a code. */
const SMALLEST = 13;
const MOST_COUNTS = 3;

/** Stands for hundreds and more in words: which number they are is not read, a round one must be in figures. */
const LARGE = 'large';
const CHINESE_LARGE = /[一二三四五六七八九十两兩数][百千万萬億亿]/u;
/** "8:30", "20.00" */
const CLOCK = /^\d{1,2}[:.]\d{2}$/;
const isRound = (number: string) => Number(number) >= 100 && Number(number) % 100 === 0;

type Said = {
  messages: Pick<MessengerMessage, 'id' | 'senderName' | 'text' | 'sentAt'>[];
  timezone: string;
  /** ISO 639-1 */
  language: string;
  /** YYYY-MM-DD */
  today: string;
};

/** `elsewhere`: messages that say those numbers of a text that the cited ones lack. `foreign`: numbers no one wrote. */
type Checked = { elsewhere: string[]; foreign: string[] };

/**
 * Checks the numbers of a text against the messages that it cites. Those of the present day, of the days and hours at which
 * messages were sent, and of the day after each, may be in any text, as those of `days` (YYYY-MM-DD), which were computed.
 */
export async function createNumberCheck({ messages, timezone, language, today }: Said) {
  const nextStep = inSteps();
  const saysLargeIn = (text: string, codes: Iterable<string>) =>
    CHINESE_LARGE.test(text) || [...codes].some(code => saysLarge(text, code));
  const ownLanguages = new Set([language, 'en']);
  const wordsSaid = once(() => new Set(messages.flatMap(({ senderName, text }) => wordsIn(`${senderName} ${text}`))));
  /** In any language, but a word that people here use may be another one in theirs. */
  const saysLargeAnywhere = (text: string) => {
    const others = wordsIn(text).filter(word => !wordsSaid().has(word));
    return saysLargeIn(text, ownLanguages) || saysLargeIn(others.join(' '), LANGUAGES);
  };
  const moments = messages.flatMap(({ sentAt }) => momentsOf(sentAt, timezone));
  const anywhere = new Set([...new Set([today, ...moments])].flatMap(partsOf));
  const saidIn = new Map<string, string[]>();
  const hours = new Set<string>();
  for (const { id, text } of messages) {
    await nextStep();
    for (const hour of hoursIn(text, language)) hours.add(hour);
    const numbers = new Set(numbersSaidIn(text).flatMap(found => [...spellingsOf(found), ...partsOf(found)]));
    if (saysLargeIn(text, ownLanguages) || [...numbers].some(isRound)) numbers.add(LARGE);
    for (const number of numbers) {
      const ids = saidIn.get(number) ?? [];
      saidIn.set(number, ids);
      ids.push(String(id));
    }
  }
  const isHour = (number: string) =>
    CLOCK.test(number) && hours.has(number.replace(/^\d(?=\D)/, '0$&').replace('.', ':'));
  const isRowSaid = (row: string) => messages.some(({ text }) => runsOf(text).some(run => run.includes(digitsOf(row))));
  return (text: string, cited: readonly string[] = [], days: readonly string[] = []): Checked => {
    const computed = new Set(days.flatMap(partsOf));
    /** Empty for a number that needs no message, undefined for one that no one wrote. */
    const sourcesOf = (number: string): string[] | undefined => {
      if (anywhere.has(number) || computed.has(number)) return [];
      return saidIn.get(number) ?? (isSmall(number) ? [] : undefined);
    };
    const isCited = (ids: string[]) => ids.length === 0 || ids.some(id => cited.includes(id));
    const checked: Checked = { elsewhere: [], foreign: [] };
    const prices = pricesIn(text);
    for (const number of [...numbersIn(text), ...(saysLargeAnywhere(text) ? [LARGE] : [])]) {
      if (isHour(number) && !prices.has(number)) continue;
      const whole = spellingsOf(number).flatMap(spelling => sourcesOf(spelling) ?? []);
      const isWhole = spellingsOf(number).some(spelling => sourcesOf(spelling) !== undefined);
      const parts = isWhole ? [whole] : prices.has(number) ? [undefined] : partsOf(number).map(sourcesOf);
      if (parts.includes(undefined)) checked.foreign.push(number);
      else for (const ids of parts) if (ids && !isCited(ids)) checked.elsewhere.push(ids.at(-1) ?? '');
    }
    const counts = numbersIn(text).filter(number => isSmall(number) && !saidIn.has(number));
    if (counts.length > MOST_COUNTS) checked.foreign.push(...counts);
    checked.foreign.push(...rowsIn(text).filter(row => !isRowSaid(row)));
    return checked;
  };
}

function isSmall(number: string): boolean {
  return /^\d+$/.test(number) && Number(number) < SMALLEST;
}

function momentsOf(moment: Date, timezone: string): string[] {
  const milliseconds = moment.getTime();
  if (!Number.isFinite(milliseconds)) return [];
  const local = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone);
  return [local.toPlainDateTime().toString(), local.toPlainDate().add({ days: 1 }).toString()];
}
