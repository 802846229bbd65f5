import type { MessengerMessage } from '../../messenger/types.ts';
import { findWhen, type When } from '../days/findWhen.ts';
import type { Model } from '../reader/model.ts';
import { splitSentences } from '../sentences.ts';
import { mostBinding } from './lines.ts';

/** Messages of an item that are searched for a day; characters of each, and parts. */
const MOST_READ = 4;
const LONGEST_READ = 1000;
const MOST_CLAUSES = 30;

type About = { model: Model; language: string; timezone: string };
type Message = Pick<MessengerMessage, 'text' | 'sentAt'>;

/** The day that the newest of an item's messages names that names one; an hour alone only where none names a day. */
export function findDue(about: About, newestFirst: Message[]): When | null {
  let hour: When | null = null;
  for (const message of newestFirst.slice(0, MOST_READ)) {
    const when = whenIn(about, message);
    if (when && !when.isHour) return when;
    hour ??= when;
  }
  return hour;
}

/** Of a message that names several days, the one of the words that bind most. */
function whenIn({ model, language, timezone }: About, { text, sentAt }: Message): When | null {
  const whole = findWhen(text, language, sentAt, timezone);
  if (!whole) return null;
  const clauses = clausesOf(text, language);
  if (clauses.length === 1) return whole;
  const named = clauses.flatMap(clause => {
    const when = findWhen(clause, language, sentAt, timezone);
    return when && !when.isHour ? [{ clause, when }] : [];
  });
  if (named.every(({ when }) => when.date === whole.date)) return whole;
  const best = mostBinding(
    model,
    named.map(({ clause }) => clause),
  );
  return named.find(({ clause }) => clause === best)?.when ?? whole;
}

function clausesOf(text: string, language: string): string[] {
  const sentences = splitSentences(text.slice(0, LONGEST_READ), language);
  return sentences.flatMap(sentence => sentence.split(/(?<=[,;:–—،、，]) ?/)).slice(0, MOST_CLAUSES);
}
