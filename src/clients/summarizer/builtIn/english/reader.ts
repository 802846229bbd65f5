import type { Sentence } from '../../conversation.ts';
import type { Move } from '../types.ts';
import type { When } from '../when.ts';
import { clauseEnd } from './clauses.ts';
import { deedOf, isDayWord } from './deeds.ts';
import type { Head } from './finding.ts';
import { findHeads } from './heads.ts';
import { nounPhrases } from './nouns.ts';
import { readWords } from './spelling.ts';
import type { Token } from './tagger.ts';
import { TRANSFERS } from './verbs.ts';

/**
 * What an English sentence promises or asks for, by its verbs.
 * @param spelled the sentence in full spelling (`spellOut`)
 * @param listener who "you" is
 * @param dayIn reads the day and hour named in a part of the sentence
 */
export function readEnglish(
  sentence: Sentence,
  spelled: string,
  listener: string | null,
  dayIn: (text: string) => When | null,
  names: ReadonlySet<string>,
): { moves: Move[]; nouns: string[]; tokens: Token[] } {
  const tokens = readWords(spelled);
  const heads = findHeads(tokens).flatMap(head => splitByDays(tokens, head));
  const moves = heads.flatMap(({ head, part }): Move[] => {
    if (isDenied(tokens, head)) return [];
    const isOffered = sentence.isQuestion && head.act === 'promise';
    if (isOffered && !isOfferToCan(tokens, head)) return [];
    const when = whenOf(tokens, head, dayIn);
    const strength = when ? head.withDate : head.strength;
    const deed = head.isVerbless ? null : deedOf(part, head, listener);
    return [
      { act: isOffered ? 'offer' : head.act, doer: head.doer, deed, strength: isOffered ? OFFERED : strength, when },
    ];
  });
  return { moves, nouns: nounPhrases(tokens, names), tokens };
}

const OFFERED = 0.4;
const BRINGS = /^(?:drop|come|pick|move|swing|pop|get|lend|collect)$/;

/** "I could drop them round at six?" */
function isOfferToCan(tokens: Token[], { from, doer }: Head): boolean {
  const isStatement = !/^(?:could|can|should|shall|may|when|what|where|how|who|which|if|do|did)$/.test(
    tokens[from - 1]?.low ?? '',
  );
  const [modal, verb] = [tokens[from + 1]?.low ?? '', tokens[from + 2]?.low ?? ''];
  return (
    doer === 'speaker' && isStatement && /^(?:could|can)$/.test(modal) && (TRANSFERS.has(verb) || BRINGS.test(verb))
  );
}

/** "I will not", "do not sign anything": nothing to do. */
function isDenied(tokens: Token[], { from, verb }: Head): boolean {
  if (tokens[verb - 2]?.low === 'forget' || tokens[verb]?.low === 'forget') return false;
  const words = tokens.slice(Math.max(0, from - 1), verb + 2);
  return words.some(({ low }) => low === 'not' || low === "n't" || low === 'never' || low === 'no');
}

/** The day within this clause, or one that comes before everything. */
function whenOf(tokens: Token[], head: Head, dayIn: (text: string) => When | null): When | null {
  const end = head.end ?? clauseEnd(tokens, head.verb);
  const tail = tokens[end]?.low === ',' ? tokens.slice(end + 1, end + 6) : [];
  const trailing = tail.every(({ low, pos }) => isDayWord(low) || pos === 'PUNCT' || pos === 'NUM') ? tail : [];
  const own = dayIn(textOf([...tokens.slice(head.from, end), ...trailing]));
  if (own) return own;
  const lead = tokens.slice(0, head.from);
  const inFront = dayIn(textOf(lead.slice(-8)));
  return inFront && findHeads(lead).length === 0 ? inFront : null;
}

/** "The offer this evening and the list on Friday" are two things to do. */
function splitByDays(tokens: Token[], head: Head): { head: Head; part: Token[] }[] {
  const end = clauseEnd(tokens, head.verb);
  const and = tokens.findIndex(({ low }, at) => low === 'and' && at > head.verb && at < end);
  const next = tokens[and + 1];
  const isThing = next && ['DET', 'NOUN', 'ADJ', 'NUM'].includes(next.pos);
  const hasDay = (from: number, to: number) => tokens.slice(from, to).some(({ low }) => isNamedDay(low));
  if (and < 0 || !isThing || head.isSaid || !hasDay(head.verb, and) || !hasDay(and, end))
    return [{ head, part: tokens }];
  const verb = tokens[head.verb];
  const receiver = tokens[head.verb + 1];
  const lead = [verb, receiver?.pos === 'PRON' ? receiver : undefined].filter(token => token !== undefined);
  const second = [...tokens.slice(0, head.verb), ...lead, ...tokens.slice(and + 1)];
  const cut = tokens.slice(0, and);
  return [
    { head: { ...head, end: and }, part: cut },
    { head: { ...head, from: and, end }, part: second },
  ];
}

const isNamedDay = (low: string) =>
  /^(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|evening|week)$/.test(low);

function textOf(tokens: Token[]): string {
  return tokens.map(({ text, spaceBefore }, at) => `${spaceBefore && at > 0 ? ' ' : ''}${text}`).join('');
}
