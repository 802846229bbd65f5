import type { Voices } from '../types.ts';
import { isBase } from './finding.ts';
import { inThirdPerson, singular } from './persons.ts';
import { readsWell } from './readsWell.ts';
import {
  hasFiniteVerb,
  isPlain,
  joined,
  LONGEST,
  lowered,
  withoutEnd,
  withoutOpening,
  withSubject,
} from './sentenceParts.ts';
import type { Token } from './tagger.ts';
import { REQUESTS, STATES } from './verbs.ts';

/**
 * "Farid says Helen signs on Monday", "Farid needs the contract": without its full stop; null where the grammar isn't safe.
 * @param isFirst false where a sentence with the speaker's name precedes it
 */
export function reportStatement(all: Token[], voices: Voices, isFirst = true): string | null {
  const report = reportOf(all, voices, isFirst);
  const told = report && (isFirst ? report : withoutSays(report, voices.speaker));
  return report && told && readsWell(told, all, voices) ? report : null;
}

/** What was said, without who said it. */
export function withoutSays(report: string, speaker: string): string {
  const lead = `${speaker} says `;
  if (!report.startsWith(lead)) return report;
  const said = report.slice(lead.length);
  // "That is the idea" keeps its "that".
  return said.startsWith('that ') && FRONTS.test(said.slice(5)) ? said.slice(5) : said;
}

function reportOf(all: Token[], voices: Voices, isFirst: boolean): string | null {
  const tokens = withSubject(withoutEnd(withoutOpening(all, voices)));
  if (tokens.length < 3 || tokens.length > LONGEST || !isPlain(tokens)) return null;
  const first = tokens[0] as Token;
  if (isImperative(tokens)) return reportRequest(tokens, voices);
  if (isNoStatement(tokens)) return null;
  if (!hasFiniteVerb(tokens) || lacksSubject(tokens)) return null;
  const isOwn = first.low === 'i';
  const shifted = inThirdPerson(tokens, voices, isFirst && !isOwn ? 'first' : null);
  if (!shifted) return null;
  if (isOwn) return joined(shifted);
  if (first.low === 'we' && NEEDS.test(tokens[1]?.low ?? ''))
    return joined([
      { ...first, text: voices.speaker },
      { ...(shifted[1] as Token), text: singular(tokens[1] as Token) },
      ...shifted.slice(2),
    ]);
  if (tokens.slice(0, 4).some(({ low }) => low === ':')) return null;
  return `${voices.speaker} says ${opensBeforeComma(tokens) ? 'that ' : ''}${joined(lowered(shifted, first))}`;
}

/** "Can't do Wednesday", "confirmed and paid", "11 degrees, we have a baby": behind "says" it would not be English. */
function lacksSubject(tokens: Token[]): boolean {
  const [first] = tokens;
  if (!first || FRONTS.test(first.low)) return false;
  const comma = tokens.findIndex(({ low }) => low === ',');
  const clause = comma > 0 ? tokens.slice(0, comma) : tokens;
  const verb = clause.findIndex(({ pos }, at) => (pos === 'AUX' || pos === 'VERB') && !(at === 0 && pos === 'VERB'));
  const isPastFirst = first.pos === 'VERB' && first.lemma !== first.low && !first.low.endsWith('ing');
  const opening = clause.slice(0, Math.max(0, verb));
  if (isPastFirst) return true;
  if (verb < 0) return comma > 0 && !hasFiniteVerb(clause) && comma < tokens.length - 3 && isLong(clause);
  return opening.length === 0 || opening.every(({ pos }) => pos === 'ADV');
}

/** "John, he is late", "Well, all right": a word or two may come before a sentence. */
const isLong = (clause: Token[]) => clause.length > 2;

/** "If it rains, they stay": reads well only after "says that". */
function opensBeforeComma(tokens: Token[]): boolean {
  const comma = tokens.slice(0, 16).findIndex(({ low }) => low === ',');
  return comma > 0 && FRONTS.test(tokens[0]?.low ?? '');
}

/** Words that put something in front of the subject. */
const FRONTS =
  /^(?:if|when|while|because|as|in|on|at|by|for|from|with|without|before|after|until|since|unless|although|though|right|now|then|today|tomorrow|usually|ordinarily|normally|once|of|during|under|over|between|despite|next|later|sometimes|unfortunately)(?= |$)/u;

