import type { Voices } from '../types.ts';
import type { Token } from './tagger.ts';
import { thirdPersonOf } from './verbs.ts';

/** Whom the sentence is about: later mentions of them are "they", those of the other person their name. */
type Told = { voices: Voices; subject: 'first' | 'second' | null };

const FIRST = /^(?:i|me|my|myself)$/;
const OF_US = /^(?:we|us|our|ours|ourselves)$/;
const SECOND = /^(?:you|your|yourself)$/;
/** Words that no name can replace. */
const NO_NAME = /^(?:mine|yours|yourselves|u|ya)$/;
/** Verbs whose present form may be their past. */
const SAME_PAST = /^(?:put|cut|set|let|read|hit|cost|quit|hurt|shut|split|spread|bet|come|become|run)$/;
const NO_VERB =
  /^(?:not|simply|totally|fully|quite|also|just|still|really|already|always|never|often|only|probably|actually|usually|even|now|then|both|all|too|so|definitely|certainly|currently|sometimes|mostly|almost|personally|honestly|first)$/;
const MODAL = /^(?:will|would|can|could|should|shall|may|might|must|ca|wo|had)$/;

/**
 * A sentence as someone else tells it: "I" becomes the speaker's name, "you" the listener's, and verbs agree. null if a
 * word has no safe counterpart.
 * @param named whose name already comes before it
 */
export function inThirdPerson(tokens: Token[], voices: Voices, named: Told['subject'] = null): Token[] | null {
  if (tokens.some(({ low }) => NO_NAME.test(low))) return null;
  if (voices.listener === null && tokens.some(({ low }) => SECOND.test(low))) return null;
  // "Sam says they come": "they" is Sam, unless the sentence has a "they" of its own.
  const isTaken = tokens.some(({ low }) => /^(?:they|them|their|we|us|our)$/.test(low));
  const told: Told = { voices, subject: isTaken ? null : named };
  const out: Token[] = [];
  let agreeing = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const person = FIRST.test(token.low) ? 'first' : SECOND.test(token.low) ? 'second' : null;
    if (person) {
      const { text, isNamedSubject } = replaced(tokens, at, person, told);
      out.push({ ...token, text, pos: 'PROPN' });
      if (!isSubject(tokens, at)) continue;
      const verb = verbBehind(tokens, at);
      if (verb === null) continue;
      const finite = tokens[verb] as Token;
      for (let between = at + 1; between < verb; between += 1) out.push(tokens[between] as Token);
      if (isNamedSubject && SAME_PAST.test(finite.low) && finite.pos === 'VERB') return null;
      const said = isNamedSubject ? singular(finite) : plural(finite);
      out.push({ ...finite, text: said });
      agreeing = isNamedSubject && !MODAL.test(finite.low) && finite.text !== said && finite.pos === 'VERB';
      at = verb;
      continue;
    }
    if (OF_US.test(token.low)) {
      if (/^(?:ours|ourselves)$/.test(token.low)) return null;
      const text = { we: 'they', us: 'them', our: 'their' }[token.low] ?? token.text;
      out.push({ ...token, text });
      if (token.low === 'we') agreeing = false;
      continue;
    }
    const before = tokens[at - 1]?.low ?? '';
    if (agreeing && /^(?:and|or|but)$/.test(before) && token.pos === 'VERB' && token.lemma === token.low) {
      out.push({ ...token, text: thirdPersonOf(token.low) });
      continue;
    }
    if (/^[,;.:]$/.test(token.low) || /^(?:to|because|if|that|when|as)$/.test(token.low)) agreeing = false;
    out.push(token);
  }
  return out;
}

function replaced(
  tokens: Token[],
  at: number,
  person: 'first' | 'second',
  told: Told,
): { text: string; isNamedSubject: boolean } {
  const { low } = tokens[at] as Token;
  const name = person === 'first' ? told.voices.speaker : (told.voices.listener ?? '');
  const isOwner = low === 'my' || low === 'your';
  if (told.subject === person) {
    if (isOwner) return { text: 'their', isNamedSubject: false };
    if (/self$/.test(low)) return { text: 'themself', isNamedSubject: false };
    return { text: isSubject(tokens, at) ? 'they' : 'them', isNamedSubject: false };
  }
  if (/self$/.test(low)) return { text: name, isNamedSubject: false };
  if (isOwner) return { text: possessive(name), isNamedSubject: false };
  const isNamedSubject = isSubject(tokens, at);
  if (isNamedSubject && told.subject === null) told.subject = person;
  return { text: name, isNamedSubject };
}

export function possessive(name: string): string {
  return `${name}'s`;
}

/** "I" always is one, "you" only if its own verb follows: in "when you come", but not in "I told you". */
function isSubject(tokens: Token[], at: number): boolean {
  const { low } = tokens[at] as Token;
  if (low === 'i') return true;
  if (low !== 'you') return false;
  const before = tokens[at - 1];
  if (before && ((before.pos === 'ADP' && !CLAUSES.test(before.low)) || CAUSES.test(before.low))) return false;
  const verb = verbBehind(tokens, at);
  if (verb === null) return false;
  const { pos, low: next } = tokens[verb] as Token;
  return pos === 'AUX' || (pos === 'VERB' && !next.endsWith('ing'));
}

/** Words that may begin a clause. */
const CLAUSES = /^(?:until|till|before|after|since|as|than|once|while|like|if|that|because)$/;
const CAUSES =
  /^(?:let|make|help|have|see|watch|for|give|send|show|tell|ask|thank|lets|gives|sends|gave|sent|told|asked)$/;

function verbBehind(tokens: Token[], at: number): number | null {
  let next = at + 1;
  while (next < at + 4 && NO_VERB.test(tokens[next]?.low ?? '')) next += 1;
  const token = tokens[next];
  return token && (token.pos === 'VERB' || token.pos === 'AUX') ? next : null;
}

/** "am" is "is", "need" is "needs", "needed" stays. */
export function singular({ text, low, lemma, pos }: Token): string {
  if (low === 'am' || low === 'are' || low === "'m" || low === "'re") return 'is';
  if (low === 'were') return 'was';
  if (low === 'have' || low === "'ve") return 'has';
  if (low === 'do') return 'does';
  if (MODAL.test(low) || pos === 'AUX' || lemma !== low) return text;
  return thirdPersonOf(low);
}

function plural({ text, low }: Token): string {
  if (low === 'am') return 'are';
  if (low === 'was') return 'were';
  return text;
}
