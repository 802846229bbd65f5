import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { ActionItem, OpenPromise, SummaryRequest } from '../../src/clients/summarizer/types.ts';
import type { DigestSources } from '../../src/features/digests/schema.ts';
import { sourcesOf } from '../../src/features/digests/sourcesOf.ts';
import { numbered } from '../../src/features/promises/fromDigests/closingsOf.ts';
import { openPromiseRow } from '../../src/features/promises/fromDigests/schema.ts';
import type { LabelledPair } from './pairs.ts';

/** An item of the first day's digest as it is stored, and the index of the labelled one that it is, if it is one. */
export type StoredItem = { promise: OpenPromise; label: number | null };

const summarizer = createBuiltInSummarizer();

/** What the built-in summarizer says of the first day, as whoever reads the second day is given it. */
export async function storedOf({ dayOne, promises, labels }: LabelledPair): Promise<StoredItem[]> {
  const summary = await summarizer.summarize(dayOne);
  const { messages } = sourcesOf(summary, dayOne.messages);
  const items = summary.structured.actionItems.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const labelOf = new Map<ActionItem, number>();
  const pairs = items
    .flatMap(item => labels.map((label, at) => ({ item, at, closeness: closenessOf(item, label, promises[at]) })))
    .filter(({ closeness }) => closeness > 0)
    .toSorted((one, other) => other.closeness - one.closeness);
  for (const { item, at } of pairs)
    if (!labelOf.has(item) && ![...labelOf.values()].includes(at)) labelOf.set(item, at);
  const rows = items.map(item => openPromiseRow.parse(rowOf(item, dayOne, messages)).promise);
  return numbered(rows).map((promise, at) => {
    const item = items[at];
    return { promise, label: (item && labelOf.get(item)) ?? null };
  });
}

/** 0 unless they rest on a common message; of several, the one of the same owner, words and day is meant. */
function closenessOf(
  { sourceMessageIds, owner, text, dueDate }: ActionItem,
  { messageIds }: LabelledPair['labels'][number],
  promise: OpenPromise | undefined,
): number {
  const shared = sourceMessageIds.filter(id => messageIds.includes(id)).length;
  if (shared === 0 || !promise) return 0;
  const stems = (words: string) =>
    new Set((words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(word => word.slice(0, 5)));
  const [said, labelled] = [stems(text), stems(promise.text)];
  const alike = [...said].filter(stem => labelled.has(stem)).length / Math.max(1, said.size);
  const isSameSide = DIRECTIONS[owner] === promise.direction;
  return shared / sourceMessageIds.length + alike + (isSameSide ? 0.2 : 0) + (dueDate === promise.dueDate ? 0.1 : 0);
}

const DIRECTIONS = { user: 'mine', contact: 'theirs', unknown: 'unassigned' } as const;

/** As it is read from the database: of its messages, no words, and in groups who wrote them. */
function rowOf(item: ActionItem, { isGroup, today }: SummaryRequest, messages: DigestSources['messages']) {
  return {
    dialog_id: '',
    promise_id: item.id,
    item_id: item.id,
    direction: DIRECTIONS[item.owner],
    who: item.ownerName,
    text: item.text,
    due_date: item.dueDate,
    said_at: today,
    quoted_at: null,
    is_doubtful: false,
    is_users_words: messages.find(({ id }) => String(id) === item.sourceMessageIds.at(-1))?.fromUser ?? null,
    source_message_ids: item.sourceMessageIds,
    request: item.request ?? null,
    sources: isGroup ? messages.filter(({ id }) => item.sourceMessageIds.includes(id)) : null,
    people: isGroup ? messages : null,
  };
}
