import { isGivenName } from '../../../lib/names/givenNames.ts';
import { romanise } from '../../../lib/names/romanise.ts';
import { type Authority, authorityOver } from '../authority.ts';
import { differ } from '../builtIn/closings/match.ts';
import { deedsIn, isName, isSameWord } from '../builtIn/closings/words.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import type { Closing, OpenPromise } from '../types.ts';
import { contentWords, wordsOf } from '../words.ts';
import type { Reply } from './reply.ts';
import { saidDate } from './saidDates.ts';
import type { Line } from './transcript.ts';

type Claimed = Reply['closings'][number];
type Ground = {
  lines: Line[];
  conversation: Conversation;
  openPromises: OpenPromise[];
  /** YYYY-MM-DD */
  today: string;
};

const MOST_SOURCES = 10;
/** Per message. */
const MOST_PARTS = 40;

/** For this many messages after a promise was mentioned, a short answer may mean it. */
const ANSWER_NEAR = 3;
/** The most words of a message that says something is done and not what. */
const MOST_BARE = 5;

/**
 * Keeps what can be trusted of what a model says became of promises: only those it was given, each once, and resting on
 * new messages that exist, speak of the promise or answer its message, and are by someone who may decide
 * ({@link authorityOver}), in so many words where anyone else wrote as well. What others in a group said leaves a doubt, and
 * so does what the messages say is still to be done; a new day is counted from the words said for it. Claims that rest on a question, on words about something else
 * or on nothing are dropped.
 */
export function closingsFrom(claimed: Claimed[], ground: Ground): Closing[] {
  const promises = new Map(ground.openPromises.map(promise => [promise.n, promise]));
  const byPromise = Map.groupBy(claimed, ({ n }) => n);
  const texts = new Map(ground.lines.map(({ messageId, text }) => [messageId, text]));
  return [...byPromise].flatMap(([n, claims]) => {
    const promise = promises.get(n);
    if (!promise) return [];
    const { conversation } = ground;
    const authority = authorityOver(promise, conversation);
    const check = { ...ground, promise, authority, texts, things: thingsOf(promise, conversation) };
    const found = claims.flatMap(claim => closingFrom(claim, check) ?? []);
    const [first] = found;
    if (!first) return [];
    // A model that says two things about one promise knows neither.
    const isClear = found.every(({ state, newDueDate }) => state === first.state && newDueDate === first.newDueDate);
    const messageIds = [...new Set(found.flatMap(closing => closing.messageIds))];
    return [isClear ? { ...first, messageIds } : { n, state: 'doubtful', newDueDate: null, messageIds }];
  });
}

type Check = Ground & {
  promise: OpenPromise;
  /** What it is about, in words. */
  things: string[];
  authority: Authority;
  /** By message. */
  texts: ReadonlyMap<string, string>;
};

function closingFrom(claim: Claimed, check: Check): Closing | null {
  const { n, state } = claim;
  const [first, ...others] = newlySaid(claim.lines, check).filter(
    utterance => mentions(utterance, check) !== 'nothing',
  );
  if (!first) return null;
  const utterances: [Utterance, ...Utterance[]] = [first, ...others];
  const messageIds = utterances.map(({ messageId }) => messageId);
  const doubt: Closing = { n, state: 'doubtful', newDueDate: null, messageIds };
  if (state === 'doubtful') return doubt;
  const telling = utterances.filter(utterance => !onlyAsks(utterance));
  if (telling.length === 0) return null;
  const mayTell = (utterance: Utterance) => check.authority.mayTell(state, utterance);
  const byRight = telling.filter(utterance => mayTell(utterance) && mentions(utterance, check) === 'it');
  if (state === 'moved') {
    // "Can you send it on Monday?" – "Sure": the day may be in a question.
    const newDueDate = byRight.length > 0 ? newDay(claim, utterances.filter(mayTell), check) : null;
    return newDueDate === null ? null : { n, state, newDueDate, messageIds };
  }
  const mayBeTalkedInto = othersSpoke(state, check);
  const isSaidByRight = byRight.some(utterance =>
    mayBeTalkedInto ? saysOutright(utterance, state, check) : bearsOut(utterance, state, check),
  );
  return isSaidByRight ? { n, state, newDueDate: null, messageIds } : doubt;
}

