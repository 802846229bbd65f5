import { oncePer } from '../../../lib/once.ts';
import { localDay } from '../../../lib/timezones.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { findWhen, isDeadline, namesDayByAnother, type When } from '../days/findWhen.ts';
import type { Model } from '../reader/model.ts';
import { QUESTION_MARK, splitSentences } from '../sentences.ts';
import { findMostBinding } from './lines.ts';

/** Limits of the search for a day: messages of an item, those before an hour, characters and clauses of each message. */
const MAX_READ = 4;
const MAX_BACK = 8;
const MAX_READ_LENGTH = 1000;
const MAX_CLAUSES = 20;

type DueContext = { model: Model; language: string; timezone: string };
type Clause = { clause: string; sentence: string; when: When };
/** `isOpen`: it asks for something, and is not answered. */
type Message = Pick<MessengerMessage, 'text' | 'sentAt'> & { isOpen?: boolean };

/**
 * The day that the newest of an item's messages names that names one; where none does, an hour, on the day that was named
 * last before it: "tomorrow?", "at 3 then". "Today" in a question that is not answered is no day, unless the question makes
 * it a deadline. `at`: the place of a message in `said`, the messages of the day.
 */
export function findDue(context: DueContext, newestFirst: (Message & { at: number })[], said: Message[]): When | null {
  const read = (message: Message & { at?: number }) =>
    findWhenInMessage(context, message, said[(message.at ?? 0) - 1]?.text ?? '');
  const [newest] = newestFirst;
  if (newest && namesDayByAnother(newest.text, context.language) && !read(newest)) return null;
  const found = newestFirst.slice(0, MAX_READ).map(message => ({ at: message.at, when: read(message) }));
  const day = found.find(({ when }) => when && !when.isHour);
  const hour = found.find(({ when }) => when);
  if (day || !hour?.when) return day?.when ?? null;
  const before = said.slice(Math.max(0, hour.at - MAX_BACK), hour.at).toReversed();
  const named = before.map(read).find(when => when && !when.isHour);
  return named ? { ...named, time: hour.when.time } : hour.when;
}

/** The day and hour that a message names; of several days, the one in its most binding clause. */
function findWhenInMessage(
  { model, language, timezone }: DueContext,
  { text, sentAt, isOpen }: Message,
  before: string,
): When | null {
  // Most messages are one sentence of one clause, which would be read three times.
  const whenIn = oncePer((part: string) => findWhen(part, language, sentAt, timezone));
  const whole = whenIn(text);
  const sentences = splitSentences(text.slice(0, MAX_READ_LENGTH), language);
  const all = sentences
    .filter(whenIn)
    .flatMap(sentence => sentence.split(CLAUSES).map(clause => ({ clause, sentence })))
    .slice(0, MAX_CLAUSES)
    .flatMap(({ clause, sentence }) => {
      const when = whenIn(clause);
      return when && !when.isHour ? [{ clause, sentence, when }] : [];
    });
  const isToday = ({ when }: Clause) => when.date === localDay(sentAt, timezone);
  const isMeant = (one: Clause) =>
    !isOpen || !isToday(one) || !QUESTION.test(one.sentence) || isDeadline(one.sentence, one.when.words, language);
  const named = all.filter(isMeant);
  if (all.length > 0 && named.length === 0) return null;
  if (whole && named.length === all.length && named.every(({ when }) => when.date === whole.date)) {
    const sentenceOf = (words: string) => sentences.findIndex(sentence => sentence.includes(words));
    // "The table is for 13:00. I'll pick up the cake on Saturday"
    const isOther = sentenceOf(whole.hourWords ?? whole.words) < sentenceOf(whole.words);
    return isOther ? { ...whole, time: null } : whole;
  }
  // "Before Friday I need …: by Tuesday please"
  const [first, second] = named
    .filter(one => isDeadline(one.sentence, one.when.words, language))
    .toSorted((a, b) => a.when.date.localeCompare(b.when.date));
  if (first && second) return (isToday(first) ? second : first).when;
  // "Tomorrow?" – "Tomorrow is hard. Friday at 12?"
  const asked = QUESTION_MARK.test(before) && findWhen(before, language, sentAt, timezone)?.date;
  const other = named.find(({ sentence, when }) => sentence !== named[0]?.sentence && when.date !== asked);
  if (!first && other && QUESTION.test(other.sentence) && named[0]?.when.date === asked) return other.when;
  const best = findMostBinding(
    model,
    named.map(({ clause }) => clause),
  );
  return named.find(({ clause }) => clause === best)?.when ?? null;
}

const CLAUSES = /(?<=[,;:–—،、，]) ?/;
const QUESTION = /[?？؟][^\p{L}?？؟]{0,20}$/u;
