import type { MessengerMessage } from '../../messenger/types.ts';
import { actionItemIds } from '../actionItemId.ts';
import { fold, shorten } from '../cleaning.ts';
import { findWhen, type When } from '../days/findWhen.ts';
import { isSecret } from '../masking/mask.ts';
import { chooseItems, type ItemChosen, ownerOf } from '../reader/choose.ts';
import { promiseRows } from '../reader/promises.ts';
import { scoreTrees } from '../reader/trees.ts';
import { splitSentences } from '../sentences.ts';
import type { ActionItem } from '../types.ts';
import { withRequests } from '../withRequests.ts';
import { wordsOf } from '../words.ts';
import { lineOf, worthOf } from './lines.ts';
import type { Read, ReadDay } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MOST = 12;
/** Messages of an item that are searched for a day. */
const MOST_READ = 4;
/** Characters of a message, and parts of it, that are searched for one. */
const LONGEST_READ = 1000;
const MOST_CLAUSES = 30;
/** Characters: words that say little without what they answer. */
const RIDDLE = 40;

/** What is left to do, in the words that bind, in the order in which it was said. */
export function findItems(read: Read): ActionItem[] {
  const idOf = actionItemIds();
  const items = read.days.flatMap((of, n) => {
    const { scored, joined, said } = of;
    const { thresholds } = read.model;
    const about = { scores: scored.scores, count: said.length, joined, day: scored.day };
    return chooseItems(about, thresholds)
      .slice(0, MOST)
      .filter(item => n === read.days.length - 1 || !isEndedLater(read, n, item))
      .toSorted((one, other) => one.on - other.on)
      .flatMap(item => itemOf(read, of, item, ownerOf(about, item, thresholds.self), idOf) ?? []);
  });
  const messages = read.days.flatMap(({ said }) => said.map(({ message }) => message));
  const bySaid = new Map(messages.map(message => [String(message.id), message]));
  return items.slice(-MOST).flatMap(item => {
    // A request is no answer to itself: only what its owner said can be one.
    const isOwners = bySaid.get(item.sourceMessageIds.at(-1) ?? '')?.fromUser === (item.owner === 'user');
    return isOwners && item.text.length <= RIDDLE ? withRequests([item], messages) : [item];
  });
}

function itemOf(
  read: Read,
  of: ReadDay,
  chosen: ItemChosen,
  owner: string | null,
  idOf: ReturnType<typeof actionItemIds>,
): ActionItem | null {
  const { on, with: rest } = chosen;
  const [span] = lineOf(read, of, on, 'binds')?.spans ?? [];
  const text = span?.text ? renderSpan({ ...span, attachment: null }) : '';
  if (text === '' || isSecret(of.said[on]!.message.text.slice(0, 1000))) return null;
  // The one whose words are quoted comes last: it says who said them.
  const sources = [...rest.toSorted((one, other) => one - other), on];
  const when = whenOf(read, of, chosen);
  const { names } = read;
  const isUsers = owner === names.user;
  return {
    id: idOf(
      of.said[on]!.id,
      wordsOf(fold(mostBinding(read, splitSentences(span?.text ?? '', read.language)), read.language)),
    ),
    text,
    owner: owner === null ? 'unknown' : isUsers ? 'user' : 'contact',
    ownerName: owner,
    dueDate: when?.date ?? null,
    dueText: when && shorten(when.words, 60),
    dueTime: when?.time ?? null,
    sourceMessageIds: sources.map(at => of.said[at]!.id),
  };
}

/** The day that the newest of its messages names that names one; an hour alone only where no day is named. */
function whenOf(read: Read, { said }: ReadDay, { on, with: rest }: ItemChosen): When | null {
  const newest = [on, ...rest].toSorted((one, other) => other - one).slice(0, MOST_READ);
  const found = newest.flatMap(at => whenIn(read, said[at]!.message) ?? []);
  return found.find(({ isHour }) => !isHour) ?? found[0] ?? null;
}

/** Of a message that names several days, the one of the words that bind most. */
function whenIn(read: Read, { text, sentAt }: MessengerMessage): When | null {
  const { language, timezone } = read;
  const whole = findWhen(text, language, sentAt, timezone);
  if (!whole) return null;
  const named = clausesOf(text, language).flatMap(clause => {
    const when = findWhen(clause, language, sentAt, timezone);
    return when && !when.isHour ? [{ clause, when }] : [];
  });
  if (named.every(({ when }) => when.date === whole.date)) return whole;
  const best = mostBinding(
    read,
    named.map(({ clause }) => clause),
  );
  return named.find(({ clause }) => clause === best)?.when ?? whole;
}

/** The one of several texts that binds most, by its words alone. */
function mostBinding({ model }: Read, texts: string[]): string {
  if (texts.length < 2) return texts[0] ?? '';
  const worth = texts.map(text => worthOf(model, text, 'binds'));
  return texts[worth.indexOf(Math.max(...worth))] ?? '';
}

function clausesOf(text: string, language: string): string[] {
  const sentences = splitSentences(text.slice(0, LONGEST_READ), language);
  return sentences.flatMap(sentence => sentence.split(/(?<=[,;:–—،、，]) ?/)).slice(0, MOST_CLAUSES);
}

/** Whether words of a later day may have ended it. */
function isEndedLater({ model, days }: Read, n: number, { on, with: rest }: ItemChosen): boolean {
  const { scored, day } = days[n]!;
  const words = [on, ...rest].map(at => scored.words[at]!);
  const authors = [on, ...rest].map(at => scored.day.messages[at]!.from);
  const who = authors[0] ?? null;
  return days.slice(n + 1).some(later => {
    const daysAgo = Math.round((Date.parse(later.day) - Date.parse(day)) / 86_400_000);
    const [rows = []] = promiseRows(later.scored.day, later.scored.words, later.scored.scores, [
      { who, authors, words, daysAgo, daysLeft: null },
    ]);
    return rows.some(row => scoreTrees(model.ends, row) >= model.thresholds.asks);
  });
}
