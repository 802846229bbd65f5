import type { SummarizerReport, TokenUsage } from '../types.ts';
import type { Answer, Complete } from './api.ts';
import { badOutput, ContextCut, failureOf } from './apiErrors.ts';
import type { Context } from './context.ts';
import { type Flaw, type Prompt, promptForRepair } from './prompt.ts';
import { type ReadingRules, type ReadReply, type Reply, readReply } from './reply.ts';
import { fewestTokens, tokensOfPrompt } from './tokens.ts';

export type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  rules: ReadingRules;
  context: Context;
  /** Estimated tokens of a prompt without its messages, at most. */
  overhead: number;
  /** Counts up with each answer. */
  usage: TokenUsage;
  signal: AbortSignal;
};

/** Characters. No digest is longer: an answer cut off before this had no room, one cut off later had lost its way. */
const LONGEST_DIGEST = 8000;

/**
 * The model's answer to a prompt, requested once more when it can't be read or trusted. Throws ClientError, as
 * {@link Complete}; what {@link failureOf} calls `tooLong` is remembered and passed on.
 */
export async function ask(asking: Asking, prompt: Prompt): Promise<Reply> {
  try {
    return await askTwice(asking, prompt);
  } catch (error) {
    if (failureOf(error) === 'tooLong') {
      const counted = error instanceof ContextCut ? error.counted : undefined;
      asking.context.shrink({ prompt: tokensOfPrompt(prompt), overhead: asking.overhead, counted });
    }
    throw error;
  }
}

async function askTwice(asking: Asking, prompt: Prompt): Promise<Reply> {
  const { report, rules } = asking;
  const first = await answerTo(asking, prompt);
  const counted = first.usage.promptTokens || undefined;
  if (counted !== undefined && counted < fewestTokens(prompt)) throw new ContextCut(counted);
  const read = readReply(first.content, rules);
  if (read?.knowsCode) {
    if (read.wasWrapped) report({ code: 'AI_REPAIRED_OUTPUT', message: 'took the JSON out of the words around it' });
    return read.reply;
  }
  const flaw = flawOf(first, read);
  const second = await answerTo(asking, promptForRepair(prompt, flaw));
  const repaired = readReply(second.content, rules);
  if (repaired?.knowsCode) {
    report({ code: 'AI_REPAIRED_OUTPUT', message: REPAIRED[flaw] });
    return repaired.reply;
  }
  if (read || repaired || (hadNoRoom(first) && hadNoRoom(second))) throw new ContextCut(counted);
  const message = second.isCutOff ? 'answer cut off twice' : 'answer unreadable twice';
  report({ code: 'AI_BAD_OUTPUT', message });
  throw badOutput(message);
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

async function answerTo({ complete, usage, signal }: Asking, prompt: Prompt): Promise<Answer> {
  const answer = await complete(prompt, signal);
  usage.promptTokens += answer.usage.promptTokens;
  usage.completionTokens += answer.usage.completionTokens;
  usage.cachedTokens += answer.usage.cachedTokens;
  if (answer.isRefused) throw badOutput('refused by the model or its filter');
  return answer;
}
