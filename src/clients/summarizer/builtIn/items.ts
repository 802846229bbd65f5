import { Temporal } from 'temporal-polyfill';
import { shorten } from '../../../lib/words.ts';
import { actionItemIds } from '../actionItemId.ts';
import { fold, toWords } from '../cleaning.ts';
import { findNeed, findWhen, isDeadline, type When } from '../days/findWhen.ts';
import { saysNot } from '../languages/words.ts';
import { chooseItems, findItemOwner, type ItemChosen, isUnanswered } from '../reader/choose.ts';
import { HEAD_COUNT, HEAD_INDEX } from '../reader/features.ts';
import { promiseRows } from '../reader/promises.ts';
import { QUESTION_MARK } from '../sentences.ts';
import { type ActionItem, SHORT_REPLY_CHARACTERS } from '../types.ts';
import { withRequests } from '../withRequests.ts';
import { scorePromiseEnd } from './closings.ts';
import { findDue } from './findDue.ts';
import { quoteMessage } from './lines.ts';
import { type ReadDay, type ScoredRequest, toModelText } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MAX_ITEMS = 12;

/** `answer`: the index of the message by which the owner takes the item on, whatever its score. */
type AnsweredItem = ItemChosen & { answer?: number };

/** The action items, in the words that bind, oldest first. */
export function findItems(read: ScoredRequest): ActionItem[] {
  const idOf = actionItemIds();
  const { thresholds } = read.model;
  const newest = read.days.at(-1);
  const items = read.days.flatMap((day, n) => {
    const { scored } = day;
    // Drops overdue items of earlier days, which a first reading of many days would otherwise list.
    const isToCome = ({ dueDate }: ActionItem) => day === newest || dueDate === null || dueDate >= (newest?.day ?? '');
    return joinAnswers(read, day, chooseItems(scored, thresholds).slice(0, MAX_ITEMS))
      .filter(item => day === newest || !isEndedLater(read, n, item))
      .toSorted((a, b) => a.binding - b.binding)
      .flatMap(item => composeItem(read, day, item, findOwner(read, day, item), idOf) ?? [])
      .filter(isToCome)
      .map(item => addRequest(read, day, item));
  });
  return items.slice(-MAX_ITEMS);
}

/** Items with the answers that name other days for them; no other item rests on these. */
function joinAnswers(read: ScoredRequest, day: ReadDay, chosen: ItemChosen[]): AnsweredItem[] {
  const answers = chosen.map(item => findAnswer(read, day, item));
  return chosen.flatMap((item, n) => {
    const answer = answers[n];
    const isOwn = answer !== undefined && answers.indexOf(answer) === n;
    const [binding, ...others] = [item.binding, ...item.others].filter(at => !answers.includes(at));
    if (binding === undefined) return [];
    return [isOwn ? { ...item, binding, others: [...others, answer], answer } : { ...item, binding, others }];
  });
}

/** The index of the other side's next message after those of an item, if it belongs to the item. */
function findNext({ model }: ScoredRequest, { said, scored }: ReadDay, all: number[]): number | undefined {
  const last = Math.max(...all);
  const next = said.findIndex(({ who }, at) => at > last && who !== said[last]!.who);
  return next >= 0 && scored.joined(last, next) >= model.thresholds.joined ? next : undefined;
}

/** The index of the message by which the owner takes a request on for another day: "Monday?" – "I'm away, Wednesday then" */
function findAnswer(read: ScoredRequest, day: ReadDay, item: ItemChosen): number | undefined {
  const owner = findOwner(read, day, item);
  const all = [item.binding, ...item.others];
  const next = findNext(read, day, all);
  if (next === undefined || day.said[next]!.who !== owner || QUESTION_MARK.test(day.said[next]!.message.text))
    return undefined;
  const [asked, named] = [all, [next]].map(messages => findDueOf(read, day, messages, owner));
  return asked && named && !named.isHour && named.date !== asked.date ? next : undefined;
}

/** Adds the request that an item answers, if the owner's words are short or don't name the day. It must be about the same. */
function addRequest({ model }: ScoredRequest, { said, scored }: ReadDay, item: ActionItem): ActionItem {
  const quoted = said.findIndex(({ id }) => id === item.sourceMessageIds.at(-1));
  const isOwners = said[quoted]?.message.fromUser === (item.owner === 'user');
  const isUnclear = item.text.length <= SHORT_REPLY_CHARACTERS || !item.text.includes(item.dueText ?? '');
  if (!isOwners || !isUnclear) return item;
  const messages = said.map(({ message }) => message);
  const [found = item] = withRequests([item], messages);
  const asked = said.findIndex(({ id }) => id === found.request?.messageId);
  const isSource = asked < 0 || item.sourceMessageIds.includes(said[asked]!.id);
  return isSource || scored.joined(asked, quoted) >= model.thresholds.joined ? found : item;
}

