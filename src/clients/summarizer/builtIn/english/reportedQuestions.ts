import type { Voices } from '../types.ts';
import { inThirdPerson } from './persons.ts';
import { readsWell } from './readsWell.ts';
import { isPlain, joined, LONGEST, lowered, withoutEnd, withoutOpening } from './sentenceParts.ts';
import type { Token } from './tagger.ts';
import { pastOf, thirdPersonOf } from './verbs.ts';

const SUBJECT =
  /^(?:i|you|we|he|she|it|they|there|this|that|these|those|everyone|everybody|someone|somebody|nobody|nothing|everything)$/;

/**
 * What follows "asks Sam": "how much it costs per day", "whether they can find a good price". Without its question
 * mark; null if the word order isn't safe.
 * @param isBehind a clause with a "they" of its own comes before it, so names are used instead of pronouns
 */
export function reportQuestion(all: Token[], voices: Voices, isBehind = false): string | null {
  const asking = withoutLabel(withoutEnd(withoutOpening(all, voices)), voices);
  if (asking.length < 3 || asking.length > LONGEST || !isPlain(asking)) return null;
  const embedded = embeddedIn(asking);
  if (embedded && !isInverted(embedded)) {
    const [first, ...others] = embedded;
    const isClause = first && /^(?:if|whether|what|who|whom|whose|where|when|why|how|which)$/.test(first.low);
    return isClause
      ? told([first.low === 'if' ? { ...first, text: 'whether' } : first, ...others], voices, isBehind)
      : null;
  }
  const tokens = embedded ?? asking;
  const wh = whPhrase(tokens);
  const rest = tokens.slice(wh);
  const opening =
    wh === 0 ? [{ ...(tokens[0] as Token), text: 'whether', low: 'whether', pos: 'SCONJ' }] : tokens.slice(0, wh);
  const [spoken, ...behind] = rest;
  if (!spoken) return null;
  const verb = wh === 0 ? { ...spoken, text: spoken.low } : spoken;
  const isAuxiliary =
    /^(?:do|does|did|is|are|was|were|am|have|has|had|will|would|can|could|should|shall|may|might|must)$/.test(verb.low);
  // "Who trains the team": a noun to the tagger.
  const isVerb = verb.pos === 'VERB' || (tokens[0]?.low === 'who' && /s$/.test(verb.low));
  if (!isAuxiliary) return wh > 0 && isVerb ? told([...opening, ...rest], voices, isBehind) : null;
  const end = subjectEnd(behind, verb);
  // "What is the hotel like?"
  if (end === null || (wh > 0 && behind.at(-1)?.low === 'like')) return null;
  const subject = behind.slice(0, end);
  const predicate = behind.slice(end);
  const isSecond = subject.length === 1 && /^(?:i|you)$/.test(subject[0]?.low ?? '');
  const ordered = ordering(verb, subject, predicate);
  if (!ordered || (isSecond && voices.listener === null)) return null;
  return told([...opening, ...ordered], voices, isBehind);
}

/** "One question from the floor: is it open?" */
function withoutLabel(tokens: Token[], voices: Voices): Token[] {
  const colon = tokens.findIndex(({ low }) => low === ':');
  const isLabel = colon > 0 && colon < 8 && !tokens.slice(0, colon).some(({ pos }) => pos === 'VERB' || pos === 'AUX');
  return isLabel ? withoutOpening(tokens.slice(colon + 1), voices) : tokens;
}

/** "Can you tell me when it opens" asks when it opens. */
const ASKED_FOR =
  /^(?:(?:can|could|would|will) you (?:please )?tell (?:me|us)|do you know|do you have any idea|may i (?:know|ask)|i would like to know) (?=(?:if|whether|what|who|whom|whose|where|when|why|how|which)\b)/;

function embeddedIn(tokens: Token[]): Token[] | null {
  const opening = tokens
    .slice(0, 7)
    .map(({ low }) => low)
    .join(' ');
  const found = ASKED_FOR.exec(opening);
  return found && tokens.slice(found[0].trim().split(' ').length);
}

/** "Do you know how can I get there?": many people keep the word order of a separate question. */
function isInverted(clause: Token[]): boolean {
  const [verb, subject] = clause.slice(whPhrase(clause));
  return whPhrase(clause) > 0 && verb?.pos === 'AUX' && /^(?:i|you|we|he|she|they)$/.test(subject?.low ?? '');
}

