import type { Token } from './tagger.ts';

const ENDS_ALWAYS =
  /^(?:but|so|because|though|although|since|if|unless|cause|otherwise|whereas|[;:()!?…–—"“”]|-|\.{2,}|\.)$/;
const SUBJECTS = /^(?:i|we|you|he|she|it|they|that|this|there|who|someone|somebody|please|let|can|could|thanks)$/;
const TRAILING =
  /^(?:before|after|by|until|at|on|for|please|thanks|thank|ok|okay|too|then|now|haha|lol|though|right|cheers|promise|and|or|to|with|,|anyway|well|yes|yeah|sorry|guys|also)$/;

/** The index of the token after the clause of a verb. */
export function clauseEnd(tokens: Token[], verb: number): number {
  let end = verb + 1;
  for (; end < tokens.length; end += 1) {
    const { low, pos, spaceBefore } = tokens[end] ?? { low: '', pos: '', spaceBefore: false };
    const next = tokens[end + 1];
    if (low === '-' && !(spaceBefore && next?.spaceBefore)) continue;
    // "9–12"
    if (/^[-–]$/.test(low) && pos === 'PUNCT' && next?.pos === 'NUM' && tokens[end - 1]?.pos === 'NUM') continue;
    if (ENDS_ALWAYS.test(low)) break;
    if (low === ',') break;
    if (low === 'as' && next?.low === 'well') break;
    if (['and', '+', '&', 'or', 'then', 'as'].includes(low) && opensClause(tokens, end + 1)) break;
    const isNoun = /^(?:a|an|the|your|my|our)$/.test(tokens[end - 1]?.low ?? '');
    if (pos === 'INTJ' && low !== 'please' && !isNoun) break;
  }
  while (end > verb + 1 && TRAILING.test(tokens[end - 1]?.low ?? '')) end -= 1;
  return end;
}

function opensClause(tokens: Token[], at: number): boolean {
  const first = tokens[at];
  if (!first) return true;
  // "I'll ask and let you know"
  if (first.low === 'let' && /^(?:you|him|her|them)$/.test(tokens[at + 1]?.low ?? '')) return false;
  // "… and have them there by noon"
  const isOwnVerb = first.low === 'have' && /^(?:PRON|DET)$/.test(tokens[at + 1]?.pos ?? '');
  if (SUBJECTS.test(first.low) || (first.pos === 'AUX' && !isOwnVerb)) return true;
  // "and the designer is off": a subject of its own within a few words.
  for (let next = at; next < at + 4; next += 1) {
    const token = tokens[next];
    if (!token || token.pos === 'PUNCT') return false;
    if (next > at && (token.pos === 'AUX' || ['is', 'are', 'was', 'will', 'has'].includes(token.low))) return true;
    if (token.pos === 'VERB') return false;
  }
  return false;
}