/** Who owes an item; null if unknown. "I need your bio by Monday" is owed by the other side, "I need to send it" by its author. */
function findOwner(
  { names, isGroup, language, model }: ScoredRequest,
  { said, scored }: ReadDay,
  item: ItemChosen,
): string | null {
  const authored = said[item.binding]!;
  const need = isGroup ? null : findNeed(toModelText(authored), language);
  if (need) return (authored.who === names.user) === (need === 'own') ? names.user : names.peer;
  return findItemOwner(scored, item, { sure: model.thresholds.self, peer: names.peer });
}

function composeItem(
  read: ScoredRequest,
  day: ReadDay,
  chosen: AnsweredItem,
  owner: string | null,
  idOf: ReturnType<typeof actionItemIds>,
): ActionItem | null {
  const all = [chosen.binding, ...chosen.others];
  const quoted = chosen.answer ?? findOwnersMessage(read, day, all, owner) ?? chosen.binding;
  const [span] = quoteMessage(read, day, quoted, 'binds')?.spans ?? [];
  const text = span?.text ? renderSpan({ ...span, attachment: null }) : '';
  if (text === '') return null;
  const inOrder = all.toSorted((a, b) => a - b);
  // The quoted message comes last, as the author of the words is read from there.
  const sources = [...inOrder.filter(at => at !== quoted), quoted];
  const when = findDueOf(read, day, all, owner);
  const side = owner === read.names.user ? 'user' : 'contact';
  return {
    id: idOf(day.said[quoted]!.id, toWords(fold(span?.text ?? '', read.language))),
    text,
    owner: owner === null ? 'unknown' : side,
    ownerName: owner,
    dueDate: when?.date ?? null,
    dueText: when && shorten(when.words, 60),
    dueTime: when && (findAnsweredHour(read, day, all, when) ?? when.time),
    sourceMessageIds: sources.map(at => day.said[at]!.id),
  };
}

function findDueOf(read: ScoredRequest, { said, scored }: ReadDay, all: number[], owner: string | null): When | null {
  const isOwners = (at: number) => said[at]!.who === owner;
  const { joined } = read.model.thresholds;
  return findDue(
    read,
    // The owner's own day takes precedence over the other side's.
    all
      .toSorted((a, b) => Number(isOwners(b)) - Number(isOwners(a)) || b - a)
      .map(at => ({ ...said[at]!.message, at, isOpen: isUnanswered(scored, at, owner, joined) })),
    said.map(({ message }) => message),
  );
}

/** The hour of a short answer that names no other day: "Friday at 12?" – "ok, but make it 1 pm" */
function findAnsweredHour(read: ScoredRequest, day: ReadDay, all: number[], { date, time }: When): string | null {
  const textOf = (at: number) => day.said[at]!.message.text;
  if (time === null || !all.some(at => QUESTION_MARK.test(textOf(at)))) return null;
  const thatDay = new Date(Temporal.PlainDate.from(date).toZonedDateTime(read.timezone).epochMilliseconds);
  for (const at of [...new Set([findNext(read, day, all) ?? [], all].flat())].toSorted((a, b) => b - a)) {
    const when = findWhen(textOf(at), read.language, thatDay, read.timezone);
    if (!when || saysNot(textOf(at), read.language)) continue;
    const isOther = when.isHour && !isDeadline(textOf(at), when.words, read.language);
    return isOther && textOf(at).length <= SHORT_REPLY_CHARACTERS ? when.time : null;
  }
  return null;
}

/** The index of the last message in which the owner takes the item on. */
function findOwnersMessage({ model }: ScoredRequest, { said, scored }: ReadDay, all: number[], owner: string | null) {
  const binds = (at: number) => scored.scores[at * HEAD_COUNT + HEAD_INDEX.binds]! >= model.thresholds.binds;
  return all.toSorted((a, b) => b - a).find(at => said[at]!.who === owner && binds(at));
}

/** Whether a message of a later day probably ended the item. */
function isEndedLater(read: ScoredRequest, n: number, item: ItemChosen): boolean {
  const { model, days } = read;
  const { scored, day } = days[n]!;
  const { binding, others } = item;
  const owner = findOwner(read, days[n]!, item);
  const words = [binding, ...others].map(at => scored.words[at]!);
  const authors = [binding, ...others].map(at => scored.day.messages[at]!.from);
  const who = authors[0] ?? null;
  return days.slice(n + 1).some(later => {
    const daysAgo = Math.round((Date.parse(later.day) - Date.parse(day)) / 86_400_000);
    const [rows = []] = promiseRows(later.scored.day, later.scored.words, later.scored.scores, [
      { who, authors, words, daysAgo, daysLeft: null },
    ]);
    return rows.some((row, at) => scorePromiseEnd(read, later.said[at]!, { who: owner, row }) >= model.thresholds.asks);
  });
}
