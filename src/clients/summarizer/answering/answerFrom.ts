import { addressesMachine } from '../addressesMachine.ts';
import { cleanText, neutral, shorten } from '../cleaning.ts';
import type { Complete } from '../openai/api.ts';
import { failed, toClientError } from '../openai/apiErrors.ts';
import { readJson } from '../openai/readJson.ts';
import type { SummarizerReport } from '../types.ts';
import { foundedSentences } from './foundedSentences.ts';
import { answerSchema, MOST_SENTENCES, promptForAnswer, takenAnswer } from './prompt.ts';
import type { AnswerPassage, AnswerRequest, AnswerSentence } from './types.ts';

type Asking = { complete: Complete; report: (failure: SummarizerReport) => void; signal: AbortSignal };

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
  const { complete, report, signal } = asking;
  const passages = sendable(request.passages);
  if (passages.length === 0) return [];
  const question = request.question && shorten(neutral(cleanText(request.question)), LONGEST.question);
  const prompt = promptForAnswer({ question, passages });
  const answer = await complete({ prompt, schema: answerSchema, tries: 1 }, signal).catch(error => {
    throw toClientError(error);
  });
  if (answer.isRefused) throw failed('permanent', 'AI_BAD_OUTPUT', 'refused by the model or its filter');
  const read = answer.isCutOff ? 'cutOff' : readJson(answer.content, takenAnswer);
  if (typeof read === 'string') {
    const message = `answer to a question was ${read === 'cutOff' ? 'cut off' : 'unreadable'}`;
    report({ code: 'AI_BAD_OUTPUT', message });
    throw failed('permanent', 'AI_BAD_OUTPUT', message);
  }
  return (await foundedSentences(read.value.sentences, passages, question ?? '')).slice(0, MOST_SENTENCES);
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
