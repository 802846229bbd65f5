import { jsonrepair } from 'jsonrepair';
import { zodResponseFormat } from 'openai/helpers/zod';
import type { z } from 'zod';
import type { SummarizerReport, TokenUsage } from '../types.ts';
import { isInUnwantedLanguage, type LanguageTarget } from './answerLanguage.ts';
import type { Complete, CompletionRequest } from './api.ts';
import { createSummarizerError } from './apiErrors.ts';
import { countFewestTokens, type Prompt } from './prompt.ts';
import { lenientReply, type ReadingRules, type Reply, replyTexts, sanitizeReply, strictReply } from './reply.ts';

export type AskContext = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  /** Counts up with each answer. */
  usage: TokenUsage;
  signal: AbortSignal;
};
export type DigestAskContext = AskContext & { rules: ReadingRules; language: LanguageTarget };

const SCHEMA = zodResponseFormat(strictReply, 'digest');

/** Why an answer is unusable. For `none` and `language`, a second answer is requested. */
const FLAWS = {
  refused: 'was refused by the model or its filter',
  cutOff: 'was cut off',
  none: 'was not the JSON object asked for',
  language: 'was not in the language asked for',
} as const;
type Flaw = keyof typeof FLAWS;

/** Requests an answer once. Returns what the schema accepts of it, or why it is unusable. Throws ClientError. */
export async function requestJson<T>(
  { complete, report, usage, signal }: AskContext,
  request: CompletionRequest,
  schema: z.ZodType<T>,
): Promise<ReadJson<T> | Exclude<Flaw, 'language'>> {
  const answer = await complete(request, signal);
  const { promptTokens } = answer.usage;
  for (const count of ['promptTokens', 'completionTokens', 'cachedTokens'] as const) usage[count] += answer.usage[count];
  const fewest = countFewestTokens(request.prompt);
  if (promptTokens > 0 && promptTokens < fewest) {
    const message = `the server read ${promptTokens} tokens of at least ${fewest} sent`;
    report({ code: 'AI_CONTEXT_TOO_SMALL', message });
    throw createSummarizerError('permanent', 'AI_CONTEXT_TOO_SMALL', message);
  }
  if (answer.isRefused) return 'refused';
  return answer.isCutOff ? 'cutOff' : readJson(answer.content, schema);
}

/** The model's answer to a prompt, requested once more when it is no digest or in another language. Throws ClientError. */
export async function requestDigest(askContext: DigestAskContext, prompt: Prompt): Promise<Reply> {
  const { report } = askContext;
  const first = await askOnce(askContext, prompt);
  if (typeof first !== 'string') {
    if (first.wasMended)
      report({ code: 'AI_REPAIRED_OUTPUT', message: 'took the JSON out of the words around it, or mended it' });
    return first.value;
  }
  if (first === 'refused' || first === 'cutOff') throw reportUnusable(askContext, `answer ${FLAWS[first]}`);
  // The first answer is not repeated: it may hold anything.
  const added = `An earlier answer ${FLAWS[first]}. Answer with the complete JSON object only.`;
  // Sent within the same message, since a server short of context drops earlier ones.
  const second = await askOnce(askContext, { ...prompt, user: `${prompt.user}\n${added}` });
  if (typeof second === 'string')
    throw reportUnusable(askContext, `answer ${FLAWS[second]}${second === first ? ', twice' : ''}`);
  report({ code: 'AI_REPAIRED_OUTPUT', message: `answer ${FLAWS[first]}` });
  return second.value;
}

async function askOnce(askContext: DigestAskContext, prompt: Prompt): Promise<ReadJson<Reply> | Flaw> {
  const read = await requestJson(askContext, { prompt, schema: SCHEMA }, lenientReply);
  if (typeof read === 'string') return read;
  const reply = sanitizeReply(read.value, askContext.rules);
  if (reply.summary.length === 0) return 'none';
  return isInUnwantedLanguage(replyTexts(reply), askContext.language) ? 'language' : { ...read, value: reply };
}

/** Reports, and returns, that an answer can't be used. */
export function reportUnusable({ report }: Pick<AskContext, 'report'>, message: string) {
  report({ code: 'AI_BAD_OUTPUT', message });
  return createSummarizerError('permanent', 'AI_BAD_OUTPUT', message);
}

/** Maximum number of characters searched for JSON; a digest has less than a twentieth of that. */
const MAX_ANSWER_LENGTH = 300_000;
/** Maximum number of quotation marks and braces read; a digest has less than a tenth of that. */
const MAX_SIGNS = 20_000;
/** Objects among which the one that was asked for may be. */
const MAX_TRIED = 30;
const AFTER_THOUGHTS = /<\/(?:seed:)?think>|\[\/THINK\]/;

/** `wasMended`: there were other words around the JSON, or faults in it. */
type ReadJson<T> = { value: T; wasMended: boolean };

/** The first object that the schema takes, faults mended. `cutOff` where none ends: only the model may end a digest. */
function readJson<T>(content: string, schema: z.ZodType<T>): ReadJson<T> | 'cutOff' | 'none' {
  const whole = parseJson(content);
  const parsed = schema.safeParse(whole);
  if (parsed.success) return { value: parsed.data, wasMended: false };
  const said = (typeof whole === 'string' ? whole : content).split(AFTER_THOUGHTS).at(-1) ?? '';
  if (said.length > MAX_ANSWER_LENGTH) return 'none';
  const { objects, isCutOff } = findObjects(said);
  for (const [start, end] of objects.slice(0, MAX_TRIED)) {
    const object = said.slice(start, end);
    const found = schema.safeParse(parseJson(object) ?? parseJson(object, jsonrepair));
    if (found.success) return { value: found.data, wasMended: true };
  }
  return isCutOff ? 'cutOff' : 'none';
}

/** Positions of the JSON objects in a text, outer ones first. `isCutOff`: the first is never closed. */
function findObjects(text: string): { objects: [start: number, end: number][]; isCutOff: boolean } {
  const objects: [number, number][] = [];
  const open: number[] = [];
  let isInString = false;
  for (const { 0: sign, index } of text.matchAll(/\\.|["{}]/gs).take(MAX_SIGNS)) {
    const start = sign === '}' && !isInString ? open.pop() : undefined;
    if (start !== undefined) objects.push([start, index + 1]);
    else if (sign === '"' && open.length > 0) isInString = !isInString;
    else if (sign === '{' && !isInString) open.push(index);
  }
  return { objects: objects.toSorted(([one], [other]) => one - other), isCutOff: open.length > 0 };
}

function parseJson(text: string, mend = (broken: string) => broken): unknown {
  try {
    return JSON.parse(mend(text));
  } catch {
    return undefined;
  }
}
