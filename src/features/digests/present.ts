import type { Sentiment, StructuredDigest, Urgency } from '../../clients/summarizer/types.ts';
import { findFailure, sayAskedToWait } from '../../lib/failures.ts';
import { localDay, subtractDays } from '../../lib/timezones.ts';
import {
  choosePlural,
  formatCount,
  formatDate,
  formatQuantity,
  formatShortDay,
  formatTimeOfDay,
  isolateName,
} from '../../lib/words.ts';
import type { CrmLink } from '../contacts/matching/describeLinks.ts';
import type { Hold } from '../crm/present.ts';
import { presentProminence } from '../messenger/dialogs/present.ts';
import { dialogName, handleLink } from '../messenger/dialogs/rules.ts';
import { chooseKeyLines, describeExchanges, lineText, localizeExchanges, type Quote } from './describeExchanges.ts';
import { createLineQuoter, quoteSentences } from './quoteSource.ts';
import { isCoveredByLaterDay, isNoteRefused, isUrgent } from './rules.ts';
import { type Digest, OVER_PLAN, TOO_FEW_MESSAGES } from './schema.ts';

export type DigestRow = ReturnType<typeof presentDigest>;

type UserDay = { today: string; timezone: string };
type DigestContext = UserDay & {
  links?: ReadonlyMap<string, CrmLink>;
  plan?: { conversationsPerDay: number };
  /** Digests that came in since the page was last looked at, and those with a note in the CRM. */
  arrived?: ReadonlySet<string>;
  noted?: ReadonlySet<string>;
  /** Notes that wait for the CRM's administrator, with the reason and a link. */
  held?: ReadonlyMap<string, Hold>;
  /** End of the messenger's flood wait in words, while in the future. */
  waitsUntil?: string | undefined;
  /** The address of the page, if its sentences can be added as promises: adding one leads back there. */
  here?: string | undefined;
};

/** Attribution of a digest in people's own words. */
export const KEY_LINES = 'Key lines, chosen on this server';
/** Attribution of key lines until the model has written the digest. */
export const KEY_LINES_FOR_NOW = 'Key lines for now: the AI model is still to write this digest';

const MAX_TOPICS = 3;
const PAGE_LANGUAGE = 'en';

const BARS: Record<Urgency, { bars: 0 | 1 | 2 | 3; label: string }> = {
  high: { bars: 3, label: 'Urgency: high' },
  medium: { bars: 2, label: 'Urgency: medium' },
  low: { bars: 1, label: 'Urgency: low' },
  none: { bars: 0, label: 'Urgency: none' },
};

export const MOODS: Record<Sentiment, { icon: string; word: string }> = {
  positive: { icon: 'pos', word: 'Positive' },
  neutral: { icon: 'neu', word: 'Neutral' },
  mixed: { icon: 'mix', word: 'Mixed' },
  negative: { icon: 'neg', word: 'Tense' },
};

