import { z } from 'zod';
import { ClientError } from '../errors.ts';
import { MEDIA, type MediaKind, type MessengerMessage } from '../messenger/types.ts';
import type { Languages } from './languages/types.ts';

export const SENTIMENTS = ['positive', 'neutral', 'negative', 'mixed'] as const;
export const URGENCIES = ['high', 'medium', 'low', 'none'] as const;
export const SUMMARY_STYLES = ['BUSINESS', 'DETAILED', 'MINIMAL'] as const;
/** The ways to ask a server for JSON, the most reliable first. */
export const AI_FORMATS = ['json_schema', 'json_object', 'text'] as const;

export type Sentiment = (typeof SENTIMENTS)[number];
export type Urgency = (typeof URGENCIES)[number];
export type SummaryStyle = (typeof SUMMARY_STYLES)[number];
export type AiFormat = (typeof AI_FORMATS)[number];

/** A shorter message, such as "No, it's €95 each", is often unclear without the one that it answers. */
export const SHORT_REPLY_CHARACTERS = 40;

/** A request, question or proposal that a promise answers: its words as they may be shown, and who wrote them. */
export const requestAnswered = z.object({
  words: z.string(),
  messageId: z.string(),
  who: z.string(),
  senderId: z.string().optional(),
  fromUser: z.boolean(),
});
export type RequestAnswered = z.output<typeof requestAnswered>;

export const actionItem = z.object({
  /** Stable across rewrites of the same day's digest as long as the item rests on the same message and words. */
  id: z.string(),
  text: z.string(),
  owner: z.enum(['user', 'contact', 'unknown']),
  ownerName: z.string().nullable(),
  /** YYYY-MM-DD in the user's time zone, computed from `dueText`; null when no date was said. */
  dueDate: z.string().nullable(),
  /** The words said, for example "by Friday". */
  dueText: z.string().nullable(),
  /** HH:MM in the user's time zone where an hour was said. */
  dueTime: z.string().nullable().exactOptional(),
  sourceMessageIds: z.array(z.string()),
  /** The message that it answers, if there is one. */
  request: requestAnswered.exactOptional(),
  /** An appointment of both sides, or a day until which something is possible; a promise where it is left out. */
  kind: z.enum(['appointment', 'deadline']).exactOptional(),
  /** Translations for the chat's language and the CRM's, if `text` is in another. */
  textInChat: z.string().exactOptional(),
  textInCrm: z.string().exactOptional(),
});
export type ActionItem = z.output<typeof actionItem>;

/** The part of a message that is shown. */
const span = z.object({
  messageId: z.string(),
  /** Words of the message, letter for letter as they are shown; '' where it has none. */
  text: z.string(),
  /** Whether the passage reaches the message's beginning and end; otherwise "…" marks the omission. */
  isStart: z.boolean(),
  isEnd: z.boolean(),
  /** The attachment; its `name` is '' if it has none. */
  attachment: z.object({ kind: z.enum(Object.keys(MEDIA) as MediaKind[]), name: z.string() }).nullable(),
});
export type Span = z.output<typeof span>;

/** Consecutive messages of one person. */
const line = z.object({
  /** The name of whoever wrote it. */
  who: z.string(),
  fromUser: z.boolean(),
  /** The words are forwarded from someone else. */
  isForwarded: z.boolean(),
  /** The first of its messages. */
  messageId: z.string(),
  /** Oldest first, never empty, each of another message. */
  spans: z.array(span),
  /** YYYY-MM-DD and HH:MM in the user's time zone. */
  day: z.string(),
  time: z.string(),
  /** The answer says or shows that the request or promise is done. */
  isDone: z.boolean(),
});
export type ExchangeLine = z.output<typeof line>;

/** A message, or a request or question with what came of it. `isOver`: its last words settle, cancel or refuse it. */
export const exchange = z.object({ opener: line, answers: z.array(line), isOver: z.boolean() });
export type Exchange = z.output<typeof exchange>;

/** A digest's texts in a language (ISO 639-1, or 'und') for the CRM; the lists are in the order of its own. */
const crmTexts = z.object({
  language: z.string(),
  summary: z.string(),
  topics: z.array(z.string()),
  meetings: z.array(z.string()),
  introductions: z.array(z.string()),
});

