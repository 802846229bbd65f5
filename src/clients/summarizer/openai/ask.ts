import { zodResponseFormat } from 'openai/helpers/zod';
import type { SummarizerReport, TokenUsage } from '../types.ts';
import { isInOther, languageOf, type Wanted } from './answerLanguage.ts';
import type { Answer, Complete } from './api.ts';
import { failed } from './apiErrors.ts';
import { type Prompt, withAdded } from './prompt.ts';
import { type ReadingRules, type ReadReply, type Reply, readReply } from './reply.ts';
import { askedReply } from './replySchema.ts';
import { fewestTokens } from './tokens.ts';

export type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  rules: ReadingRules;
  language: Wanted;
  /** Counts up with each answer. */
  usage: TokenUsage;
  signal: AbortSignal;
};

const SCHEMA = zodResponseFormat(askedReply, 'digest');

/** Why a first answer is of no use, and a second may be. */
const FLAWS = {
  none: 'was not the JSON object asked for',
  language: 'was not in the language asked for',
} as const;
type Flaw = keyof typeof FLAWS;

/** The model's answer to a prompt, requested once more when it is no digest or in another language. Throws ClientError. */
export async function ask(asking: Asking, prompt: Prompt): Promise<Reply> {
  const { report } = asking;
  const answer = await answerTo(asking, prompt);
  const { promptTokens } = answer.usage;
  if (promptTokens > 0 && promptTokens < fewestTokens(prompt)) {
    const message = `the server read ${promptTokens} tokens of at least ${fewestTokens(prompt)} sent`;
    report({ code: 'AI_CONTEXT_TOO_SMALL', message });
    throw failed('permanent', 'AI_CONTEXT_TOO_SMALL', message);
  }
  const first = read(asking, answer);
  if (typeof first !== 'string') return taken(first, asking);
  // The first answer is not repeated: it may hold anything.
  const added = `An earlier answer ${FLAWS[first]}. Answer with the complete JSON object only.`;
  const second = read(asking, await answerTo(asking, withAdded(prompt, added)));
  if (typeof second === 'string') throw unusable(asking, `answer ${FLAWS[second]}, twice`);
  report({ code: 'AI_REPAIRED_OUTPUT', message: `answer ${FLAWS[first]}` });
  return taken({ ...second, wasMended: false }, asking);
}

function read(asking: Asking, answer: Answer): ReadReply | Flaw {
  if (answer.isRefused) throw unusable(asking, 'refused by the model or its filter');
  const found = answer.isCutOff ? 'cutOff' : readReply(answer.content, asking.rules);
  if (found === 'cutOff') throw unusable(asking, 'answer was cut off');
  if (found === 'none') return 'none';
  return isInOther(textsOf(found.reply), asking.language) ? 'language' : found;
}

function taken({ reply, wasMended, unknown }: ReadReply, { report }: Asking): Reply {
  if (wasMended)
    report({ code: 'AI_REPAIRED_OUTPUT', message: 'took the JSON out of the words around it, or mended it' });
  // Leaves out the word: it may be anything someone made the model write.
  for (const field of unknown) report({ code: 'AI_UNKNOWN_VALUE', message: `${field} is none of the known words` });
  return { ...reply, language: languageOf(textsOf(reply)) };
}

function textsOf({ summary, actionItems }: Reply): string[] {
  return [...summary, ...actionItems].map(({ text }) => text);
}

function unusable({ report }: Asking, message: string) {
  report({ code: 'AI_BAD_OUTPUT', message });
  return failed('permanent', 'AI_BAD_OUTPUT', message);
}

async function answerTo({ complete, usage, signal }: Asking, prompt: Prompt): Promise<Answer> {
  const answer = await complete({ prompt, schema: SCHEMA }, signal);
  addUsage(usage, answer.usage);
  return answer;
}

export function addUsage(total: TokenUsage, more: TokenUsage): void {
  total.promptTokens += more.promptTokens;
  total.completionTokens += more.completionTokens;
  total.cachedTokens += more.cachedTokens;
}