/** Presents a digest for the views, with all texts as they are printed. */
export function presentDigest(digest: Digest, context: DigestContext) {
  const { structured, dialog } = digest;
  const name = dialogName(dialog);
  const link = isNoteRefused(digest) ? noteRefused(digest, context) : context.links?.get(digest.dialogId);
  const said = digest.summary === '' ? undefined : localizeExchanges(digest, context.timezone);
  const line = chooseKeyLines(said ?? [], { isGroup: dialog.peerType !== 'user', keptLines: structured.keptLines });
  const isQuote = said !== undefined && line.length > 0;
  return {
    id: digest.id,
    name,
    /** Arrived since the page was last opened. */
    isNew: context.arrived?.has(digest.id) ?? false,
    isNoted: context.noted?.has(digest.id) ?? false,
    href: `/conversations/${digest.dialogId}`,
    group: dialog.peerType === 'user' ? undefined : 'Group',
    /** CRM link; undefined if there is nothing to show. */
    crm: link && { id: digest.dialogId, link },
    urgency: { ...BARS[structured.urgency], isHigh: isUrgent(digest) },
    /** Undefined where no model read how they felt. */
    sentiment: isBuiltIn(digest) ? undefined : MOODS[structured.sentiment],
    messages: formatQuantity(digest.messageCount, 'message', 'messages'),
    messageCount: formatCount(digest.messageCount),
    messageWord: choosePlural(digest.messageCount, 'message', 'messages'),
    since: formatFirstDayIfEarlier(digest, context),
    when: whenWords({ ...digest, lastMessageAt: findQuotedTime(digest, line) }, context),
    /** The summary; of one in people's own words only its greatest news, `keyLine`, as text. */
    summary: isQuote ? line.map(lineText).join(' ') : isolateName(digest.summary, name),
    /** The summary with what its sentences rest on; empty for one in people's own words. */
    said: isQuote ? [] : quoteSentences(digest, context).map(part => ({ ...part, text: isolateName(part.text, name) })),
    /** A summary in people's own words; else empty. */
    exchanges: isQuote
      ? describeExchanges(said, {
          today: context.today,
          day: digest.digestDate,
          sourceOf: createLineQuoter(digest, context),
        })
      : [],
    keyLine: line,
    language: shownLanguage(digest),
    spoken: describeSpokenLanguage(structured),
    topics: structured.topics.slice(0, MAX_TOPICS),
    reply: handleLink(dialog),
    prominence: presentProminence({ id: digest.dialogId, ...dialog }),
    /** Writer, unless it is a model. */
    writer: describeWriter(digest),
    /** Why there is no digest, and its sign: only for failed and skipped ones. */
    reason: reasonWords(digest, context),
    /** Whether there would be a digest on a larger plan. */
    isOverPlan: digest.writingState === 'SKIPPED' && digest.reason === OVER_PLAN && !digest.isCovered,
    badge: digestBadge(digest),
  };
}

export const NOTE_REJECTED = 'The CRM rejected the note';

function noteRefused({ id, dialogId }: Digest, { held }: DigestContext): CrmLink {
  const open = { kind: 'none', action: 'Match', isUnmatched: false } as const;
  return { ...open, ...(held?.get(id) ?? { words: NOTE_REJECTED, href: `/contacts?id=${dialogId}` }) };
}

/** Language of the digest's text; undefined if unknown. A day without exchanges has one sentence, in the pages' language. */
export function shownLanguage({ structured }: Pick<Digest, 'structured'>): string | undefined {
  const { exchanges, language, writtenIn = language } = structured;
  if (exchanges?.length === 0) return PAGE_LANGUAGE;
  return writtenIn === 'und' ? undefined : writtenIn;
}

const LANGUAGE_NAMES = new Intl.DisplayNames(PAGE_LANGUAGE, { type: 'language', fallback: 'none' });

/** "Conversation in German", if it differs from the digest's language; otherwise ''. */
export function describeSpokenLanguage({
  language,
  writtenIn = language,
}: Pick<StructuredDigest, 'language' | 'writtenIn'>): string {
  const name = language === writtenIn || language === 'und' ? undefined : LANGUAGE_NAMES.of(language);
  return name ? `Conversation in ${name}` : '';
}

/** Whether it consists of quotations. Earlier versions wrote prose without a model. */
export const isQuoted = ({ structured }: Digest): boolean => structured.exchanges !== undefined;

/** Written on this server, without a language model. */
export const isBuiltIn = (digest: Digest): boolean => digest.engine === 'built-in';

function describeWriter(digest: Digest): string {
  if (!isBuiltIn(digest)) return '';
  if (digest.isExcerpt) return KEY_LINES_FOR_NOW;
  const failure = findFailure(digest.reason);
  if (failure) return `${failure.said} ${failure.advice}`;
  return isQuoted(digest) ? KEY_LINES : 'Basic summary, written on this server';
}

/** When the newest of the messages came that the line on Today quotes, or that its first sentence rests on. */
function findQuotedTime({ sources, lastMessageAt }: Digest, line: readonly Quote[]): Date | null {
  const ids = line.length > 0 ? line.map(({ messageId }) => messageId) : (sources.sentences[0]?.messageIds ?? []);
  const last = sources.messages.findLast(({ id }) => ids.includes(id));
  return last ? new Date(last.sentAt) : lastMessageAt;
}