/** The part of a digest that is stored besides its summary. A stored one stays readable. */
export const structuredDigest = z.object({
  topics: z.array(z.string()),
  actionItems: z.array(actionItem),
  sentiment: z.enum(SENTIMENTS),
  urgency: z.enum(URGENCIES),
  meetings: z.array(z.object({ text: z.string(), date: z.string().nullable() })),
  introductions: z.array(z.string()),
  dealSignals: z.array(z.string()),
  links: z.array(z.string()),
  /** ISO 639-1 code of the conversation, or 'und'. */
  language: z.string(),
  /** ISO 639-1 of its texts, where they are in another language. */
  writtenIn: z.string().exactOptional(),
  /** Texts for the CRM if its language differs; items hold their own. */
  inCrm: crmTexts.exactOptional(),
  /** Set in an excerpt, a digest in people's own words: its summary is these exchanges as text. Newest day first. */
  exchanges: z.array(exchange).exactOptional(),
  /** Set in an excerpt: more lines than it shows, best first, for searching and answering. `score`: how newsworthy. */
  keptLines: z
    .array(z.object({ who: z.string(), text: z.string(), messageId: z.string(), score: z.number() }))
    .exactOptional(),
  /** How newsworthy the messages are, to be compared with others. */
  news: z.number().exactOptional(),
});
export type StructuredDigest = z.output<typeof structuredDigest>;

/** Still to do according to an earlier digest of the same conversation, and not ticked. */
export type ItemLeftOpen = Pick<ActionItem, 'text' | 'owner' | 'ownerName' | 'dueDate'> & {
  /** YYYY-MM-DD: the day of that digest. */
  since: string;
  quotedAt?: QuotedAt;
};

/** When this server first took the words from a message; null where a model, or the user, worded it. */
type QuotedAt = Date | null | undefined;

/** Author of a message, identified by the messenger's id if known. */
export type Author = { senderId?: string | undefined; name: string; fromUser: boolean };

/** A promise from an earlier digest of the conversation that is not settled yet. */
export type OpenPromise = {
  /** The number by which an answer names it; unique within a request. */
  n: number;
  /** The user's, the other side's, or unassigned. */
  direction: 'mine' | 'theirs' | 'unassigned';
  /** Name of the debtor, if known. */
  who: string | null;
  /** As listed. */
  text: string;
  /** YYYY-MM-DD */
  dueDate: string | null;
  /** YYYY-MM-DD: the day on which it was said. */
  saidAt: string;
  /** The messages that it rests on, oldest first. */
  sourceTexts?: string[];
  sourceMessageIds?: string[];
  /** Authors of these messages. */
  authors?: Author[];
  /** In a group: people known to have written by the promise's day. */
  people?: Author[];
  /** The message that it answers. */
  request?: RequestAnswered | null;
  quotedAt?: QuotedAt;
  /** The other side asked for it, no words of the user took it on, and the user has not said that it is still open. */
  isRequest?: boolean;
  /** Possibly settled by earlier messages: the user is asked, with the newest message about it. */
  isDoubtful?: boolean;
};

/** `handedOver`: someone else does it now. */
export const CLOSING_STATES = ['done', 'cancelled', 'moved', 'doubtful', 'handedOver'] as const;

/** A change that new messages make to an open promise. A doubtful one stays open, as does one that moved. */
export type Closing = {
  /** The number of the {@link OpenPromise}. */
  n: number;
  state: (typeof CLOSING_STATES)[number];
  /** YYYY-MM-DD in the user's time zone, only for one that moved. */
  newDueDate: string | null;
  /** The messages that say so, oldest first, never empty. */
  messageIds: string[];
  /** The other side asked for something and got an answer. */
  isAnswered?: boolean;
};

/** `quote`: the words of the last message, shortened; '' where there are none, or none that may be shown. */
export type QuotedClosing = Closing & { quote: string };

/** A question to the user without an answer so far. */
export type OpenQuestion = {
  messageId: string;
  /** The summary's words, else the message's own, short and in quotation marks; '' where none may be shown. */
  words: string;
};

/** Questions waiting for the user, found by local rules whichever writer is chosen. */
export type PendingQuestions = {
  /** The last message after which all earlier questions are answered or need no answer; null without any. */
  settledBy: string | null;
  /** Questions after that message, oldest first, at most 20. In groups only those asked of the user. */
  questions: OpenQuestion[];
  answered?: Answered[];
  /** In a group: what was replied, with anything but a question, to messages of others or from before these. */
  replies?: Reply[];
};

/** The message replied to, and the replier's id, or their name where they have none. */
export type Reply = { to: number; by: string };

/** A question to the user, and what they wrote next: its words as they may be shown. */
export type Answered = { questionId: string; answerId: string; words: string };

export type SummaryRequest = {
  /** The id of the user whose conversation it is: what reading it takes is counted for them. Goes to no service. */
  owner?: string;
  peerName: string;
  userName: string;
  isGroup: boolean;
  /** Oldest first, at most 2,000. */
  messages: MessengerMessage[];
  style: SummaryStyle;
  /** The languages of the texts, which only a model can follow; default: each conversation's own. */
  languages?: Languages;
  /** IANA name; dates said in words are computed in it. */
  timezone: string;
  /** YYYY-MM-DD: the day of the digest in `timezone`; where it is left out, that of the last message. */
  today?: string;
  /** The last message that an earlier digest covers, and the day of that digest, YYYY-MM-DD, where it is known. */
  previousDigest?: { untilMessageId: number; day: string | null } | undefined;
  /** The newest first. */
  itemsLeftOpen?: ItemLeftOpen[];
  /** Checked against messages that no digest covers yet. */
  openPromises?: OpenPromise[] | undefined;
};

