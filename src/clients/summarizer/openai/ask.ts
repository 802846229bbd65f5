import type { SummarizerReport, TokenUsage } from '../types.ts';
import type { Answer, Complete, Wanted } from './api.ts';
import { badOutput, ContextCut } from './apiErrors.ts';
import type { ContextWindow } from './contextWindow.ts';
import { type Flaw, type Prompt, repairOf, withAdded } from './prompt.ts';
import { type ReadingRules, type ReadReply, type Reply, readReply } from './reply.ts';
import { fewestTokens, isFullOfRareSigns, isPlausible, readingOf, tokensOfPrompt } from './tokens.ts';

export type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  rules: ReadingRules;
  context: ContextWindow;
  /** Estimated tokens of a prompt without its messages, at most. */
  overhead: number;
  /** Counts up with each answer. */
  usage: TokenUsage;
  signal: AbortSignal;
};

/** Characters. No digest is longer: an answer cut off before this had no room, one cut off later had lost its way. */
const LONGEST_DIGEST = 8000;
/** Tokens. Enough for any digest, and for most of what models think before they write. */
const LONG_ANSWER = 8192;
const LONGEST_ANSWER = 32_768;

/**
 * The model's answer to a prompt, requested once more when it can't be read or trusted. Throws ClientError, and
 * ContextCut when the prompt was too long, which is remembered.
 */
export function ask(asking: Asking, prompt: Prompt): Promise<Reply> {
  return askTwice(asking, prompt).catch(error => {
    if (error instanceof ContextCut) shrink(asking, prompt, error.cut);
    throw error;
  });
}

/** The same of one of several: where the server counted it whole, what its answer forgot makes no difference. */
export function askForPart(asking: Asking, prompt: Prompt): Promise<Reply> {
  return askTwice(asking, prompt).catch(error => {
    if (!(error instanceof ContextCut)) throw error;
    if (error.cut.reply) return error.cut.reply;
    shrink(asking, prompt, error.cut);
    throw error;
  });
}

function shrink({ context, overhead }: Asking, prompt: Prompt, cut: ContextCut['cut']): void {
  const size = { prompt: tokensOfPrompt(prompt), overhead, counted: cut.counted };
  context.shrink(size, { ...cut, isSure: cut.isSure && !isFullOfRareSigns(prompt) });
}

async function askTwice(asking: Asking, prompt: Prompt): Promise<Reply> {
  const { report, rules } = asking;
  const first = await answerTo(asking, { prompt });
  const counted = first.usage.promptTokens || undefined;
  if (counted !== undefined && counted < fewestTokens(prompt)) throw new ContextCut({ counted, isSure: true });
  const read = readReply(first.content, rules);
  if (read && isWhole(asking, prompt, { read, usage: first.usage })) {
    if (read.wasWrapped) report({ code: 'AI_REPAIRED_OUTPUT', message: 'took the JSON out of the words around it' });
    return read.reply;
  }
  const flaw = flawOf(first, read);
  const added = repairOf(flaw);
  const again = { prompt: withAdded(prompt, added), longest: hadNoRoom(first) ? longerThan(first) : undefined };
  const second = await answerTo(asking, again);
  const reading = readingOf(prompt, added, [first.usage.promptTokens, second.usage.promptTokens]);
  if (reading === 'cut') throw new ContextCut({ counted, isSure: true });
  const repaired = readReply(second.content, rules);
  if (repaired && isWhole(asking, again.prompt, { read: repaired, usage: second.usage })) {
    report({ code: 'AI_REPAIRED_OUTPUT', message: REPAIRED[flaw] });
    return repaired.reply;
  }
  const reply = reading === 'whole' ? (repaired ?? read)?.reply : undefined;
  if (read || repaired || (hadNoRoom(first) && hadNoRoom(second))) throw new ContextCut({ isSure: false, reply });
  const message = second.isCutOff ? 'answer cut off twice' : 'answer unreadable twice';
  report({ code: 'AI_BAD_OUTPUT', message });
  throw badOutput(message);
}

/** By the code that the answer repeats, or else by the server's count: what someone wrote may forbid the code. */
function isWhole(
  { context }: Asking,
  prompt: Prompt,
  { read, usage }: { read: ReadReply; usage: TokenUsage },
): boolean {
  if (!read.knowsCode) return isPlausible(prompt, usage.promptTokens) && context.isProven(usage);
  context.keepProven(tokensOfPrompt(prompt), usage);
  return true;
}

const REPAIRED: Record<Flaw, string> = {
  cutOff: 'answer was cut off',
  noDigest: 'answer was no digest',
  noCode: 'answer did not repeat the code of the request',
};

function flawOf({ isCutOff }: Answer, read: ReadReply | null): Flaw {
  if (read) return 'noCode';
  return isCutOff ? 'cutOff' : 'noDigest';
}

function hadNoRoom({ isCutOff, content }: Answer): boolean {
  return isCutOff && content.length < LONGEST_DIGEST;
}

function longerThan({ usage }: Answer): number {
  return Math.min(LONGEST_ANSWER, Math.max(LONG_ANSWER, 2 * usage.completionTokens));
}

async function answerTo({ complete, usage, signal }: Asking, wanted: Wanted): Promise<Answer> {
  const answer = await complete(wanted, signal);
  usage.promptTokens += answer.usage.promptTokens;
  usage.completionTokens += answer.usage.completionTokens;
  usage.cachedTokens += answer.usage.cachedTokens;
  if (answer.isRefused) throw badOutput('refused by the model or its filter');
  return answer;
}