/** Time, with the day if it is not the digest's. */
function whenWords({ lastMessageAt, digestDate }: Digest, { today, timezone }: UserDay): string {
  if (!lastMessageAt) return '';
  const day = localDay(lastMessageAt, timezone);
  const time = formatTimeOfDay(lastMessageAt, timezone);
  return day === digestDate ? time : `${formatShortDay(day, today)}, ${time}`;
}

/** "since 12 Nov", if the messages span several days and begin before the day before the digest's; else ''. */
function formatFirstDayIfEarlier(digest: Digest, now: UserDay): string {
  const { firstMessageAt, lastMessageAt } = digest;
  if (!firstMessageAt || !lastMessageAt) return '';
  const [from, to] = [localDay(firstMessageAt, now.timezone), localDay(lastMessageAt, now.timezone)];
  return from < to ? formatFirstDay(digest, now) : '';
}

/** "since 12 Nov", for the digests of a day, where their messages begin before the day before. */
export function formatFirstDay(
  { firstMessageAt, digestDate }: Pick<Digest, 'firstMessageAt' | 'digestDate'>,
  { today, timezone }: UserDay,
): string {
  const from = firstMessageAt && localDay(firstMessageAt, timezone);
  return from && from < subtractDays(digestDate, 1) ? `since ${formatDate(from, today)}` : '';
}

const LATER = 'A later digest has its messages.';

/** Explains why there is no digest. Its messages are still in the messenger, so they are not lost. */
function reasonWords(digest: Digest, context: DigestContext): string {
  if (digest.writingState === 'SKIPPED') return skippedWords(digest, context);
  if (isCoveredByLaterDay(digest)) return `${failureWords(digest.reason, {})} ${LATER}`;
  if (digest.writingState === 'FAILED') {
    return `${failureWords(digest.reason, context)} ${waitingWords(digest)}`;
  }
  return 'The sync stopped before this was written. The next one will pick it up.';
}

/** Says that the messages wait, with their number if it was counted and isn't that of an earlier summary. */
function waitingWords({ summary, messageCount }: Digest): string {
  if (summary !== '' || messageCount === 0) return 'The messages are still in Telegram.';
  return `${formatQuantity(messageCount, 'message waits', 'messages wait')} in Telegram.`;
}

function failureWords(reason: Digest['reason'], { waitsUntil }: Pick<DigestContext, 'waitsUntil'>): string {
  if (reason === 'FLOOD_WAIT' && waitsUntil) {
    return `${sayAskedToWait('messenger', `until ${waitsUntil}`)} We’ll try again automatically then.`;
  }
  return findFailure(reason)?.said ?? 'The digest couldn’t be written.';
}

function skippedWords({ reason, messageCount, digestDate, isCovered }: Digest, { plan, today }: DigestContext): string {
  if (reason === TOO_FEW_MESSAGES) {
    const few = `Too quiet: ${formatQuantity(messageCount, 'new message', 'new messages')}.`;
    return `${few} ${isCovered ? LATER : 'Messages add up until there are enough.'}`;
  }
  const included = plan && Number.isFinite(plan.conversationsPerDay) && formatCount(plan.conversationsPerDay);
  const over =
    included && digestDate === today
      ? `Over your plan’s ${included} conversations for today.`
      : 'Over your plan’s limit for that day.';
  return `${over} ${isCovered ? LATER : 'The messages add up for a later day.'}`;
}

function digestBadge(digest: Digest) {
  if (isCoveredByLaterDay(digest)) return { icon: 'skip', tone: 'is-mute', word: 'Written later' };
  if (digest.writingState !== 'SKIPPED') return { icon: 'warn', tone: 'is-alert', word: 'Failed' };
  return { icon: 'skip', tone: 'is-mute', word: digest.reason === OVER_PLAN ? 'Over the plan' : 'Too quiet' };
}
