import { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { findWhen } from '../days/findWhen.ts';
import { isDayName } from '../days/names.ts';

/** Letters. Shorter beginnings of a weekday are other words too: "jeu". */
const SHORTEST = 4;

/**
 * Checks whether a model's text names a date or a day of the week to come that is neither what was computed nor named by
 * a message that is cited. "Before Monday's meeting" may count as the day before.
 * @param writtenIn ISO 639-1 of the text, where that is not the conversation's language
 */
export function createDayCheck({ language, timezone }: Conversation, writtenIn = language) {
  const dayIn = (text: string, code: string, saidAt: Date) => {
    const found = findWhen(text, code, saidAt, timezone);
    const isDay = found && !found.isHour && (/\p{Nd}/u.test(found.words) || isDayName(found.words, code));
    return isDay ? Temporal.PlainDate.from(found.date) : null;
  };

  /** @param days YYYY-MM-DD, those that were computed */
  return function namesForeignDay(
    text: string,
    cited: readonly Utterance[],
    days: readonly (string | null)[],
  ): boolean {
    const last = cited.at(-1);
    const named = last ? dayIn(text, writtenIn, last.sentAt) : null;
    if (!named) return false;
    const isNear = (day: Temporal.PlainDate | string | null) =>
      day !== null && Math.abs(named.until(day).total('days')) <= 1;
    const isSaid = partsOf(named, language);
    return !(
      cited.some(({ sentences }) => sentences.some(({ words }) => words.some(isSaid))) ||
      days.some(isNear) ||
      cited.some(({ day }) => isNear(day)) ||
      cited.some(one => one.sentences.some(({ text }) => isNear(dayIn(text, one.pack.code, one.sentAt))))
    );
  };
}

/** Tells the number of a date ("26.11") and the day of the week cut short ("niedz") from other words. */
function partsOf(day: Temporal.PlainDate, language: string): (word: string) => boolean {
  const [locale] = Intl.DateTimeFormat.supportedLocalesOf(language);
  const weekday = locale === undefined ? '' : fold(day.toLocaleString(locale, { weekday: 'long' }), language);
  return word => {
    if (/^\d/.test(word)) return word.split(/\D+/).map(Number).includes(day.day);
    const bare = word.replace(/\.$/, '');
    return bare.length >= SHORTEST && weekday.startsWith(bare);
  };
}