/** Sum over all AI requests for one summary. `cachedTokens` are part of `promptTokens`. */
export type TokenUsage = { promptTokens: number; completionTokens: number; cachedTokens: number };

export type SummarySentence = { text: string; sourceMessageIds: string[] };

export type Summary = {
  summary: string;
  /** The summary sentence by sentence, each with its source messages. */
  sentences?: SummarySentence[];
  structured: StructuredDigest;
  /** Only where the request named open promises; those that the messages say nothing about are left out. */
  closings?: QuotedClosing[];
  waits: PendingQuestions;
  /** Writer: `built-in`, or the model's name. */
  engine: string;
  /** Set only if the service reports it. */
  usage?: TokenUsage;
};

/** A summary that failed although the service counted tokens for it. */
export class SummaryFailed extends ClientError {
  readonly usage: TokenUsage;

  constructor(error: ClientError, usage: TokenUsage) {
    const { service, kind, code, retryAfterSeconds, cause } = error;
    super({ service, kind, code, cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.usage = usage;
  }
}

/** A report to the operator, even if the digest was written. It contains nothing that a person wrote. */
export type SummarizerReport = {
  code:
    | 'AI_REPAIRED_OUTPUT'
    | 'AI_BAD_OUTPUT'
    | 'AI_RETRIED'
    | 'AI_UNAVAILABLE'
    | 'AI_UNKNOWN_VALUE'
    | 'AI_REFUSED_REQUEST'
    /** A digest's texts for the CRM, or some of them, stay in the language of the digest. */
    | 'AI_NOT_TRANSLATED'
    /** A prompt was longer than the model takes in, by an error of the server or by its own count. */
    | 'AI_CONTEXT_TOO_SMALL';
  message: string;
};

/**
 * Throws ClientError (service `summarizer`) with `AI_UNAVAILABLE`, `AI_REFUSED_REQUEST`, `AI_CONTEXT_TOO_SMALL`,
 * `AI_BAD_OUTPUT` or `TIMEOUT`; {@link SummaryFailed} when tokens were counted all the same.
 */
export type Summarizer = {
  /** The summarizer takes milliseconds, so no progress needs to be shown. */
  isInstant: boolean;
  summarize(request: SummaryRequest, options?: { signal?: AbortSignal | undefined }): Promise<Summary>;
  /** Only for slow summarizers: the digest by rules on this machine, to show until theirs is ready. */
  excerpt?(request: SummaryRequest): Promise<Summary>;
  /** Only of a model: up to three sentences that answer a question from passages, each with those that say it. */
  answerFrom?(request: AnswerRequest, options?: { signal?: AbortSignal | undefined }): Promise<AnswerSentence[]>;
  /** Only of a model: the numbers of the passages with the greatest news, the greatest first, at most three. */
  rankNews?(passages: readonly AnswerPassage[], signal: AbortSignal): Promise<number[]>;
};

/** Stored part of a conversation: an exchange or a sentence of a digest, or a promise. */
export type AnswerPassage = {
  /** The number by which a sentence names it; unique within a request. */
  n: number;
  /** The person or group that its conversation is with, as short as the digests say it. */
  peer: string;
  /** The text, a line for each person; the user is "You". */
  lines: readonly string[];
  /** YYYY-MM-DD: when it was said. */
  day: string;
  /** For a promise: debtor ("you" is the user), state, and due YYYY-MM-DD and HH:MM. */
  promise?: { by: string; state: PassageState; dueDate: string | null; dueTime: string | null };
};
type PassageState = 'open' | 'perhaps settled' | 'kept' | 'not kept';

export type AnswerRequest = {
  /** The question as typed; undefined for a brief about the people of the passages. */
  question?: string | undefined;
  /** The best first; those beyond the 60th are not sent. */
  passages: readonly AnswerPassage[];
};

/** Plain text in one line, with the numbers of the passages that it rests on: never none. */
export type AnswerSentence = { text: string; passages: number[] };

/** A promise that was typed: its words without those for the day (YYYY-MM-DD) and the hour (HH:MM). */
export type TypedPromise = { words: string; dueDate: string | null; dueTime: string | null };

/** Reads a typed line, "Call Katrin tomorrow 9:00", as a message of `saidAt`. @param about.timezone IANA name */
export type ReadTyped = (text: string, about: { saidAt: Date; timezone: string }) => TypedPromise;

/** A model server on this machine, by the name of what usually listens there. */
export type ModelServer = {
  name: string;
  /** Base URL of the API, including `/v1`. */
  apiUrl: string;
  models: string[];
};
