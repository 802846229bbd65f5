import type { Move, Reading } from './types.ts';

/** "…, isn't it?", "…, ok?": only asks for agreement with what is said before it. */
const TAG =
  /(?<! or)[, ]¿?(?:you know|right|huh|eh|ok|okay|yeah|will you|isn't it|aren't you|don't you|doesn't it|didn't you|oder|nicht wahr|gell|passt(?: das)?|einverstanden|да|ладно|хорошо|добре|гаразд|verdad|vale|de acuerdo|no|né|tá(?: bom)?|combinado|n'est-ce pas|d'accord|ça va|va bene|değil mi|olur mu|tamam mı|prawda|dobrze|zgoda)\?+$/u;

/** @param folded a question */
export function asksForNod(folded: string): boolean {
  return TAG.test(folded);
}

const WHO = /(?<!\p{L})(?:who|wer|кто|хто|quién|quien|qui|chi|quem|kto|kim)(?!\p{L})/u;

/** @param folded a question */
export function asksWho(folded: string): boolean {
  return WHO.test(folded);
}

const TO_KNOW =
  /(?<!\p{L})(?:do you (?:know|have any idea|happen to know)|(?:can|could|would|will) you (?:please |maybe |perhaps )?tell (?:me|us)) (?:if|whether|what|who|whom|whose|where|when|why|how|which)(?!\p{L})/u;

/** "Can you tell me when the crane comes?": a question like any other, with nothing to do but answer. English only. */
export function asksToKnow({ folded, sentence, lexicon }: Reading): boolean {
  return lexicon.hasTagger && sentence.isQuestion && TO_KNOW.test(folded);
}

const STATE =
  /(?<!\p{L})(?:is|are|was|were) .{1,60}(?<!\p{L})(?:confirmed|booked|paid|sent|done|ready|signed|shipped|delivered)\?{1,3}$/u;

const WILL = /^(?:(?:so|and|but),? )?(?:are you (?:\p{L}{2,10} )?going to (?!come|be)|did |have you |has )/u;

/**
 * "Is the gig on the 6th confirmed?", "are you going to vote on Tuesday?": asks how things stand, and proposes no day.
 * English only.
 */
export function asksState({ folded, lexicon }: Reading): boolean {
  return lexicon.hasTagger && (STATE.test(folded) || WILL.test(folded));
}

/** "Yes or no? They want it confirmed by Wednesday": the need belongs to the question, which is what to answer. */
export function isOfQuestion({ act, deed }: Move, { sentence }: Reading, heard: Reading[]): boolean {
  if (act !== 'need' || deed !== null || sentence.stems.length > 3) return false;
  return heard.some(({ sentence: { utterance, isQuestion } }) => isQuestion && utterance === sentence.utterance);
}
