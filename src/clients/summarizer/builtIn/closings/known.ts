import { once } from '../../../../lib/once.ts';
import type { MediaKind } from '../../../messenger/types.ts';
import { fold } from '../../cleaning.ts';
import type { Conversation } from '../../conversation.ts';
import { everywhere } from '../../languages/compile.ts';
import { type Lexicon, lexiconOf } from '../../languages/lexicon.ts';
import type { OpenPromise } from '../../types.ts';
import { contentWords, isUnspaced, wordsOf } from '../../words.ts';
import { amountsIn, type DeedKind, deedsIn, isName, isNoun, isSameWord, thingsIn } from './words.ts';

/** An open promise, prepared for comparison with the new messages. */
export type Known = {
  readonly promise: OpenPromise;
  readonly code: string;
  /** What it is about, in words of its own text; where that names nothing, in those of what it answers. */
  readonly things: string[];
  /** Those of them that only what it answers names. */
  readonly answered: ReadonlySet<string>;
  /** The same for each part that an "and" joins: all were promised. */
  readonly parts: string[][];
  /** What else was said where it was made: no evidence by itself. */
  readonly around: ReadonlySet<string>;
  /** Its text, folded. */
  readonly folded: string;
  /** The same with the messages that it is based on; numbers are read in it. */
  readonly said: string;
  readonly deeds: ReadonlySet<DeedKind>;
  /** The infinitives of its verbs. */
  readonly verbs: ReadonlySet<string>;
  readonly isMeeting: boolean;
  /** Its own text names nothing of what it answers: "will do", "I tell accounting, you have it by Thursday". */
  readonly isThin: boolean;
  /** Its text is or has a quotation, or names nothing: words about it may name anything. */
  readonly isUntold: boolean;
  /** It was promised to cancel something. */
  readonly isDropping: boolean;
};

/** Characters of a text and messages of a promise that are read. */
const LONGEST = 300;
const MOST_SOURCES = 6;
const MOST_PARTS = 4;
const MOST_LISTED = 12;
/** "For the fair, can you send the plan?" lists nothing. */
const LEAST_LISTED = 3;

/** Most promises are never mentioned again, so whatever only a mention needs is read lazily. */
export function knownFrom(promise: OpenPromise, { pack, names }: Conversation): Known {
  const said = (promise.sourceTexts ?? []).slice(-MOST_SOURCES).map(text => fold(text.slice(0, LONGEST), pack.code));
  const text = withoutFrame(promise.text.slice(0, LONGEST));
  const folded = fold(text, pack.code);
  const own = thingsOf(text, pack, names.words);
  // An item in another script than the conversation is compared by what was said instead, and so is "will do".
  const isForeign = own.length === 0 || !own.some(word => isInScriptOf(word, said));
  const asked = askedIn(promise, pack);
  const isRiddle = !isForeign && promise.request != null && !asked.some(part => namesAny(own, part, pack, names.words));
  const around = once(() => new Set(said.flatMap(source => thingsIn(source, pack, names.words))));
  const request = once(() => asked.flatMap(part => thingsOf(part, pack, names.words)));
  const answered = new Set(isRiddle ? request() : []);
  const things = isForeign
    ? [...new Set([...own, ...(asked.length > 0 ? request() : around())])]
    : [...own, ...answered];
  const parts = once(() => {
    if (isRiddle) return [things];
    if (!isForeign) return partsOf(text, pack, names.words);
    const each = asked.flatMap(part => listedIn(part, pack, names.words));
    return asked.length > 0 ? each : [things];
  });
  const deeds = once(() => {
    const told = deedsOf(text, pack);
    if (told.size > 0) return told;
    if (asked.length === 0) return new Set(said.flatMap(source => [...deedsIn(source, pack)]));
    return new Set(isForeign || isRiddle ? asked.flatMap(part => [...deedsOf(part, pack)]) : []);
  });
  const verbs = once(() => new Set([text, ...(isForeign ? asked : [])].flatMap(part => [...verbsOf(part, pack)])));
  const isMeeting = once(
    () => pack.acts.meeting.test(folded) || [folded, ...said].some(source => pack.acts.proposes.test(source)),
  );
  return {
    promise,
    code: pack.code,
    things,
    answered,
    get parts() {
      return parts();
    },
    get around() {
      return around();
    },
    folded: isForeign ? `${folded} ${said.join(' ')}` : folded,
    said: [folded, ...said].join(' '),
    get deeds() {
      return deeds();
    },
    get verbs() {
      return verbs();
    },
    get isMeeting() {
      return isMeeting();
    },
    isThin: (own.length === 0 || isRiddle) && things.length > 0 && asked.length > 0,
    isUntold: own.length === 0 || [QUOTED_BEHIND, FRAME].some(form => form.test(promise.text.slice(0, LONGEST))),
    isDropping: pack.dealSignals.cancellation.test(folded),
  };
}

