import type { ActionItem } from '../../clients/summarizer/types.ts';
import { quoteText } from '../../lib/words.ts';
import { lineText } from './describeExchanges.ts';
import type { DigestRow } from './present.ts';
import { describeWords } from './quoteSource.ts';
import { foldForSearch, MAX_WORD_LENGTH, WORD } from './rules.ts';
import type { Digest } from './schema.ts';

/** A stretch of a text, and whether it matches the search. */
export type TextPart = { text: string; isHit: boolean };

/**
 * A search result, with the matching words marked. Parts that a row does not normally show are included only if they
 * contain a match, and topics only if nothing else does.
 * @param words as the search has them: folded, in their order
 */
export function markRow(row: DigestRow, digest: Digest, words: readonly string[]) {
  const { structured, ticked, dialog } = digest;
  const split = (text: string) => splitAtHits(text, words);
  const handle = dialog.peerUsername === '' ? [] : split(`@${dialog.peerUsername}`);
  const items = structured.actionItems.map(item => ({ parts: split(quoteItem(item, digest)), isDone: ticked.has(item.id) }));
  // For a proposed contact only the name is marked, as a question mark follows the company.
  const link = row.crm?.link;
  const marked = {
    name: split(row.name),
    crm: split(link?.kind === 'guess' ? link.name : (link?.words ?? '')),
    lines: markLines(row, structured.keptLines ?? [], split),
    username: hasHit(handle) ? handle : [],
    items: items.filter(({ parts }) => hasHit(parts)),
  };
  const isSeen = marked.items.length > 0 || [marked.name, marked.crm, marked.username, ...marked.lines].some(hasHit);
  return {
    ...row,
    /** The page about its conversation to read before a call. */
    brief: `/brief/${digest.dialogId}`,
    marked: { ...marked, topics: isSeen ? [] : structured.topics.map(split).filter(hasHit) },
  };
}

/** The marked lines: prose is one line; of quotations, those with a match, or else the key line. */
function markLines(
  { exchanges, summary }: DigestRow,
  keptLines: { who: string; text: string }[],
  split: (text: string) => TextPart[],
): TextPart[][] {
  const marked = exchanges.map(({ lines }) => lines.map(line => split(lineText(line))));
  const matching = marked.filter(lines => lines.some(hasHit));
  if (matching.length > 0) return matching.flat();
  const kept = keptLines.map(({ who, text }) => split(`${who}: ${text}`)).filter(hasHit);
  return kept.length > 0 ? kept.slice(0, MAX_LINES) : [split(summary)];
}

const MAX_LINES = 3;

const DIRECTIONS = { user: 'mine', contact: 'theirs', unknown: 'unassigned' } as const;

/** The words of an item; a quoted one comes with the words that it answers. */
function quoteItem(item: ActionItem, { structured, sources, dialog }: Digest): string {
  const { text, owner, ownerName, sourceMessageIds, request = null } = item;
  const message = sources.messages.find(({ id }) => id === sourceMessageIds.at(-1));
  const saidBy = { who: message?.sender ?? '', fromUser: message?.fromUser ?? false };
  const { words, quotes } = describeWords({
    words: text,
    request,
    direction: DIRECTIONS[owner],
    who: ownerName,
    ...dialog,
    saidBy: structured.exchanges ? saidBy : null,
  });
  return quotes.map(quoteText).join(' ') || words;
}

const hasHit = (parts: TextPart[]): boolean => parts.some(({ isHit }) => isHit);

/** Marks whole words, so that letters joined in writing stay together. For the last word, its beginning is enough. */
export function splitAtHits(text: string, words: readonly string[]): TextPart[] {
  const all = foldForSearch(text);
  // A cheap check first: most texts match no word.
  if (!words.some(word => all.includes(word))) return text === '' ? [] : [{ text, isHit: false }];
  const last = words.at(-1);
  const parts: TextPart[] = [];
  const add = (piece: string, isHit: boolean) => {
    const before = parts.at(-1);
    if (before?.isHit === isHit) before.text += piece;
    else if (piece !== '') parts.push({ text: piece, isHit });
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldForSearch(word).slice(0, MAX_WORD_LENGTH);
    add(text.slice(end, index), false);
    add(word, words.includes(folded) || (last !== undefined && folded.startsWith(last)));
    end = index + word.length;
  }
  add(text.slice(end), false);
  return parts;
}
