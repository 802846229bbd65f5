import type { SummarizerReport, TokenUsage } from '../types.ts';
import type { Answer, Complete } from './api.ts';
import { badOutput } from './apiErrors.ts';
import { type Prompt, promptForRepair } from './prompt.ts';
import { type ReadingRules, type Reply, readReply } from './reply.ts';

export type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  rules: ReadingRules;
  /** Counts up with each answer. */
  usage: TokenUsage;
  signal: AbortSignal;
};

/** The model's answer to a prompt, asked for once more when it can't be read. Throws ClientError, as {@link Complete}. */
export async function ask(asking: Asking, prompt: Prompt): Promise<Reply> {
  const { report, rules } = asking;
  const first = await answerTo(asking, prompt);
  const read = readReply(first.content, rules);
  if (read) {
    if (read.wasWrapped) report({ code: 'AI_REPAIRED_OUTPUT', message: 'took the JSON out of the words around it' });
    return read.reply;
  }
  const second = await answerTo(asking, promptForRepair(prompt, first.isCutOff));
  const repaired = readReply(second.content, rules);
  if (!repaired) {
    const message = second.isCutOff ? 'answer cut off twice' : 'answer unreadable twice';
    report({ code: 'AI_BAD_OUTPUT', message });
    throw badOutput(message);
  }
  report({ code: 'AI_REPAIRED_OUTPUT', message: first.isCutOff ? 'answer was cut off' : 'answer was no digest' });
  return repaired.reply;
}

async function answerTo({ complete, usage, signal }: Asking, prompt: Prompt): Promise<Answer> {
  const answer = await complete(prompt, signal);
  usage.promptTokens += answer.usage.promptTokens;
  usage.completionTokens += answer.usage.completionTokens;
  usage.cachedTokens += answer.usage.cachedTokens;
  if (answer.isRefused) throw badOutput('refused by the model or its filter');
  return answer;
}