/** The cited messages that no digest covers yet, except those that were forwarded. */
function newlySaid(numbers: number[], { lines, conversation }: Ground): Utterance[] {
  const cited = new Set(numbers);
  const ids = new Set(
    lines.filter(({ n, told, toMachine }) => cited.has(n) && !told && !toMachine).map(({ messageId }) => messageId),
  );
  return conversation.utterances
    .filter(({ messageId, forwarded }) => ids.has(messageId) && !forwarded)
    .slice(0, MOST_SOURCES);
}

/**
 * What a message is about: the promise, when it shares words with it, replies to its message or to what that answers, or
 * is a short answer to one that does; perhaps the promise, when it says no more than "sent!"; else nothing that the promise is about.
 */
function mentions(utterance: Utterance, check: Check): 'it' | 'perhaps' | 'nothing' {
  const { promise, conversation, texts } = check;
  const names = ({ messageId, pack }: Utterance) =>
    namesIt(withoutQuotes(texts.get(messageId) ?? ''), pack.code, check);
  const rests = [...(promise.sourceMessageIds ?? []), promise.request?.messageId];
  const isReply = utterance.replyTo !== null && rests.includes(utterance.replyTo);
  if (isReply || names(utterance)) return 'it';
  if (!isAnswer(utterance)) return 'nothing';
  const at = conversation.utterances.indexOf(utterance);
  if (conversation.utterances.slice(Math.max(0, at - ANSWER_NEAR), at).some(names)) return 'it';
  return isBare(utterance) ? 'perhaps' : 'nothing';
}

function namesIt(text: string, code: string, { things }: Check): boolean {
  const words = wordsOf(fold(text, code)).flatMap(word => [word, ...word.split(/[_-]/)]);
  return things.some(thing => words.some(word => isSameWord(word, thing, code)));
}

/** "The Novak contract", "invoice 15": another one than was promised. */
function namesOther(text: string, { promise, things, conversation: { pack, names } }: Check): boolean {
  const promised = `${promise.text} ${promise.request?.words ?? ''} ${(promise.sourceTexts ?? []).join(' ')}`;
  const known = new Set([...names.words, ...wordsOf(fold(promised, pack.code))]);
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isThing = (word: string | undefined) =>
    things.some(thing => word !== undefined && isSameWord(fold(word, pack.code), thing, pack.code));
  const isForeignName = (word: string) => /^\p{Lu}\p{Ll}/u.test(word) && !known.has(fold(word, pack.code));
  const isOfOther = words.some((word, at) => at > 0 && isThing(words[at + 1]) && isForeignName(word) && !isThing(word));
  const said = { said: fold(promised, pack.code), code: pack.code };
  return isOfOther || things.some(thing => differ(thing, fold(text, pack.code), said));
}

/** Without what someone else said or asked: "did you send it?" is what he wrote. */
function withoutQuotes(text: string): string {
  return text.replaceAll(QUOTED, ' ');
}