function ordering(verb: Token, subject: Token[], predicate: Token[]): Token[] | null {
  if (/^(?:do|does|did)$/.test(verb.low)) {
    const [main, ...rest] = predicate;
    if (!main || main.low === 'not') return null;
    const at = main.pos === 'ADV' ? 1 : 0;
    const base = predicate[at];
    if (!base || !isVerbal(base)) return null;
    const form = verb.low === 'do' ? base.text : verb.low === 'does' ? thirdPersonOf(base.low) : pastOf(base.low);
    const isPast = verb.low === 'did';
    const inflected = {
      ...base,
      text: form,
      low: isPast || verb.low === 'does' ? form : base.low,
      lemma: isPast ? base.low : base.lemma,
      pos: 'VERB',
    };
    return at === 0 ? [...subject, inflected, ...rest] : [...subject, main, inflected, ...predicate.slice(2)];
  }
  return [...subject, verb, ...predicate];
}

/** Whether it can be the main verb behind "do". */
function isVerbal({ pos, low }: Token): boolean {
  return pos === 'VERB' || pos === 'AUX' || pos === 'NOUN' || /^(?:have|do|like|need|want)$/.test(low);
}

/** How many tokens the subject after an auxiliary has; null if that is unclear. */
function subjectEnd(behind: Token[], verb: Token): number | null {
  const [opening] = behind;
  if (!opening) return null;
  if (SUBJECT.test(opening.low) && !(/^(?:this|that|these|those)$/.test(opening.low) && behind[1]?.pos === 'NOUN'))
    return 1;
  const isOfSubject = ({ pos, low }: Token, index: number) =>
    (/^(?:DET|ADJ|NOUN|PROPN|NUM)$/.test(pos) && !(low.endsWith('ing') && behind[index + 1]?.pos !== 'NOUN')) ||
    /^(?:of|this|that|these|those|'s|my|your|our|his|her|their)$/.test(low);
  const first = behind.findIndex((token, index) => !isOfSubject(token, index));
  const end = first < 0 ? behind.length : first;
  if (end === 0) return null;
  const isBe = /^(?:is|are|was|were)$/.test(verb.low);
  if (!isBe) {
    const next = behind[end];
    return next && /^(?:VERB|AUX|ADV)$/.test(next.pos) ? end : null;
  }
  // "Is the heating higher?": what is said of it follows the noun.
  // "Is the furniture at the port cheap?", "Is the gig on the 6th confirmed?": where the subject ends, can't be told.
  if (behind[end]?.pos === 'ADP' && /^(?:ADJ|VERB)$/.test(behind.at(-1)?.pos ?? '')) return null;
  const noun = behind.slice(0, end).findLastIndex(({ pos }) => pos === 'NOUN' || pos === 'PROPN');
  if (noun < 0) return null;
  const isClear = noun + 1 < end || end === behind.length || /^(?:VERB|ADV)$/.test(behind[end]?.pos ?? '') || end <= 2;
  return isClear ? noun + 1 : null;
}

/** How many tokens "how much", "which day", "what kind of book" take; 0 for none. */
function whPhrase(tokens: Token[]): number {
  const [first, second] = tokens;
  if (!first || !/^(?:what|who|whom|whose|where|when|why|how|which)$/.test(first.low)) return 0;
  if (first.low === 'how' && second && /^(?:ADJ|ADV|DET)$/.test(second.pos) && second.pos !== 'AUX')
    return /^(?:much|many)$/.test(second.low) ? nounsEnd(tokens, 2) : 2;
  return /^(?:what|which|whose)$/.test(first.low) ? nounsEnd(tokens, 1) : 1;
}

function nounsEnd(tokens: Token[], from: number): number {
  let end = from;
  while (end < from + 4 && (/^(?:NOUN|ADJ)$/.test(tokens[end]?.pos ?? '') || (end > 1 && tokens[end]?.low === 'of')))
    end += 1;
  return end;
}

/** "We run a piece on transport, would you join?": where the question begins after a statement; 0 if nowhere. */
export function questionStart(tokens: Token[]): number {
  const at = tokens.findLastIndex(
    ({ low }, index) =>
      /^(?:[,;:-]|so|and)$/.test(low) &&
      (whPhrase(tokens.slice(index + 1)) > 0 || tokens[index + 1]?.pos === 'AUX') &&
      SUBJECT.test(tokens[index + 2]?.low ?? ''),
  );
  return at >= 3 ? at + 1 : 0;
}

function told(tokens: Token[], voices: Voices, isBehind: boolean): string | null {
  const shifted = inThirdPerson(tokens, voices, isBehind ? null : 'second');
  const clause = shifted && joined(lowered(shifted, tokens[0] as Token));
  if (!clause) return null;
  // "Nora asks Sam whether Sam thinks they come": whoever is asked is named once.
  const isNamedAgain = voices.listener !== null && !isBehind && clause.includes(voices.listener);
  // "Whether Nora may pay" is clear as long as it is short.
  const isLong = clause.split(' ').length > 12 && clause.includes(voices.speaker);
  return isNamedAgain || isLong || !readsWell(`asks ${clause}`, tokens, voices) ? null : clause;
}
