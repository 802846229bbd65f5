import type { Voices } from '../types.ts';
import type { Token } from './tagger.ts';
import { REQUESTS } from './verbs.ts';

const OPENING =
  /^(?:ok|okay|well|oh|ah|uh|um|so|and|but|also|right|sure|great|perfect|thanks|thank|you|hi|hello|hey|yes|yeah|yep|no|nope|guys|folks|hii+|heyy+|helloo+|please|then|actually|anyway|alright|good|morning|evening|afternoon|fine|cool|nice|really|certainly|absolutely|look|listen|sorry|guess|wow|haha|btw|tbh|imo|fyi|honestly)$/;
const GREETING = /^(?:hii*|helloo*|heyy*|morning|evening|afternoon)$/;
/** Tokens. Longer sentences are quoted. */
export const LONGEST = 45;

export function withoutOpening(tokens: Token[], { listener }: Voices): Token[] {
  let from = 0;
  for (let at = 0; at < Math.min(tokens.length, 8); at += 1) {
    const token = tokens[at] as Token;
    const { pos } = token;
    // "No." is one word to the tagger.
    const low = token.low.replace(/\.$/, '');
    if (low !== token.low && OPENING.test(low)) {
      from = at + 1;
      continue;
    }
    if (pos === 'PUNCT' && /^[,.!…;:-]$/.test(low)) {
      from = at + 1;
      continue;
    }
    const isName = listener !== null && low === listener.toLowerCase();
    if ((!OPENING.test(low) && !isName) || (low === 'so' && tokens[at + 1]?.low === 'far')) break;
    if (at === from && /^(?:and|but|so|also|btw|ok|okay|please|then|guys|folks|hii*|helloo*|heyy*)$/.test(low))
      from = at + 1;
    else if (at === from && isName && GREETING.test(tokens[at - 1]?.low ?? '')) from = at + 1;
  }
  const rest = tokens.slice(from);
  const lead = LEADS.find(words => words.every((word, at) => rest[at]?.low === word));
  if (lead) return rest.slice(lead.length + (rest[lead.length]?.low === ',' ? 1 : 0));
  if (rest[0]?.low === 'dear') return rest.slice(rest.slice(0, 6).findIndex(({ low }) => low === ',') + 1);
  // "Amy, you look tired", "Dr. Weber, I woke up", "sir, the room is taken"
  const comma = rest.slice(0, 4).findIndex(({ low }) => low === ',');
  const isCalled =
    (comma === 1 || /^(?:dr|mr|mrs|ms)\.?$/.test(rest[0]?.low ?? '')) &&
    rest.slice(0, Math.max(0, comma)).every(({ pos, low }) => pos === 'PROPN' || CALLED.test(low));
  return isCalled ? rest.slice(comma + 1) : withoutBareAnswer(rest);
}