const QUOTED = /[“„«"][^“”„«»"]{1,400}[”“»"]|^ ?(?:>|&gt;).{0,400}$/gmu;

/** The words of a promise that name something, without names of people, days and what everyone does to things. */
function thingsOf({ text, request, who, authors = [] }: OpenPromise, { pack, names }: Conversation): string[] {
  const called = [who ?? '', ...authors.map(({ name }) => name)].flatMap(name => wordsOf(fold(name, pack.code)));
  const people = new Set([...names.words, ...called]);
  const isPerson = (word: string) => isName(word, people, pack.code) || romanise(word).some(isGivenName);
  const words = contentWords(wordsOf(fold(`${text} ${request?.words ?? ''}`, pack.code)), pack).filter(
    word => !isPerson(word) && !pack.calendar.anyDay.test(word),
  );
  const things = words.filter(word => deedsIn(word, pack).size === 0);
  return things.length > 0 ? things : words;
}

/** "Yes, sent", "got it, thanks" */
function isAnswer({ sentences, media, pack }: Utterance): boolean {
  const { generic, kept, arrived, dropped, yes, thanks } = pack.promises;
  const cues = [generic, kept, arrived, dropped, yes, thanks, pack.acts.done];
  return media !== null || sentences.some(({ folded }) => cues.some(cue => cue.test(folded)));
}

/** "Sent!", "done" */
function isBare(utterance: Utterance): boolean {
  return isAnswer(utterance) && utterance.sentences.flatMap(({ words }) => words).length <= MOST_BARE;
}

function onlyAsks({ sentences, media }: Utterance): boolean {
  return media === null && sentences.length > 0 && sentences.every(({ isQuestion }) => isQuestion);
}

/**
 * "Not sent yet", "no contract here" and "I'll send it tomorrow" don't confirm that anything is done; a file without words
 * may. "The contract looks long" cancels nothing. Those parts of a message deny it that name the promise.
 */
function bearsOut({ sentences, media, pack }: Utterance, state: Claimed['state'], check: Check): boolean {
  if (state === 'handedOver' || media !== null) return true;
  const { pending, dropped, flawed } = pack.promises;
  const { negation, refuses } = pack.acts;
  const parts = sentences
    .flatMap(({ text, isQuestion }) => (isQuestion ? [] : withoutQuotes(text).split(/[,;:]|\s[-–—]\s/u)))
    .slice(0, MOST_PARTS)
    .filter(part => /[\p{L}\p{N}]/u.test(part));
  const says = (part: string, cues: RegExp[]) => cues.some(cue => cue.test(fold(part, pack.code)));
  if (state === 'cancelled') return parts.some(part => says(part, [dropped, negation, refuses]));
  const naming = parts.filter(part => namesIt(part, pack.code, check));
  const isDenied = naming.length > 0 && naming.every(part => says(part, [negation, flawed]) || namesOther(part, check));
  return !isDenied && parts.some(part => !says(part, [pending]));
}

/** Whether someone without the right wrote as well, who may have talked the model into it. */
function othersSpoke(state: Claimed['state'], { lines, authority, conversation }: Check): boolean {
  const fresh = new Set(lines.filter(({ told }) => !told).map(({ messageId }) => messageId));
  return conversation.utterances.some(one => fresh.has(one.messageId) && !authority.mayTell(state, one));
}

/**
 * In words of its own that say what became of it, so that no model is needed to tell: "the signed contract" says nothing.
 * Whoever is owed something can say that it came, not that it was sent.
 */
function saysOutright(utterance: Utterance, state: Claimed['state'], check: Check): boolean {
  const { sentences, pack } = utterance;
  const { generic, kept, arrived, dropped } = pack.promises;
  const came = [arrived, pack.acts.received];
  const isKeeper = check.authority.isDoer(utterance) || utterance.fromUser;
  const cues = state !== 'done' ? [dropped] : isKeeper ? [generic, kept, pack.acts.done, ...came] : came;
  const promised = new Set(check.openPromises.flatMap(({ text }) => wordsOf(fold(text, pack.code))));
  const says = sentences.some(({ folded, isQuestion }) => {
    const own = folded.split(' ').filter(word => !promised.has(word));
    return !isQuestion && cues.some(cue => cue.test(own.join(' ')));
  });
  return says && bearsOut(utterance, state, check);
}

/** null where no one with the right said such a day, where it is past, or where it is the old one. */
function newDay(
  { dateText, newDueDate }: Claimed,
  [first, ...others]: Utterance[],
  { promise: { dueDate }, conversation: { timezone }, today }: Check,
): string | null {
  if (dateText === null || !first) return null;
  const utterances: [Utterance, ...Utterance[]] = [first, ...others];
  const sentence = utterances.flatMap(({ sentences }) => sentences).find(({ text }) => text.includes(dateText));
  const { date } = saidDate({ words: dateText, date: newDueDate }, { utterances, sentence }, { timezone, today });
  return date === null || date === dueDate || date < today ? null : date;
}
