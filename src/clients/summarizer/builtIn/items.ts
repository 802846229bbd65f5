import { shorten } from '../../../lib/words.ts';
import { actionItemIds } from '../actionItemId.ts';
import { fold, toWords } from '../cleaning.ts';
import { saysNeed } from '../days/findWhen.ts';
import { isSecret } from '../masking/mask.ts';
import { chooseItems, findItemOwner, type ItemChosen, isUnanswered } from '../reader/choose.ts';
import { HEAD_COUNT, HEAD_INDEX } from '../reader/features.ts';
import { promiseRows } from '../reader/promises.ts';
import { type ActionItem, SHORT_REPLY_CHARACTERS } from '../types.ts';
import { withRequests } from '../withRequests.ts';
import { scoreOfEnd } from './closings.ts';
import { findDue } from './findDue.ts';
import { quoteMessage } from './lines.ts';
import { type ReadDay, type ScoredRequest, textOf } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MAX_ITEMS = 12;

/** The action items, in the words that bind, oldest first. */
export function findItems(read: ScoredRequest): ActionItem[] {
  const idOf = actionItemIds();
  const { thresholds } = read.model;
  const newest = read.days.at(-1);
  const items = read.days.flatMap((day, n) => {
    const { scored } = day;
    // A first reading is of many days: it does not begin with a list of what may be overdue.
    const isToCome = ({ dueDate }: ActionItem) => day === newest || dueDate === null || dueDate >= (newest?.day ?? '');
    return chooseItems(scored, thresholds)
      .slice(0, MAX_ITEMS)
      .filter(item => day === newest || !isEndedLater(read, n, item))
      .toSorted((a, b) => a.on - b.on)
      .flatMap(item => composeItem(read, day, item, whoseIs(read, day, item), idOf) ?? [])
      .filter(isToCome);
  });
  const messages = read.days.flatMap(({ said }) => said.map(({ message }) => message));
  const messagesById = new Map(messages.map(message => [String(message.id), message]));
  return items.slice(-MAX_ITEMS).flatMap(item => {
    // A request is no answer to itself: only what its owner said can be one, and needs it if the day is the other side's.
    const isOwners = messagesById.get(item.sourceMessageIds.at(-1) ?? '')?.fromUser === (item.owner === 'user');
    const isRiddle = item.text.length <= SHORT_REPLY_CHARACTERS || !item.text.includes(item.dueText ?? '');
    return isOwners && isRiddle ? withRequests([item], messages) : [item];
  });
}

/** "I need your bio by Monday" is asked of the other one. */
function whoseIs(
  { names, isGroup, language, model }: ScoredRequest,
  { said, scored }: ReadDay,
  item: ItemChosen,
): string | null {
  const one = said[item.on]!;
  if (!isGroup && saysNeed(textOf(one), language)) return one.who === names.user ? names.peer : names.user;
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
  const on = inOwnWords(read, day, all, owner) ?? chosen.on;
  const [span] = quoteMessage(read, day, on, 'binds')?.spans ?? [];
  const text = span?.text ? renderSpan({ ...span, attachment: null }) : '';
  if (text === '' || isSecret(day.said[on]!.message.text.slice(0, 1000))) return null;
  const inOrder = all.toSorted((a, b) => a - b);
  // The one whose words are quoted comes last: it says who said them.
  const sources = [...inOrder.filter(at => at !== on), on];
  const when = findDue(
    read,
    // The owner's own day takes precedence over the other side's.
    [...inOrder.filter(at => day.said[at]!.who !== owner), ...inOrder.filter(at => day.said[at]!.who === owner)]
      .toReversed()
      .map(at => {
        return { ...day.said[at]!.message, isOpen: isUnanswered(day.scored, at, owner, read.model.thresholds.joined) };
      }),
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
function inOwnWords({ model }: ScoredRequest, { said, scored }: ReadDay, all: number[], owner: string | null) {
  const binds = (at: number) => scored.scores[at * HEAD_COUNT + HEAD_INDEX.binds]! >= model.thresholds.binds;
  return all.toSorted((a, b) => b - a).find(at => said[at]!.who === owner && binds(at));
}

/** Whether words of a later day may have ended it. */
function isEndedLater(read: ScoredRequest, n: number, item: ItemChosen): boolean {
  const { model, days } = read;
  const { scored, day } = days[n]!;
  const { on, with: rest } = item;
  const owner = whoseIs(read, days[n]!, item);
  const words = [on, ...rest].map(at => scored.words[at]!);
  const authors = [on, ...rest].map(at => scored.day.messages[at]!.from);
  const who = authors[0] ?? null;
  return days.slice(n + 1).some(later => {
    const daysAgo = Math.round((Date.parse(later.day) - Date.parse(day)) / 86_400_000);
    const [rows = []] = promiseRows(later.scored.day, later.scored.words, later.scored.scores, [
      { who, authors, words, daysAgo, daysLeft: null },
    ]);
    return rows.some((row, at) => scoreOfEnd(read, later.said[at]!, { who: owner, row }) >= model.thresholds.asks);
  });
}
