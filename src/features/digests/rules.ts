import type { MessengerMessage } from '../../clients/messenger/types.ts';
import type { Summary } from '../../clients/summarizer/types.ts';
import { type Digest, type DigestSources, WRITING_STATES, type WritingState } from './schema.ts';

/**
 * The moves of a digest, and the states each may start from: every statement that changes one reads them here.
 * PENDING > SUMMARIZING > COMPLETE, or SKIPPED straight from PENDING. A second sync on the same day takes any row up
 * again; so does the next try after a crash or a failure. Its note has states of its own.
 */
export const DIGEST_TRANSITIONS = {
  queue: { to: 'PENDING', from: WRITING_STATES },
  startSummary: { to: 'SUMMARIZING', from: ['PENDING', 'SUMMARIZING'] },
  /** Allowed from PENDING: the built-in summarizer skips the intermediate state. */
  complete: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING'] },
  /** Writes over a complete digest, in another style or by a model. The old text stays until then. */
  rewrite: { to: 'COMPLETE', from: ['COMPLETE'] },
  skip: { to: 'SKIPPED', from: ['PENDING', 'SUMMARIZING'] },
  fail: { to: 'FAILED', from: ['PENDING', 'SUMMARIZING'] },
  /** Messages are gone or unreadable: restores the previous content. */
  settle: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING', 'FAILED'] },
} as const satisfies Record<string, { to: WritingState; from: readonly WritingState[] }>;

export type DigestTransition = keyof typeof DIGEST_TRANSITIONS;

/** Whether the digest is complete and only its note in the CRM failed. */
export const isNoteRefused = ({ writingState, status }: Digest) => writingState === 'COMPLETE' && status === 'FAILED';

/** Number of days in a chart, including the present one. */
export const CHART_DAYS = 30;

/** Whether the digest is urgent, unless all its action items are done. */
export function isUrgent(digest: Digest): boolean {
  return digest.structured.urgency === 'high' && !hasOnlyDoneItems(digest);
}

export function isCoveredByLaterDay(digest: Digest): boolean {
  return digest.isCovered && !digest.isWritten;
}

const URGENCY = { high: 150, medium: 100, low: 50, none: 0 };
/** Added to the score of a digest whose sentiment is not neutral, and once more if it is urgent. */
const SENTIMENT_BONUS = 75;
/** On how many earlier days a conversation's news still counts for its digest. */
export const NEWS_DAYS = 3;
/** The weight of the greatest of these. The end of an outage is told more quietly than the outage, and is news because of it. */
const EARLIER_NEWS_WEIGHT = 1 / 3;
const DAY_MS = 86_400_000;

/** Orders digests by news: first those that a model ranked, then by {@link scoreNews}. */
export function compareNews(one: Digest, other: Digest): number {
  const unranked = Number.MAX_SAFE_INTEGER;
  return (one.newsRank ?? unranked) - (other.newsRank ?? unranked) || scoreNews(other) - scoreNews(one);
}

/**
 * Scores how newsworthy a digest is: by its stored score, or else by urgency and sentiment, and by what was news before in
 * its conversation. Old messages count less.
 */
function scoreNews(digest: Digest): number {
  const { structured, digestDate, lastMessageAt, newsBefore } = digest;
  const sentimentScore = structured.sentiment === 'neutral' ? 0 : SENTIMENT_BONUS;
  const haste = isUrgent(digest) ? SENTIMENT_BONUS : 0;
  const modelScore = URGENCY[hasOnlyDoneItems(digest) ? 'low' : structured.urgency] + sentimentScore;
  const news = structured.news === undefined ? modelScore : structured.news + haste;
  // The first sync reads two weeks: old messages are no news.
  const age = lastMessageAt ? (Date.parse(digestDate) - lastMessageAt.getTime()) / DAY_MS : 0;
  return (news + EARLIER_NEWS_WEIGHT * (newsBefore ?? 0)) / Math.max(1, age);
}

function hasOnlyDoneItems({ structured: { actionItems }, ticked }: Digest): boolean {
  return actionItems.length > 0 && actionItems.every(({ id }) => ticked.has(id));
}

const MAX_SENTENCES = 40;
const MAX_SOURCES = 10;
const MAX_NAME_LENGTH = 100;

/**
 * Stored data of a digest's source messages: ids, senders and times, never text. Sentences without such a source are left
 * out.
 * @param messages the summarized ones, oldest first
 */
export function collectSources(
  { summary, sentences = [], structured }: Pick<Summary, 'summary' | 'sentences' | 'structured'>,
  messages: MessengerMessage[],
): DigestSources {
  const sent = new Set(messages.map(({ id }) => String(id)));
  const keepSentIds = (ids: string[]) => [...new Set(ids)].filter(id => sent.has(id)).slice(0, MAX_SOURCES);
  const sourcedSentences: DigestSources['sentences'] = [];
  let end = 0;
  for (const { text, sourceMessageIds } of sentences.slice(0, MAX_SENTENCES)) {
    const from = summary.indexOf(text, end);
    if (from < 0 || text === '') continue;
    end = from + text.length;
    const messageIds = keepSentIds(sourceMessageIds);
    if (messageIds.length > 0) sourcedSentences.push({ from, to: end, messageIds });
  }
  const ofItems = structured.actionItems.flatMap(item => keepSentIds(item.sourceMessageIds));
  const ofLines = (structured.keptLines ?? []).map(({ messageId }) => messageId);
  const citedIds = new Set([...sourcedSentences.flatMap(({ messageIds }) => messageIds), ...ofItems, ...ofLines]);
  const cited = messages.filter(({ id }) => citedIds.has(String(id)));
  const sourceMessages = cited.map(({ id, senderName, senderId, fromUser, sentAt }) => {
    // Postgres stores neither NUL nor half of a surrogate pair.
    const sender = senderName.replaceAll('\0', '').slice(0, MAX_NAME_LENGTH).toWellFormed();
    return { id: String(id), sender, ...(senderId && { senderId }), fromUser, sentAt: sentAt.toISOString() };
  });
  return { sentences: sourcedSentences, messages: sourceMessages };
}

/** A run of letters that forms a word, or a single character that is one. */
export const WORD = /[\u2e80-\u9fff\uf900-\ufaff]|[[\p{Alphabetic}\p{M}\p{N}]--[\u2e80-\u9fff\uf900-\ufaff]]+/gv;

const LETTERS: Record<string, string> = { ß: 'ss', ı: 'i', ł: 'l', ø: 'o', đ: 'd', ς: 'σ' };
export const MAX_WORD_LENGTH = 60;

/** Folds like `search_words` in the database, except for the length limit of a word. */
export function foldForSearch(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.replace(/[ßıłøđς]/g, letter => LETTERS[letter] ?? letter);
}

/** The words of a text as `search_words` in the database has them, in their order. */
export function splitSearchWords(text: string): string[] {
  return (text.match(WORD) ?? []).map(word => foldForSearch(word).slice(0, MAX_WORD_LENGTH));
}
