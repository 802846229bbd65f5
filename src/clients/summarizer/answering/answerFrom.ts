import { shorten } from '../../../lib/shorten.ts';
import { addressesMachine } from '../addressesMachine.ts';
import { addressesIn } from '../checker/addresses.ts';
import { createGround, isFounded, isTalkedOf } from '../checker/ground.ts';
import { cleanText, neutral } from '../cleaning.ts';
import { detectLanguage } from '../language.ts';
import { toClientError } from '../openai/apiErrors.ts';
import { type Asking, askFor, unusable } from '../openai/ask.ts';
import { markedText } from '../openai/plainText.ts';
import type { AnswerPassage, AnswerRequest, AnswerSentence } from '../types.ts';
import { answerSchema, LONGEST_SENTENCE, MOST_SENTENCES, promptForAnswer, takenAnswer } from './prompt.ts';

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
  const passages = sendable(request.passages);
  if (passages.length === 0) return [];
  const question = request.question && sendableText(request.question, LONGEST.question);
  const wanted = { prompt: promptForAnswer({ question, passages }), schema: answerSchema, tries: 1 };
  const read = await askFor(asking, wanted, takenAnswer).catch(error => {
    throw toClientError(error);
  });
  if (typeof read === 'string') throw unusable(asking, `answer to a question is of no use: ${read}`);
  // What the person wrote in small letters is no name.
  const asked = new Set(question?.match(/(?<![\p{L}'-])\p{Ll}[\p{L}\p{M}'-]*/gu));
  const founded: AnswerSentence[] = [];
  for (const { text, passages: named } of read.value.sentences) {
    const cited = [...new Set(named)].flatMap(n => passages.find(passage => passage.n === n) ?? []);
    const addresses = addressesIn(cited.flatMap(textsOf));
    const plain = markedText(text, 2 * LONGEST_SENTENCE, { addresses, secrets: new Set() });
    const isShown = plain.length <= LONGEST_SENTENCE && /\p{L}/u.test(plain) && !addressesMachine(plain);
    if (cited.length > 0 && isShown && (await isSaidIn(plain, cited, asked)))
      founded.push({ text: plain, passages: cited.map(({ n }) => n) });
  }
  return founded.slice(0, MOST_SENTENCES);
}

const sendableText = (text: string, longest: number) => shorten(neutral(cleanText(text)), longest);

/** What may leave: without secrets and markup. A passage that speaks to a machine answers no one's question. */
function sendable(passages: readonly AnswerPassage[]): AnswerPassage[] {
  let left = MOST_TEXT;
  return passages.slice(0, MOST_PASSAGES).flatMap(passage => {
    const lines = passage.lines.map(line => sendableText(line, LONGEST.line)).filter(Boolean);
    const peer = sendableText(passage.peer, LONGEST.peer);
    const promise = passage.promise && { ...passage.promise, by: sendableText(passage.promise.by, LONGEST.peer) };
    const sent = { ...passage, peer, lines, ...(promise && { promise }) };
    left -= lines.join('\n').length;
    return lines.length === 0 || left < 0 || textsOf(sent).some(addressesMachine) ? [] : [sent];
  });
}

/**
 * Whether the passages say every number, amount, day, name, address and handle of a sentence, and at least a word: it may
 * say nothing in words of its own.
 */
async function isSaidIn(text: string, cited: readonly AnswerPassage[], asked: ReadonlySet<string>): Promise<boolean> {
  const languages = [detectLanguage(cited.flatMap(textsOf)), detectLanguage([text])] as const;
  const ground = await createGround({
    ...{ languages, timezone: 'UTC', strict: { asked } },
    said: cited.flatMap(({ lines, day }) => {
      const sentAt = new Date(`${day}T12:00:00Z`);
      return lines.map(line => ({ text: line, language: languages[0], sentAt }));
    }),
    names: cited.flatMap(({ peer, promise }) => [peer, promise?.by ?? '']),
    days: cited.flatMap(({ promise }) => promise?.dueDate ?? []),
    hours: cited.flatMap(({ promise }) => promise?.dueTime ?? []),
  });
  return isTalkedOf(text, ground) && isFounded(text, ground);
}

function textsOf({ peer, lines, promise }: AnswerPassage): string[] {
  return [peer, promise?.by ?? '', ...lines];
}
