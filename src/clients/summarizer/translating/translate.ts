import { inMainScript } from '../checker/words.ts';
import { detectLanguage } from '../language.ts';
import type { Language } from '../languages/types.ts';
import type { Complete } from '../openai/api.ts';
import { type Known, markedText } from '../openai/plainText.ts';
import { withAdded } from '../openai/prompt.ts';
import { findObject } from '../openai/reply.ts';
import type { SummarizerReport, TokenUsage } from '../types.ts';
import { foundedTexts, QUOTED, type Said } from './foundedTexts.ts';
import { nameOf, promptForTranslation, repairFor, takenTranslation, translationFormat } from './prompt.ts';
import type { Piece } from './types.ts';

export type Asking = {
  complete: Complete;
  report: (failure: SummarizerReport) => void;
  /** What an answer must repeat, and may not show. */
  code: string;
  known: Known;
  /** Counts up with each answer. */
  usage: TokenUsage;
  /** Of this summary: aborted when its time is over, too. */
  signal: AbortSignal;
  /** Of whoever asked for it: aborted when its work stops. */
  stopped: AbortSignal | undefined;
};

/** Characters. No text of a digest is longer. */
const LONGEST = 1200;
const TRIES = 2;
/** Characters by which a language is told from its neighbors. */
const ENOUGH_TO_TELL = 80;

type Wanted = { language: Language; said: Said; asking: Asking };

/**
 * Asks for a translation, once more where the answer is unreadable or in the language it was given. Returns by number the
 * texts that hold; null where there is none, which is reported and fails no digest. Throws only once its asker stopped.
 */
export async function translate(pieces: readonly Piece[], wanted: Wanted): Promise<Map<number, string> | null> {
  const { asking, language } = wanted;
  if (pieces.length === 0) return new Map();
  try {
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const found = await tryOnce(pieces, wanted, tried > 1);
      if (found) return found.size > 0 ? found : null;
    }
    asking.report({ code: 'AI_NOT_TRANSLATED', message: `answer unreadable, or not in ${nameOf(language)}, twice` });
  } catch (error) {
    if (asking.stopped?.aborted) throw error;
    asking.report({ code: 'AI_NOT_TRANSLATED', message: 'the request failed' });
  }
  return null;
}

async function tryOnce(
  pieces: readonly Piece[],
  { asking, language, said }: Wanted,
  isAgain: boolean,
): Promise<Map<number, string> | null> {
  const { complete, usage, known, code, signal } = asking;
  const asked = promptForTranslation(pieces, language, code);
  const prompt = isAgain ? withAdded(asked, repairFor(language)) : asked;
  const answer = await complete({ prompt, format: translationFormat }, signal);
  usage.promptTokens += answer.usage.promptTokens;
  usage.completionTokens += answer.usage.completionTokens;
  usage.cachedTokens += answer.usage.cachedTokens;
  const taken = takenTranslation.safeParse(findObject(answer.content)?.value);
  // Without the code it may have read half of the texts, and none of what is to be done with them.
  if (answer.isRefused || !taken.success || !taken.data.code.toLowerCase().includes(code)) return null;
  const plain = new Map(taken.data.texts.map(({ n, text }) => [n, markedText(text, LONGEST, known)]));
  const texts = pieces.map(({ n, text }) => plain.get(n) ?? text);
  if (isInOther(texts, language, said.conversation.language)) return null;
  const found = await foundedTexts(pieces, plain, { said, language });
  const left = pieces.length - found.length;
  if (left > 0) asking.report({ code: 'AI_NOT_TRANSLATED', message: `${left} of ${pieces.length} texts did not hold` });
  return new Map(found);
}

/** Whether the answer is in the conversation's language all the same, or in a third one. A few words tell only the former. */
function isInOther(texts: readonly string[], language: Language, spoken: string): boolean {
  const found = languageOf(texts);
  if (found === language || found === 'und') return false;
  return found === spoken || texts.join('').length >= ENOUGH_TO_TELL;
}

/** The language of a digest's own words: ISO 639-1, or 'und'. */
export function languageOf(texts: readonly string[]): string {
  return detectLanguage([inMainScript(texts.map(text => text.replaceAll(QUOTED, ' ')).join(' '))]);
}
