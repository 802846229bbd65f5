import { isSecret } from '../../masking/mask.ts';
import type { Deed, Doer, Reading } from '../types.ts';
import { askedDeed, subjectOf, whetherOf } from './mentions.ts';

/** How many sentences back "it" may refer. */
const REACH = 8;
/** At least the strength of "I can": "we pay" is only a statement. */
const MEANT = 0.2;

/** What was said before on the same day, oldest first. */
export type Heard = { doer: Doer; reading: Reading; before: Reading[] };

/** A completed deed, and the sentence that completed it. */
export type Resolved = { deed: Deed; from: Reading };

/** What "do it", "send it" and "let you know" stand for; null if that is uncertain. */
export function resolved(deed: Deed, heard: Heard): Resolved | null {
  const before = heard.before.slice(-REACH).filter(({ sentence }) => !isSecret(sentence.text));
  const known = { ...heard, before };
  if (DO_IT.test(deed.toDo)) return wholeDeed(known);
  if (TELLING.test(deed.toDo)) return told(deed, known);
  if (/^meet(?= |$)/.test(deed.toDo)) return met(deed, known);
  return withThing(deed, known);
}

const DO_IT =
  /^do(?: (?:it|that|this|so))?(?: (?:today|tonight|tomorrow|first|later|on|by|this|next|at|in|before|after|until|right|straight|as soon)(?= |$).*)?$/u;
const VERB_ALONE =
  /^\p{L}+(?: (?:today|tonight|tomorrow|first|later|on|by|this|next|at|in|before|after|until|right|straight|as soon)(?= |$).*)?$/u;

/** "Will do it": what the other side asked about, or what one offered before. */
function wholeDeed({ reading, before }: Heard): Resolved | null {
  const { speaker } = reading.sentence.utterance;
  for (const from of before.toReversed()) {
    const isOwn = from.sentence.utterance.speaker === speaker;
    const named = from.moves.findLast(
      ({ deed: other, doer, strength }) =>
        other && !other.isVague && !other.pointsBack && strength >= MEANT && doer === (isOwn ? 'speaker' : 'listener'),
    );
    const whole = named?.deed ?? (isOwn ? null : askedDeed(from));
    if (whole) return { deed: { ...whole, isVague: false }, from };
    // "Please do" and "14 people?" continue what was said before them; other topics don't.
    if (!isOwn && from.sentence.stems.length > 3) return null;
  }
  return null;
}

const TELLING = /^(?:let .{1,40} know|tell|get back|come back|text|message|write|answer|reply)(?= |$)/;

/** "I'll let you know": what was asked. */
function told(deed: Deed, { doer, reading, before }: Heard): Resolved | null {
  if (!deed.isVague || doer !== 'speaker') return null;
  const { speaker } = reading.sentence.utterance;
  const from = before.findLast(({ sentence }) => sentence.isQuestion && sentence.utterance.speaker !== speaker);
  const whether = from && whetherOf(from);
  if (!whether) return null;
  const add = (text: string | null) => text && `${text} ${whether}`;
  return {
    deed: { ...deed, toDo: `${deed.toDo} ${whether}`, will: add(deed.will), did: add(deed.did), isVague: false },
    from,
  };
}

/** "She did, we meet next week": whom the other side mentioned. */
function met(deed: Deed, { reading, before }: Heard): Resolved | null {
  const { speaker, addressee } = reading.sentence.utterance;
  const isThird = /(?<!\p{L})(?:she|he|they)(?!\p{L})/u.test(reading.folded);
  const others = before.filter(({ sentence }) => sentence.utterance.speaker !== speaker);
  const from = isThird ? others.findLast(({ sentence }) => NAMED.test(sentence.text)) : others.at(-1);
  const name = isThird ? from?.sentence.text.match(NAMED)?.[0] : addressee;
  return from && name ? { deed: withObject(deed, name), from } : null;
}

/** A name within a sentence. */
const NAMED = /(?<=\p{Ll}[,.]? )\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?/u;

/** "Pay it", "send them": the only thing just named that is singular or plural accordingly. */
function withThing(deed: Deed, { reading, before }: Heard): Resolved | null {
  const { speaker } = reading.sentence.utterance;
  const pronoun = OBJECT.exec(deed.toDo)?.[2];
  const isMany = /^(?:them|these|those)$/.test(pronoun ?? '');
  const isLeftOut = NEEDS_ONE.test(deed.toDo) && VERB_ALONE.test(deed.toDo);
  if ((pronoun === undefined && !isLeftOut) || OF_PEOPLE.test(deed.toDo)) return null;
  const last = before.at(-1);
  // The speaker's own words in the same message, else the sentence that they answer.
  const from =
    last && (last.sentence.utterance.speaker !== speaker || last.sentence.utterance === reading.sentence.utterance)
      ? last
      : null;
  // "Need it by noon for the caterer": what "it" is was said before.
  if (!from || (pronoun !== undefined && from.sentence.words.includes(pronoun))) return null;
  const isOwn = from.sentence.utterance.speaker === speaker;
  const named = isOwn ? subjectOf(from) : null;
  const subject = isPlural(named ?? '') === isMany ? named : null;
  const [noun, ...others] = from.nouns.filter(one => isPlural(one) === isMany);
  const thing = subject ?? (noun && others.length === 0 && !isOwn ? `the ${noun}` : null);
  const isNew = thing !== null && !deed.toDo.includes(thing.replace(/^the /, ''));
  return isNew ? { deed: withObject(deed, thing), from } : null;
}

const OBJECT = /^(\p{L}+(?: (?:up|out|off|in|back|over|down|on))?) (it|them|this|that|these|those)(?= |$)/u;
/** Verbs whose object people leave out, because it is obvious: "paying tomorrow". */
const NEEDS_ONE = /^(?:pay|send|sign|confirm|order|forward|return|fix|ship|deliver|book|resend|upload)(?= |$)/u;

/** "Ask them": people, not things. */
const OF_PEOPLE =
  /^(?:ask|tell|call|meet|invite|contact|email|text|phone|help|thank|see|visit|inform|remind|pay them)(?= |$)/u;

function isPlural(thing: string): boolean {
  return /[^s]s(?:,|$)/.test(thing.split(', ')[0] ?? '');
}

function withObject(deed: Deed, thing: string): Deed {
  const put = (text: string) =>
    OBJECT.test(text) ? text.replace(OBJECT, `$1 ${thing}`) : text.replace(/^\p{L}+/u, verb => `${verb} ${thing}`);
  return {
    ...deed,
    toDo: put(deed.toDo),
    will: deed.will && `will ${put(deed.will.replace(/^will /, ''))}`,
    did: deed.did && put(deed.did),
    isVague: false,
    pointsBack: false,
  };
}
