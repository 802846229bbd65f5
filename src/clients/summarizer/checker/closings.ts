import { type Authority, authorityOver } from '../authority.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { findWhen } from '../days/findWhen.ts';
import { isDayName } from '../days/names.ts';
import { saysNot } from '../languages/words.ts';
import type { Reply } from '../openai/reply.ts';
import type { Line } from '../openai/transcript.ts';
import { worthOf } from '../reader/model.ts';
import { readModel } from '../reader/weights.ts';
import type { Closing, OpenPromise } from '../types.ts';
import { contentWords, stem, wordsOf } from '../words.ts';
import { saidDate } from './saidDate.ts';

type Claimed = Reply['closings'][number];
type Ground = {
  lines: Line[];
  conversation: Conversation;
  openPromises: OpenPromise[];
  /** YYYY-MM-DD */
  today: string;
};

const MOST_SOURCES = 10;
/** For this many messages after a promise was mentioned, a short answer may mean it. */
const ANSWER_NEAR = 3;
/** The most words of a message that says something is done and not what. */
const MOST_BARE = 5;

/**
 * Keeps what can be trusted of what a model says became of promises: only those it was given, each once, and resting on
 * new messages that exist, speak of the promise or answer its message, and are by someone who may decide
 * ({@link authorityOver}). Where anyone else wrote as well there is a doubt, and so is there where the messages say that it
 * is still to be done; a new day is counted from the words said for it. Claims that rest on a question, on words about
 * something else or on nothing are dropped.
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
  const utterances = newlySaid(claim.lines, check).filter(utterance => mentions(utterance, check) !== 'nothing');
  if (utterances.length === 0) return null;
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
  const isSaidByRight =
    !othersSpoke(state, check) &&
    byRight.some(utterance => !namesOther(utterance, check) && !isStillToCome(utterance, state, check));
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
  return 'perhaps';
}

function namesIt(text: string, code: string, { things }: Check): boolean {
  const words = wordsOf(fold(text, code)).flatMap(word => [word, ...word.split(/[_-]/)]);
  return words.some(word => things.includes(stem(word)));
}

/** "Invoice 15": another one than was promised. */
function namesOther({ sentences }: Utterance, { promise: { text, request, sourceTexts = [] } }: Check): boolean {
  const numbersIn = (texts: string[]) => new Set(texts.flatMap(one => one.match(/\d{2,12}/g) ?? []));
  const promised = numbersIn([text, request?.words ?? '', ...sourceTexts]);
  const named = numbersIn(sentences.map(sentence => withoutQuotes(sentence.text)));
  return promised.size > 0 && named.size > 0 && named.isDisjointFrom(promised);
}

/** "I'll send the contract tomorrow" and "not sent yet" don't say that it is done. */
function isStillToCome({ sentences, pack, sentAt, day }: Utterance, state: Claimed['state'], check: Check): boolean {
  if (state !== 'done') return false;
  const parts = sentences.flatMap(({ text }) => text.split(/(?<=[,;،、，])/));
  const naming = parts.filter(part => namesIt(part, pack.code, check));
  return (naming.length > 0 ? naming : parts).some(part => {
    const when = findWhen(part, pack.code, sentAt, check.conversation.timezone);
    return saysNot(part, pack.code) || (when !== null && when.date > day);
  });
}

/** Without what someone else said or asked: "did you send it?" is what he wrote. */
const withoutQuotes = (text: string) => text.replaceAll(/[“„«"][^“”„«»"]{1,400}[”“»"]|^ ?(?:>|&gt;).{0,400}$/gmu, ' ');

/** Stems of the words of a promise that name something, without names of people and days. */
function thingsOf({ text, request, who, authors = [] }: OpenPromise, { pack, names }: Conversation): string[] {
  const called = [who ?? '', ...authors.map(({ name }) => name)].flatMap(name => wordsOf(fold(name, pack.code)));
  const people = new Set([...names.words, ...called]);
  return contentWords(wordsOf(fold(`${text} ${request?.words ?? ''}`, pack.code)), pack)
    .filter(word => !people.has(word) && !isDayName(word, pack.code))
    .map(stem);
}

/** A score of the reader, below which hardly a message settles anything: "good morning", "see you". */
const SETTLING = -2.7;

/** A file, or a few words that sound as if something was settled: "sent!", "got it, thanks" */
function isAnswer({ sentences, media }: Utterance): boolean {
  const settles = () => sentences.some(({ text }) => worthOf(readModel(), text, 'settles') >= SETTLING);
  return media !== null || (sentences.flatMap(({ words }) => words).length <= MOST_BARE && settles());
}

function onlyAsks({ sentences, media }: Utterance): boolean {
  return media === null && sentences.length > 0 && sentences.every(({ isQuestion }) => isQuestion);
}

/** Whether someone without the right wrote as well, who may have talked the model into it. */
function othersSpoke(state: Claimed['state'], { lines, authority, conversation }: Check): boolean {
  const fresh = new Set(lines.filter(({ told }) => !told).map(({ messageId }) => messageId));
  return conversation.utterances.some(one => fresh.has(one.messageId) && !authority.mayTell(state, one));
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
