import { addressesMachine } from '../addressesMachine.ts';
import { cleanText, neutral, shorten } from '../cleaning.ts';
import type { Complete } from '../openai/api.ts';
import { badOutput, toClientError } from '../openai/apiErrors.ts';
import { findObject } from '../openai/reply.ts';
import type { SummarizerReport } from '../types.ts';
import { foundedSentences } from './foundedSentences.ts';
import { answerFormat, MOST_SENTENCES, promptForAnswer, takenAnswer } from './prompt.ts';
import type { AnswerPassage, AnswerRequest, AnswerSentence } from './types.ts';

type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  /** What the answer must repeat, and may not show. */
  code: string;
  signal: AbortSignal;
};

const MOST_PASSAGES = 24;
const LONGEST = { question: 300, peer: 60, line: 1200 };
/** Characters of all passages together; what comes after these is not sent. */
const MOST_TEXT = 16_000;

/**
 * Asks a model once, and returns those of its sentences that hold: each names its passages, and every number, name, day,
 * address and handle in it is in one of these. Empty where the passages don't answer, and where nothing holds.
 * Throws ClientError as the summarizer does: there is no second try.
 */
export async function answerFrom(request: AnswerRequest, asking: Asking): Promise<AnswerSentence[]> {
  const { complete, report, code, signal } = asking;
  const passages = sendable(request.passages);
  if (passages.length === 0) return [];
  const question = request.question && shorten(neutral(cleanText(request.question)), LONGEST.question);
  const prompt = promptForAnswer({ question, passages }, code);
  const answer = await complete({ prompt, format: answerFormat, tries: 1 }, signal).catch(error => {
    throw toClientError(error);
  });
  if (answer.isRefused) throw badOutput('refused by the model or its filter');
  const taken = takenAnswer.safeParse(findObject(answer.content)?.value);
  // Without the code it may have read half of the passages, and none of what they may be used for.
  if (!taken.success || !taken.data.code.toLowerCase().includes(code)) {
    const message = answer.isCutOff ? 'answer to a question was cut off' : 'answer to a question was unreadable';
    report({ code: 'AI_BAD_OUTPUT', message });
    throw badOutput(message);
  }
  const about = { question: question ?? '', secrets: new Set([code]) };
  return (await foundedSentences(taken.data.sentences, passages, about)).slice(0, MOST_SENTENCES);
}

/** What may leave: without secrets and markup. A passage that speaks to a machine answers no one's question. */
function sendable(passages: readonly AnswerPassage[]): AnswerPassage[] {
  let left = MOST_TEXT;
  return passages.slice(0, MOST_PASSAGES).flatMap(passage => {
    const lines = passage.lines.map(line => shorten(neutral(cleanText(line)), LONGEST.line)).filter(Boolean);
    const peer = shorten(neutral(cleanText(passage.peer)), LONGEST.peer);
    const { promise } = passage;
    const by = promise && shorten(neutral(cleanText(promise.by)), LONGEST.peer);
    left -= lines.join('\n').length;
    if (lines.length === 0 || left < 0 || [...lines, peer, by ?? ''].some(addressesMachine)) return [];
    return [{ ...passage, peer, lines, ...(promise && by !== undefined && { promise: { ...promise, by } }) }];
  });
}
