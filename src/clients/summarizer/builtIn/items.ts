import { shorten } from '../../../lib/words.ts';
import { actionItemIds } from '../actionItemId.ts';
import { fold, toWords } from '../cleaning.ts';
import { findNeed } from '../days/findWhen.ts';
import { hasMask } from '../masking/mask.ts';
import { chooseItems, findItemOwner, type ItemChosen, isUnanswered } from '../reader/choose.ts';
import { HEAD_COUNT, HEAD_INDEX } from '../reader/features.ts';
import { promiseRows } from '../reader/promises.ts';
import { type ActionItem, SHORT_REPLY_CHARACTERS } from '../types.ts';
import { withRequests } from '../withRequests.ts';
import { scorePromiseEnd } from './closings.ts';
import { findDue } from './findDue.ts';
import { quoteMessage } from './lines.ts';
import { type ReadDay, type ScoredRequest, toModelText } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MAX_ITEMS = 12;

/** The action items, in the words that bind, oldest first. */
export function findItems(read: ScoredRequest): ActionItem[] {
  const idOf = actionItemIds();
  const { thresholds } = read.model;
  const newest = read.days.at(-1);
  const items = read.days.flatMap((day, n) => {
    const { scored } = day;
    // Drops overdue items of earlier days, which a first reading of many days would otherwise list.
    const isToCome = ({ dueDate }: ActionItem) => day === newest || dueDate === null || dueDate >= (newest?.day ?? '');
    return chooseItems(scored, thresholds)
      .slice(0, MAX_ITEMS)
      .filter(item => day === newest || !isEndedLater(read, n, item))
      .toSorted((a, b) => a.on - b.on)
      .flatMap(item => composeItem(read, day, item, findOwner(read, day, item), idOf) ?? [])
      .filter(isToCome)
      .map(item => addRequest(read, day, item));
  });
  return items.slice(-MAX_ITEMS);
}

/** With its request, if the owner's words are short or don't contain the due date, and not one about something else. */
function addRequest({ model }: ScoredRequest, { said, scored }: ReadDay, item: ActionItem): ActionItem {
  const on = said.findIndex(({ id }) => id === item.sourceMessageIds.at(-1));
  const isOwners = said[on]?.message.fromUser === (item.owner === 'user');
  const isUnclear = item.text.length <= SHORT_REPLY_CHARACTERS || !item.text.includes(item.dueText ?? '');
  if (!isOwners || !isUnclear) return item;
  const messages = said.map(({ message }) => message);
  const [found = item] = withRequests([item], messages);
  const asked = said.findIndex(({ id }) => id === found.request?.messageId);
  const isSource = asked < 0 || item.sourceMessageIds.includes(said[asked]!.id);
  return isSource || scored.joined(asked, on) >= model.thresholds.joined ? found : item;
}

/** "I need your bio by Monday" is asked of the other one, "I need to send it" of none. */
function findOwner(
  { names, isGroup, language, model }: ScoredRequest,
  { said, scored }: ReadDay,
  item: ItemChosen,
): string | null {
  const authored = said[item.on]!;
  const need = isGroup ? null : findNeed(toModelText(authored), language);
  if (need) return (authored.who === names.user) === (need === 'own') ? names.user : names.peer;
  return findItemOwner(scored, item, { sure: model.thresholds.self, peer: names.peer });
}

function composeItem(
  read: ScoredRequest,
  day: ReadDay,
  chosen: ItemChosen,
  owner: string | null,
  idOf: ReturnType<typeof actionItemIds>,
): ActionItem | null {
  const all = [chosen.on, ...chosen.with];
  const on = findOwnersMessage(read, day, all, owner) ?? chosen.on;
  const [span] = quoteMessage(read, day, on, 'binds')?.spans ?? [];
  const text = span?.text ? renderSpan({ ...span, attachment: null }) : '';
  if (text === '' || hasMask(day.said[on]!.message.text.slice(0, 1000))) return null;
  const inOrder = all.toSorted((a, b) => a - b);
  // The quoted message comes last, as the author of the words is read from there.
  const sources = [...inOrder.filter(at => at !== on), on];
  const when = findDue(
    read,
    // The owner's own day takes precedence over the other side's.
    [...inOrder.filter(at => day.said[at]!.who !== owner), ...inOrder.filter(at => day.said[at]!.who === owner)]
      .toReversed()
      .map(at => {
        return { ...day.said[at]!.message, at, isOpen: isUnanswered(day.scored, at, owner, read.model.thresholds.joined) };
      }),
    day.said.map(({ message }) => message),
  );
  const side = owner === read.names.user ? 'user' : 'contact';
  return {
    id: idOf(day.said[on]!.id, toWords(fold(span?.text ?? '', read.language))),
    text,
    owner: owner === null ? 'unknown' : side,
    ownerName: owner,
    dueDate: when?.date ?? null,
    dueText: when && shorten(when.words, 60),
    dueTime: when?.time ?? null,
    sourceMessageIds: sources.map(at => day.said[at]!.id),
  };
}

/** The last of an item's messages in which its owner takes it on. */
function findOwnersMessage({ model }: ScoredRequest, { said, scored }: ReadDay, all: number[], owner: string | null) {
  const binds = (at: number) => scored.scores[at * HEAD_COUNT + HEAD_INDEX.binds]! >= model.thresholds.binds;
  return all.toSorted((a, b) => b - a).find(at => said[at]!.who === owner && binds(at));
}

/** Whether a message of a later day probably ended the item. */
function isEndedLater(read: ScoredRequest, n: number, item: ItemChosen): boolean {
  const { model, days } = read;
  const { scored, day } = days[n]!;
  const { on, with: rest } = item;
  const owner = findOwner(read, days[n]!, item);
  const words = [on, ...rest].map(at => scored.words[at]!);
  const authors = [on, ...rest].map(at => scored.day.messages[at]!.from);
  const who = authors[0] ?? null;
  return days.slice(n + 1).some(later => {
    const daysAgo = Math.round((Date.parse(later.day) - Date.parse(day)) / 86_400_000);
    const [rows = []] = promiseRows(later.scored.day, later.scored.words, later.scored.scores, [
      { who, authors, words, daysAgo, daysLeft: null },
    ]);
    return rows.some((row, at) => scorePromiseEnd(read, later.said[at]!, { who: owner, row }) >= model.thresholds.asks);
  });
}
