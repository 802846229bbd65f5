import type { Voices } from '../types.ts';
import { possessive } from './persons.ts';
import type { Token } from './tagger.ts';

/** Verbs whose base form is their participle, too: "it is put off". */
const SAME_FORMS = /^(?:put|cut|set|let|read|hit|cost|quit|hurt|shut|split|spread|bet|come|become|run|bid|cast|burst)$/;

/**
 * Whether a report reads as English. It does not where a name is said twice in a sentence ("Sam asks Nora whether Nora thinks …"),
 * or where the speaker's own grammar is broken ("it is be against the law"): such a sentence is better quoted.
 * @param report the sentence of the summary, without its full stop
 */
export function readsWell(report: string, tokens: Token[], { speaker, listener }: Voices): boolean {
  const isNamedTwice = [speaker, listener].some(name => name !== null && timesNamed(report, name) > 1);
  return !isNamedTwice && !hasClash(tokens);
}

/** How often the name occurs, not counting its possessive: "Sam needs Nora's key". */
function timesNamed(report: string, name: string): number {
  return report.split(name).length - report.split(possessive(name)).length;
}

/** A form of "be" before a bare infinitive, or a modal verb before a finite one. */
function hasClash(tokens: Token[]): boolean {
  return tokens.some(({ low }, at) => {
    const next = tokens[at + 1];
    if (!next) return false;
    if (/^(?:is|are|was|were|am|'s|'re|'m)$/.test(low))
      return /^(?:be|have|do)$/.test(next.low) || isBareVerb(next, tokens[at + 2]);
    return (
      /^(?:will|would|can|could|should|must|may|might)$/.test(low) && /^(?:is|are|was|were|has|had)$/.test(next.low)
    );
  });
}

/** "They are go home"; a noun that the tagger mistakes for a verb has no object after it. */
function isBareVerb({ pos, low, lemma }: Token, behind: Token | undefined): boolean {
  const hasObject = behind !== undefined && /^(?:DET|PRON)$/.test(behind.pos);
  return pos === 'VERB' && lemma === low && !/(?:ed|en|ing)$/.test(low) && !SAME_FORMS.test(low) && hasObject;
}
