import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { answerFrom, rankNews } from './answering/answerFrom.ts';
import { createBuiltInSummarizer } from './builtIn/summarizer.ts';
import { findAddresses } from './checker/addresses.ts';
import { checkDigest } from './checker/checkedDigest.ts';
import { withoutHiddenCharacters } from './cleaning.ts';
import { readConversation } from './conversation.ts';
import { findSecrets } from './masking/knownSecrets.ts';
import { findLanguageTarget } from './openai/answerLanguage.ts';
import { type ApiOptions, type CompletionRequest, createApi } from './openai/api.ts';
import { toClientError } from './openai/apiErrors.ts';
import { type DigestAskContext, requestDigest } from './openai/ask.ts';
import * as prompts from './openai/prompt.ts';
import type { Reply } from './openai/reply.ts';
import { composeTranscript, type TranscriptLine, toPromptLine } from './openai/transcript.ts';
import { wordQuestions } from './questions.ts';
import { boundMessages } from './readMessages.ts';
import { addCrmTexts } from './translating/translate.ts';
import { type Summarizer, type Summary, SummaryFailed, type SummaryRequest } from './types.ts';
import { withRequests } from './withRequests.ts';

export type OpenAiOptions = ApiOptions & {
  /** The model's context size, including the answer. Longer days are read in parts. */
  contextTokens?: number;
  /** The built-in summarizer, for what the service is not asked: excerpts, closings and open questions. */
  builtIn?: Summarizer;
  /** Deadline in milliseconds for an answer to a question, including the wait for a slot, as the user is waiting. */
  answerMs?: number;
  /** Lets a request through when the service has a slot for it; default: at once. */
  inSlot?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
};

/** Days are prepared one at a time, as each step blocks the whole process. */
const oneAtATime = pLimit(1);

/**
 * Asks an AI service, OpenAI's or a compatible one. Messages are sent without secrets and as data; only plain text,
 * known words and message numbers are taken from the answer. Nothing is remembered of an answer or an error, so that no
 * conversation changes what another gets. Throws ClientError: `AI_BAD_OUTPUT`, or what apiErrors.ts lists.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { model, report, contextTokens = 16_384, answerMs = 25_000, inSlot = work => work() } = options;
  const { builtIn = createBuiltInSummarizer() } = options;
  const api = createApi(options);
  /** The options that all requests of a summary or an answer share. */
  const createAskContext = (signal: AbortSignal) => ({
    complete: (request: CompletionRequest, until: AbortSignal) => inSlot(() => api(request, until), until),
    report,
    signal,
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
  });
  return {
    isInstant: false,
    excerpt: builtIn.summarize,
    async answerFrom(request, { signal } = {}) {
      const inTime = AbortSignal.timeout(answerMs);
      return answerFrom(request, createAskContext(signal ? AbortSignal.any([signal, inTime]) : inTime));
    },
    rankNews: (passages, signal) => rankNews(passages, createAskContext(signal)),
    async summarize(request, { signal: stopped } = {}): Promise<Summary> {
      const { conversation, messages, lines, known } = await oneAtATime(() => prepareRequest(request));
      if (lines.length === 0) return builtIn.summarize(request, { signal: stopped });
      const { languages, openPromises, style } = request;
      const language = findLanguageTarget(conversation, languages?.pages);
      const askContext = createAskContext(stopped ?? new AbortController().signal);
      const { usage } = askContext;
      const background = { lines, known, language: language.expected[0] ?? null };
      const about = prompts.composeBackground(request, conversation, background);
      const rules = { known, style };
      const reply = await digestInParts({ ...askContext, language, rules }, lines, about, contextTokens).catch(error => {
        const failure = toClientError(error);
        throw usage.promptTokens + usage.completionTokens > 0 ? new SummaryFailed(failure, usage) : failure;
      });
      const today = prompts.digestDayOf(request, conversation.timezone);
      const [writtenIn = conversation.language] = language.expected;
      const checkInput = { lines, conversation, messages, today, openPromises, writtenIn };
      const written = await checkDigest(reply, checkInput, report);
      if (written.sentences.length === 0) return { ...(await builtIn.summarize(request, { signal: stopped })), usage };
      const { language: spoken } = written.structured;
      const wanted = { pages: languages?.pages ?? spoken, crm: languages?.crm ?? spoken };
      const digest = await addCrmTexts(written, { ...wanted, conversation, messages, known, askContext, stopped });
      digest.structured.actionItems = withRequests(digest.structured.actionItems, messages);
      // For its news and waits alone: closings are the model's.
      const { structured: excerpt, waits: found } = await builtIn.summarize({ ...request, openPromises: [] });
      if (excerpt.news !== undefined) digest.structured.news = excerpt.news;
      const { questions, ...read } = found;
      const messageIds = questions.map(({ messageId }) => messageId);
      const waits = { ...read, questions: wordQuestions(messageIds, digest.sentences, messages) };
      return { ...digest, waits, engine: model, usage };
    },
  };
}