/** "Let me see", "thank you", "do I have to", "if it rains", "here you are". */
function isNoStatement(tokens: Token[]): boolean {
  const [first, second] = tokens as [Token, Token];
  const isInverted = first.pos === 'AUX' && second.pos === 'PRON';
  const isHalf = /^(?:if|when|unless|because|although)$/.test(first.low) && !tokens.some(({ low }) => low === ',');
  const oneself = tokens.findIndex(({ low }) => low === 'yourself');
  const isOneself = oneself >= 0 && !tokens.slice(0, oneself).some(({ low }) => low === 'you');
  const isShown = /^(?:here|there)$/.test(first.low) && second.pos === 'PRON';
  const isOpening = /^(?:thank|let|sorry|besides|not|do)$/.test(first.low);
  // "Turn left" is a request, but not one whose words are sure.
  const [opening = first, behind] = first.pos === 'ADV' ? tokens.slice(1) : tokens;
  const isBare =
    (opening.pos === 'VERB' || DIRECTIONS.test(opening.low)) &&
    isBase({ ...opening, pos: 'VERB' }) &&
    behind !== undefined &&
    !/^(?:AUX|CCONJ)$/.test(behind.pos);
  // "Sending it on Friday, then the bill" leaves out who does it.
  const isLeftOut = first.pos === 'VERB' && first.low.endsWith('ing') && second.pos !== 'AUX';
  return (
    isBare ||
    isLeftOut ||
    isInverted ||
    isHalf ||
    isShown ||
    isOneself ||
    isOpening ||
    tokens.some(isLet) ||
    isOfAnybody(tokens)
  );
}

/** "You wait for the hostess", "you'll envy them": "you" means anybody, if the sentence has no "I" or "we". */
function isOfAnybody(tokens: Token[]): boolean {
  if (tokens.some(({ low }) => /^(?:i|me|my|we|us|our|your)$/.test(low))) return false;
  return tokens.some(({ low }, at) => {
    const verb = tokens[at + 1];
    if (low !== 'you' || !verb) return false;
    return /^(?:can|will|may|must)$/.test(verb.low) || (verb.pos === 'VERB' && isBase(verb) && !TOLD.test(verb.low));
  });
}

/** "You know", "you look tired": said only about the listener. */
const TOLD = /^(?:know|look|seem|need|have|owe|want|say|work|sound)$/;

/** "Let us go", "let me see" within a sentence. */
function isLet({ low }: Token, at: number, tokens: Token[]): boolean {
  return low === 'let' && /^(?:us|me)$/.test(tokens[at + 1]?.low ?? '') && tokens[at + 2]?.low !== 'know';
}

const NEEDS = /^(?:need|want|require|have|offer|sell|expect|charge|pay)$/;

/** "Get off at the third stop" is "Sam tells Hiro to get off at the third stop". */
function reportRequest(tokens: Token[], voices: Voices): string | null {
  if (voices.listener === null) return null;
  const shifted = inThirdPerson(
    tokens.filter(({ low }, at) => low !== 'please' && !(low === 'just' && at === 0)),
    voices,
    'first',
  );
  if (!shifted) return null;
  const [first] = shifted as [Token];
  const isNot = /^(?:do)$/.test(first.low) && shifted[1]?.low === 'not';
  const words = isNot
    ? [{ ...first, text: 'not' }, ...shifted.slice(2)]
    : [{ ...first, text: first.low }, ...shifted.slice(1)];
  const rest = joined(words);
  return isNot
    ? `${voices.speaker} tells ${voices.listener} not to ${rest.slice(4)}`
    : `${voices.speaker} tells ${voices.listener} to ${rest}`;
}

/** Verbs of directions and steps, which the tagger often mistakes for nouns. */
const DIRECTIONS = /^(?:drive|walk|turn|go|take|follow|continue|press|click|push|open|cross|ring|park|head|stay|wait)$/;
/** Verbs that may open a sentence without making it a request: wishes, exclamations and feelings. */
const NO_REQUEST =
  /^(?:let|have|thank|hope|wish|enjoy|guess|welcome|excuse|forgive|say|see|look|imagine|believe|trust|want|need|think|know|like|love|mean|feel|sound|seem|relax|congratulate|suppose|wonder|bet|hate|miss|come|sit)$/;

function isImperative(all: Token[]): boolean {
  const tokens = all[0]?.low === 'just' ? all.slice(1) : all;
  const [first, second] = tokens;
  if (!first || !second) return false;
  if (first.low === 'do' && second.low === 'not')
    return tokens[2]?.pos === 'VERB' && !NO_REQUEST.test(tokens[2].low) && !STATES.has(tokens[2].low);
  const isVerb = first.pos === 'VERB' || REQUESTS.has(first.low) || DIRECTIONS.test(first.low);
  if (!isVerb || !isBase({ ...first, pos: 'VERB' }) || NO_REQUEST.test(first.low)) return false;
  if (/^(?:start|stop|keep|continue)$/.test(first.low) && second.low.endsWith('ing')) return true;
  const isObject =
    /^(?:DET|ADP|PROPN|NUM|ADV|PART)$/.test(second.pos) ||
    /^(?:me|us|it|them|him|her|this|that|my|your|left|right|back|up|down|off)$/.test(second.low);
  return isObject && !tokens.slice(1, 5).some(({ low }) => /^(?:is|are|was|were|has|had|will)$/.test(low));
}