/** An item in the words that were said, "Holly: “First draft tomorrow”", or followed by those that it answers. */
function withoutFrame(text: string): string {
  const bare = text.replace(QUOTED_BEHIND, '');
  return FRAME.exec(bare)?.[1] ?? bare;
}

const QUOTED_BEHIND = /(?<=\S) \([«„“"].{1,300}[»”“"]\)$/su;

const FRAME = /^[^:«„“"]{1,60}: ?[«„“"](.{1,300})[»”“"]$/su;

/** The sentences of what a promise answers that ask for something; all of them where none is known to. */
function askedIn({ request, text }: OpenPromise, pack: Lexicon): string[] {
  const words = request?.words.slice(0, LONGEST) ?? QUOTED_BEHIND.exec(text.slice(0, LONGEST))?.[0] ?? '';
  const sentences = words.split(SENTENCE_END).filter(sentence => /[\p{L}\p{N}]/u.test(sentence));
  const asks = (sentence: string) =>
    /[?？؟]/u.test(sentence) ||
    deedsIn(fold(sentence, pack.code), pack).size > 0 ||
    pack.acts.question.test(fold(sentence, pack.code));
  const asking = sentences.filter(asks);
  return asking.length > 0 ? asking : sentences;
}

const SENTENCE_END = /(?<=[.!?…。！？؟])\s+|(?<=[。！？])|\n+/u;

function namesAny(own: string[], sentence: string, pack: Lexicon, names: ReadonlySet<string>): boolean {
  return thingsIn(sentence, pack, names).some(word => own.some(other => isSameWord(word, other, pack.code)));
}

/** The things of each part of a request that an "and" joins or that a list names: all are asked for. */
function listedIn(sentence: string, pack: Lexicon, names: ReadonlySet<string>): string[][] {
  return splitByAnd(sentence, pack).flatMap(part => {
    const thingsOfEach = (texts: string[]) =>
      texts.map(text => thingsOf(text, pack, names)).filter(({ length }) => length > 0);
    const listed = thingsOfEach(part.split(/[,;:，、；：،]/u).slice(0, MOST_LISTED));
    return listed.length >= LEAST_LISTED ? listed : thingsOfEach([part]);
  });
}

/** The parts of a text that an "and" joins: "and the shuttle" is one. */
function splitByAnd(text: string, pack: Lexicon): string[] {
  const parts = fold(text, pack.code).split(everywhere(pack.promises.joins));
  return parts.filter(part => /[\p{L}\p{N}]/u.test(part)).slice(0, MOST_PARTS);
}

/** "Send the plan and the list" is two things, "measure the bench and send the plan" the last of its deeds. */
function partsOf(text: string, pack: Lexicon, names: ReadonlySet<string>): string[][] {
  const sentences = sentencesOf(text, pack);
  if (sentences.length > 1) return sentences.flatMap(sentence => partsOf(sentence, pack, names)).slice(0, MOST_PARTS);
  const texts = fold(text, pack.code).split(everywhere(pack.promises.joins)).slice(0, MOST_PARTS);
  const hasVerb = texts.map(part => verbsOf(part, pack).size > 0);
  const from = texts.findLastIndex((_, at) => at > 0 && hasVerb[at] === true && hasVerb[at - 1] === true);
  const parts = texts.slice(Math.max(0, from)).map(part => thingsOf(part, pack, names));
  return parts.filter(things => things.length > 0);
}

/** "I'll mail the login, the disk I buy tomorrow" promises two things; "for the fair, the plan" one. */
function sentencesOf(text: string, pack: Lexicon): string[] {
  const parts = text.split(/[,;](?!\d)/u).slice(0, MOST_PARTS);
  return parts.length > 1 && parts.every(part => verbsOf(part, pack).size > 0) ? parts : [text];
}

/** Of its verbs, where they tell: "decir la fecha de entrega" is no delivery, "return the signed form" no signing. */
function deedsOf(text: string, pack: Lexicon): Set<DeedKind> {
  const folded = fold(text, pack.code);
  const own = deedsIn(doingWords(text, pack).join(' '), pack);
  const all = deedsIn(folded, pack);
  return own.size > 0 ? new Set([...own, ...(all.has('opens') ? (['opens'] as const) : [])]) : all;
}

function doingWords(text: string, lexicon: Lexicon): string[] {
  return wordsOf(fold(text, lexicon.code)).filter(
    (word, at, all) =>
      lexicon.verbs.get(word)?.some(({ roles }) => roles.has('infinitive')) && !isNoun(all, at, lexicon),
  );
}

/** Keeps forms that may be nouns as well: of the verbs, it leaves out only infinitives. */
function thingsOf(text: string, pack: Lexicon, names: ReadonlySet<string>): string[] {
  if (pack.verbs.size === 0) {
    const named = thingsIn(text, pack, names);
    const things = named.filter(word => isUnspaced(word) || deedsIn(word, pack).size === 0);
    return things.length > 0 ? things : named;
  }
  const isInfinitive = (word: string) => pack.verbs.get(word)?.some(({ roles }) => roles.has('infinitive')) ?? false;
  const all = wordsOf(fold(text, pack.code));
  const words = contentWords(
    all.filter((word, at) => !isInfinitive(word) || isNoun(all, at, pack)),
    pack,
  );
  const isThing = (word: string) =>
    !isName(word, names, pack.code) && !/^\d/.test(word) && !pack.everyday.includes(word);
  const things = words.filter(word => isThing(word) && !pack.calendar.anyDay.test(word));
  return [...new Set([...things, ...amountsIn(text)])];
}

/** The infinitives of its verbs. */
export function verbsOf(text: string, lexicon: Lexicon): Set<string> {
  const words = wordsOf(fold(text, lexicon.code));
  const forms = words.flatMap((word, at) => (isNoun(words, at, lexicon) ? [] : (lexicon.verbs.get(word) ?? [])));
  // Next to an infinitive, other forms are more likely nouns: "mandar las muestras".
  const infinitives = forms.filter(({ roles }) => roles.has('infinitive'));
  return new Set((infinitives.length > 0 ? infinitives : forms).map(({ verb }) => verb.infinitive));
}

/** Something to be sent, or to be done as one of `also`, or an unnamed kind of deed. */
export function mayBeHanded({ deeds, isMeeting }: Known, ...also: DeedKind[]): boolean {
  return (['sends', ...also] as const).some(kind => deeds.has(kind)) || (deeds.size === 0 && !isMeeting);
}

/** Whether a picture, a video or a file of this kind is what was promised. */
export function mentionsKind({ said, code }: Known, kind: MediaKind): boolean {
  const [name = ''] = (lexiconOf(code).media[kind] ?? '').split(' ');
  const word = fold(name, code);
  return word !== '' && wordsOf(said).some(candidate => isSameWord(candidate, word, code));
}

function isInScriptOf(word: string, said: string[]): boolean {
  const isLatin = /\p{Script=Latin}/u.test(word);
  return said.length === 0 || said.some(text => /\p{Script=Latin}/u.test(text) === isLatin);
}