/** Yields to everything else after each step: with a day designed to be slow, one step takes up to 0.1 seconds. */
export async function prepareRequest(request: SummaryRequest) {
  await setImmediate();
  const conversation = await readConversation(request);
  await setImmediate();
  const messages = boundMessages(request.messages);
  const secrets = findSecrets(messages.map(({ text }) => withoutHiddenCharacters(text)));
  await setImmediate();
  const coveredUntilId = request.previousDigest?.untilMessageId;
  const lines = composeTranscript(messages, conversation, { secrets, coveredUntilId });
  await setImmediate();
  const addresses = findAddresses(lines.filter(({ isPromptInjection }) => !isPromptInjection).map(({ text }) => text));
  return { conversation, messages, lines, known: { addresses, secrets } };
}

const CONCURRENCY = { concurrency: 3 };
/** Tokens that stay free for the answer, of a large context and of a small one. */
const ANSWER_TOKENS = { most: 4096, share: 0.25 };
/** Tokens that a part may have in any case, however small the model's context is. */
const MIN_PART_TOKENS = 500;

/** Reads a day, in parts where it is longer than the model takes in at once. Throws ClientError. */
async function digestInParts(
  askContext: DigestAskContext,
  lines: TranscriptLine[],
  background: prompts.Background,
  context: number,
) {
  const answerTokens = Math.min(ANSWER_TOKENS.most, context * ANSWER_TOKENS.share);
  const { system, user } = prompts.composeMergePrompt([], background);
  const availableTokens = Math.max(MIN_PART_TOKENS, context - prompts.estimateTokens(system + user) - answerTokens);
  const failed = new AbortController();
  const together = { ...askContext, signal: AbortSignal.any([askContext.signal, failed.signal]) };
  const parts = splitIntoParts(lines, toPromptLine, availableTokens);
  const promptFor = (part: TranscriptLine[], index: number) =>
    prompts.composePartPrompt(part, background, parts.length > 1 ? { number: index + 1, total: parts.length } : undefined);
  const merge = async (group: Reply[]) => {
    const [only, ...more] = group;
    return only && more.length === 0 ? only : requestDigest(together, prompts.composeMergePrompt(group, background));
  };
  try {
    let replies = await pMap(parts, (part, index) => requestDigest(together, promptFor(part, index)), CONCURRENCY);
    let space = availableTokens;
    while (replies.length > 1) {
      const groups = splitIntoParts(replies, prompts.formatPart, space);
      if (groups.length < replies.length) replies = await pMap(groups, merge, CONCURRENCY);
      else space *= 2;
    }
    return replies[0] as Reply;
  } finally {
    failed.abort();
  }
}

/** Consecutive parts of similar size, none over `maxTokens` (estimated) unless a single entry is. */
function splitIntoParts<T>(entries: T[], toLine: (entry: T, index: number) => string, maxTokens: number): T[][] {
  const sizes = entries.map((entry, index) => prompts.estimateTokens(`${toLine(entry, index)}\n`));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fairSize = total / Math.ceil(total / maxTokens);
  const parts: T[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const [index, entry] of entries.entries()) {
    const size = sizes[index] ?? 0;
    if (filled >= fairSize || filled + size > maxTokens) {
      parts.push([]);
      filled = 0;
    }
    parts.at(-1)?.push(entry);
    filled += size;
  }
  return parts;
}