/** "Yes, I did, but Linda didn't come": only what follows the yes says something. */
function withoutBareAnswer(tokens: Token[]): Token[] {
  const [subject, verb] = tokens;
  if (!/^(?:i|we|you|he|she|it|they)$/.test(subject?.low ?? '') || verb?.pos !== 'AUX') return tokens;
  const at = /^(?:not|n't)$/.test(tokens[2]?.low ?? '') ? 3 : 2;
  return tokens[at]?.low === ',' && /^(?:and|but)$/.test(tokens[at + 1]?.low ?? '') ? tokens.slice(at + 2) : tokens;
}

/** What may come before a sentence and adds nothing to it. */
const LEADS = [
  'all right ,',
  'hurry ,',
  'to start with ,',
  'first of all ,',
  'as a matter of fact ,',
  'very good ,',
  'see ,',
  'actually',
  'anyway',
  'please note that',
  'note that',
  'excuse me ,',
  'you see ,',
  'you know ,',
  'i mean',
  'i guess',
  'i am sorry , but',
  'i am afraid',
  'by the way ,',
  'in fact ,',
  'to be honest ,',
  'i have to be honest ,',
  'as said :',
  'as i said ,',
  'as you know ,',
  'of course ,',
].map(lead => lead.split(' '));

const ENDING = /^(?:[.!?…;:,-]+|[:;][-'’]?[()dpo|/]+|please|haha|lol|though|tho|anyway|smh|btw|tbh)$/;

/** The mouth of ":(" is a word of its own to the tagger. */
function isFace(tokens: Token[], at: number): boolean {
  const [eyes, mouth] = [tokens[at - 1], tokens[at]];
  return /^[()]$/.test(mouth?.low ?? '') && /^[:;]-?$/.test(eyes?.low ?? '') && mouth?.spaceBefore === false;
}

export function withoutEnd(tokens: Token[]): Token[] {
  let end = tokens.length;
  while (end > 0 && (ENDING.test(tokens[end - 1]?.low ?? '') || isFace(tokens, end - 1))) end -= 1;
  const comma = tokens.slice(0, end).findLastIndex(({ low }) => low === ',');
  const tail = comma < 0 ? [] : tokens.slice(comma + 1, end);
  const isCalled =
    tail.length > 0 && tail.length <= 2 && tail.every(({ pos, low }) => pos === 'PROPN' || CALLED.test(low));
  const isTag = tail.length >= 2 && tail.length <= 4 && tail[0]?.pos === 'AUX' && tail.at(-1)?.pos === 'PRON';
  return tokens.slice(0, isCalled || isTag ? comma : end);
}

const CALLED =
  /^(?:sir|madam|mam|doctor|officer|waiter|professor|buddy|ma'am|miss|mr|mrs|dear|guys|man|mate|honey|mom|dad|mum|though|right|ok|okay|thanks|you|thank)$/;

/** "Also need a photo", "sent you the file": the missing subject is the speaker. */
export function withSubject(tokens: Token[]): Token[] {
  const at = tokens[0]?.pos === 'ADV' ? 1 : 0;
  const [verb, next] = tokens.slice(at);
  if (!verb || !next) return tokens;
  const opensObject = /^(?:DET|PRON|NUM|ADP|PROPN|ADV|PART)$/.test(next.pos);
  // "Sending it on Friday"
  if (at === 0 && verb.pos === 'VERB' && verb.low.endsWith('ing') && opensObject && !isClauseNear(tokens))
    return [pronoun('I'), { ...pronoun('am'), pos: 'AUX', lemma: 'be' }, ...asRest(tokens)];
  const isPast = verb.pos === 'VERB' && verb.lemma !== verb.low && !/(?:ing|s)$/.test(verb.low);
  const isOwn = /^(?:need|want|hope|got)$/.test(verb.low) || isPast;
  const isClause = tokens.slice(at + 1, at + 6).some(({ pos }) => pos === 'AUX');
  const isWill = verb.low === 'will' && next.pos !== 'PRON';
  if (!isWill && (!isOwn || isClause || !opensObject)) return tokens;
  return [pronoun('I'), ...asRest(tokens)];
}

/** Whether another verb is near: "painting it takes a day". */
function isClauseNear(tokens: Token[]): boolean {
  return tokens.slice(1, 6).some(({ pos }) => pos === 'AUX' || pos === 'VERB');
}

function pronoun(text: string): Token {
  return { text, low: text.toLowerCase(), lemma: text.toLowerCase(), pos: 'PRON', spaceBefore: true };
}

/** Tokens that no longer open their sentence. */
function asRest(tokens: Token[]): Token[] {
  return tokens.map((token, index) => (index === 0 ? { ...token, text: token.low, spaceBefore: true } : token));
}

/** "I can host, tell me the date", "I paid it all, please transfer yours": the part after the comma is a request. */
function hasRequestBehind(tokens: Token[]): boolean {
  return tokens.some(
    ({ low }, at) =>
      /^[,;-]$/.test(low) &&
      (tokens[at + 1]?.low === 'please' ||
        (REQUESTS.has(tokens[at + 1]?.low ?? '') && /^(?:me|us|for|him|her|them)$/.test(tokens[at + 2]?.low ?? ''))),
  );
}

/** "URGENT, storage is 95 a day": rewording would lose the alarm. */
function isAlarm([first, second]: Token[]): boolean {
  return first?.low === 'urgent' && /^(?:,|:|-|!|please)$/.test(second?.low ?? '');
}

/** Whether nothing in it belongs to another speaker or another sentence. */
export function isPlain(tokens: Token[]): boolean {
  if (hasRequestBehind(tokens) || isAlarm(tokens)) return false;
  const isAlone = tokens.some(
    ({ low }, at) => /^["“”«»[\]…|?!]$/.test(low) || (low === '.' && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? '')),
  );
  const open = tokens.filter(({ low }) => low === '(').length;
  const isAndI = tokens.some(
    ({ low }, at) =>
      /^(?:i|me)$/.test(low) &&
      /^(?:and|or)$/.test(tokens[at - 1]?.low ?? '') &&
      tokens[at - 2]?.pos !== 'VERB' &&
      /^(?:NOUN|PROPN|PRON)$/.test(tokens[at - 2]?.pos ?? ''),
  );
  return !isAlone && open === tokens.filter(({ low }) => low === ')').length && !(isAndI && tokens[0]?.pos === 'PROPN');
}

/** Whether it has a finite verb, even at its beginning: "Is the desk free?", "Send a van", but not "Thank you". */
export function hasVerb(tokens: Token[]): boolean {
  const [first] = tokens;
  const opens = first !== undefined && /^(?:AUX|VERB)$/.test(first.pos) && !/^(?:thank|thanks)$|ing$/.test(first.low);
  return opens || hasFiniteVerb(tokens);
}

export function hasFiniteVerb(tokens: Token[]): boolean {
  return tokens.some(
    ({ pos, low }, at) =>
      at > 0 &&
      (pos === 'AUX' || (pos === 'VERB' && !low.endsWith('ing')) || (pos === 'NOUN' && isVerbToo(tokens, at))),
  );
}

/** Verbs in the third person that the tagger often mistakes for plurals. */
const VERBS_TOO =
  /^(?:costs|needs|wants|works|starts|ends|includes|looks|takes|comes|goes|asks|means|offers|plans|calls|leaves|moves|helps|opens|closes|changes|orders|visits|ships|pays|drives|runs|stops|turns|weighs)$/;

function isVerbToo(tokens: Token[], at: number): boolean {
  const next = tokens[at + 1];
  return (
    VERBS_TOO.test(tokens[at]?.low ?? '') && next !== undefined && /^(?:DET|NUM|PRON|ADP|ADV|PROPN)$/.test(next.pos)
  );
}

/** Words that the tagger mistakes for names where they open a sentence. */
const WORDS =
  /^(?:breakfast|lunch|dinner|coffee|compact|payment|delivery|shipping|shipment|production|training|installation|support|traffic|parking|security|legal|finance|marketing|management|customs|insurance|warranty|logo|churn|margin|revenue|pricing|price|budget|stock|power|internet)$/;

/** Removes the capital of the first word, unless it is a name. */
export function lowered(shifted: Token[], first: Token): Token[] {
  const [start, ...rest] = shifted as [Token, ...Token[]];
  // "Signed contract", but "Helen signs" and "Page 4".
  const isCompound = rest[0]?.pos === 'NOUN' && /^\p{Ll}/u.test(rest[0].text);
  const isWord = isCompound || REQUESTS.has(start.low) || WORDS.test(start.low);
  const isName = (start.pos === 'PROPN' && !isWord) || /^\p{Lu}.*\p{Lu}|^I$/u.test(start.text);
  return isName || start.text !== first.text
    ? shifted
    : [{ ...start, text: start.text.charAt(0).toLowerCase() + start.text.slice(1) }, ...rest];
}

export function joined(tokens: Token[]): string {
  const words = tokens.map(({ text, low, pos, spaceBefore }, at) => {
    const word = at > 0 && pos === 'PRON' && low !== 'i' && text !== text.toUpperCase() ? text.toLowerCase() : text;
    return `${spaceBefore && at > 0 ? ' ' : ''}${word}`;
  });
  return contracted(words.join(''))
    .replaceAll(' ;', ';')
    .trim()
    .replace(/(?<=\s\p{Ll}{2,20})\.$/u, '');
}

function contracted(text: string): string {
  if (!/is (?:been|got)| better| not\b/.test(text)) return text;
  return text
    .replaceAll(/\bis (been|got)\b/g, 'has $1')
    .replaceAll(/\bwould better\b/g, 'had better')
    .replaceAll(/\b(do|does|did|is|are|was|were|have|has|had|would|could|should) not\b/g, "$1n't")
    .replaceAll(/\bcan not\b/g, "can't")
    .replaceAll(/\bwill not\b/g, "won't");
}
