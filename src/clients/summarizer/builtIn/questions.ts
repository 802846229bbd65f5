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
