import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';
import { fold } from '../cleaning.ts';
import { KNOWN, lexiconOf } from '../languages/lexicon.ts';
import {
  digitsOf,
  hoursIn,
  numbersIn,
  numbersSaidIn,
  partsOf,
  pricesIn,
  rowsIn,
  runsOf,
  spellingsOf,
  spokenRowsIn,
  wordsIn,
} from './readNumbers.ts';

/** Smaller numbers are counts, or were said in words: as many in a text, more are a code. */
const SMALLEST = 13;
const MOST_COUNTS = 3;

/** Stands for hundreds and more in words: which number they are is not read, a round one must be in figures. */
const LARGE = 'large';
const CHINESE_LARGE = /[一二三四五六七八九十两兩数][百千万萬億亿]/u;
const isRound = (number: string) => Number(number) >= 100 && Number(number) % 100 === 0;

type Said = {
  messages: Pick<MessengerMessage, 'id' | 'senderName' | 'text' | 'sentAt'>[];
  timezone: string;
  /** ISO 639-1 */
  language: string;
};

/** `elsewhere`: messages that say those numbers of a text that the cited ones lack. `foreign`: numbers no one wrote. */
type Checked = { elsewhere: string[]; foreign: string[] };

/**
 * Checks the numbers of a text against the messages that it cites. Those of the days and hours at which messages were
 * sent, and of the day after each, may be in any text.
 * @param days YYYY-MM-DD, other days that may be named
 */
export function createNumberCheck(
  { messages, timezone, language }: Said,
  days: string[],
): (text: string, cited?: readonly string[]) => Checked {
  const saysLargeIn = (text: string, codes: readonly string[]) =>
    codes.some(code => lexiconOf(code).acts.large.test(fold(text, code)));
  const said = new Set(messages.flatMap(({ senderName, text }) => wordsIn(`${senderName} ${text}`)));
  /** In any language, but a word that people here use may be another one in theirs. */
  const saysLarge = (text: string) =>
    CHINESE_LARGE.test(text) ||
    saysLargeIn(text, [...new Set([language, 'en'])]) ||
    saysLargeIn(
      wordsIn(text)
        .filter(word => !said.has(word))
        .join(' '),
      KNOWN,
    );
  const moments = messages.flatMap(({ sentAt }) => momentsOf(sentAt, timezone));
  const anywhere = new Set([...new Set([...days, ...moments])].flatMap(partsOf));
  const saidIn = new Map<string, string[]>();
  for (const { id, text } of messages) {
    const numbers = new Set(numbersSaidIn(text).flatMap(found => [...spellingsOf(found), ...partsOf(found)]));
    if (saysLarge(text) || [...numbers].some(isRound)) numbers.add(LARGE);
    for (const number of numbers) {
      const ids = saidIn.get(number) ?? [];
      saidIn.set(number, ids);
      ids.push(String(id));
    }
  }
  const hours = new Set(messages.flatMap(({ text }) => hoursIn(text, language)));
  const isHour = (number: string) => hours.has(number.replace(/^\d(?=\D)/, '0$&').replace('.', ':'));
  const isRowSaid = (row: string) => messages.some(({ text }) => runsOf(text).some(run => run.includes(digitsOf(row))));
  const isSpoken = (row: string) => messages.some(({ text }) => wordsIn(text).join(' ').includes(row));
  /** Empty for a number that needs no message, undefined for one that no one wrote. */
  const sourcesOf = (number: string): string[] | undefined => {
    if (anywhere.has(number)) return [];
    return saidIn.get(number) ?? (isSmall(number) ? [] : undefined);
  };
  return (text, cited = []) => {
    const isCited = (ids: string[]) => ids.length === 0 || ids.some(id => cited.includes(id));
    const checked: Checked = { elsewhere: [], foreign: [] };
    const prices = pricesIn(text);
    for (const number of [...numbersIn(text), ...(saysLarge(text) ? [LARGE] : [])]) {
      if (isHour(number) && !prices.has(number)) continue;
      const whole = spellingsOf(number).flatMap(spelling => sourcesOf(spelling) ?? []);
      const isWhole = spellingsOf(number).some(spelling => sourcesOf(spelling) !== undefined);
      const parts = isWhole ? [whole] : prices.has(number) ? [undefined] : partsOf(number).map(sourcesOf);
      if (parts.includes(undefined)) checked.foreign.push(number);
      else for (const ids of parts) if (ids && !isCited(ids)) checked.elsewhere.push(ids.at(-1) ?? '');
    }
    const counts = numbersIn(text).filter(number => isSmall(number) && !saidIn.has(number));
    if (counts.length > MOST_COUNTS) checked.foreign.push(...counts);
    checked.foreign.push(
      ...rowsIn(text).filter(row => !isRowSaid(row)),
      ...spokenRowsIn(text).filter(row => !isSpoken(row)),
    );
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
