import { createAuthority } from '../authority.ts';
import { contentWords, fold, stem, toWords } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { findWhen } from '../days/findWhen.ts';
import { isDayName } from '../days/names.ts';
import { resolveDueDate } from '../days/resolveDueDate.ts';
import { saysNot } from '../languages/words.ts';
import type { Reply } from '../openai/reply.ts';
import type { TranscriptLine } from '../openai/transcript.ts';
import { scoreText } from '../reader/model.ts';
import { readModel } from '../reader/weights.ts';
import type { Closing, OpenPromise } from '../types.ts';

type ClaimedClosing = Reply['closings'][number];
type Context = {
  lines: TranscriptLine[];
  conversation: Conversation;
  openPromises: OpenPromise[];
  /** YYYY-MM-DD */
  today: string;
};

const MAX_SOURCES = 10;
/** A short answer may refer to a promise that one of this many preceding messages mentions. */
const ANSWER_NEAR = 3;
/** The most words of a message that says something is done and not what. */
const MAX_SHORT_ANSWER_WORDS = 5;
/** A score of the reader, below which hardly a message settles anything: "good morning", "see you". */
const MIN_SETTLING_SCORE = -2.7;

/**
 * Keeps of a model's closings those of promises it was given, each once, resting on new messages that speak of the
 * promise or answer its message, by someone who may decide ({@link createAuthority}). It is doubtful where others wrote
 * too, where the messages call it still to be done, or lack any word of it or the day it was moved to, which is counted
 * from the words said. Claims on a question or on nothing are dropped, in groups also on something else.
 */
export function checkClosings(claimed: ClaimedClosing[], context: Context): Closing[] {
  const promises = new Map(context.openPromises.map(promise => [promise.n, promise]));
  return [...Map.groupBy(claimed, ({ n }) => n)].flatMap(([n, claims]) => {
    const promise = promises.get(n);
    const found = promise ? claims.flatMap(claim => checkClaim(claim, promise, context) ?? []) : [];
    const [first] = found;
    if (!first) return [];
    // Contradictory claims about one promise only raise a doubt.
    const isClear = found.every(({ state, newDueDate }) => state === first.state && newDueDate === first.newDueDate);
    const messageIds = [...new Set(found.flatMap(closing => closing.messageIds))];
    return [isClear ? { ...first, messageIds } : { n, state: 'doubtful', newDueDate: null, messageIds }];
  });
}

function checkClaim(claim: ClaimedClosing, promise: OpenPromise, { lines, conversation, today }: Context): Closing | null {
  const { n, state } = claim;
  const mayClose = createAuthority(promise, conversation);
  const { isIt, mayBeIt, partsOfIt } = findMentions(promise, conversation, lines);
  // Messages that no digest covers yet. Forwarded ones don't count.
  const fresh = new Map(lines.filter(({ isCovered }) => !isCovered).map(line => [line.messageId, line]));
  const isCited = ({ messageId, forwarded }: Utterance) => {
    const line = fresh.get(messageId);
    return line && claim.lines.includes(line.n) && !line.isPromptInjection && !forwarded;
  };
  const cited = conversation.utterances.filter(isCited).slice(0, MAX_SOURCES);
  const aboutIt = cited.filter(one => isIt(one) || mayBeIt(one));
  const telling = aboutIt.filter(tells);
  // In a private chat both sides know the context, so the model may paraphrase it.
  const mayMean = (one: Utterance) => !conversation.isGroup && tells(one) && mayClose(state, one) && saysMuch(one);
  const paraphrased = cited.filter(mayMean);
  if (paraphrased.length === 0 && (state === 'doubtful' ? aboutIt : telling).length === 0) return null;
  const messageIds = (aboutIt.length > 0 ? aboutIt : paraphrased).map(({ messageId }) => messageId);
  const doubt: Closing = { n, state: 'doubtful', newDueDate: null, messageIds };
  const byRight = telling.filter(one => mayClose(state, one) && isIt(one));
  if (state === 'moved' && telling.length > 0) {
    // "Can you send it on Monday?" – "Sure": the day may be in a question.
    const said = byRight.length > 0 ? aboutIt.filter(one => mayClose(state, one)) : [];
    const newDueDate = newDay(claim, said, { timezone: conversation.timezone, today });
    if (newDueDate === null) return said.length > 0 && claim.newDueDate === null ? doubt : null;
    return newDueDate === promise.dueDate ? null : { n, state, newDueDate, messageIds };
  }
  // "I'll send the contract tomorrow" and "not sent yet" don't say that it is done.
  const isStillToCome = (one: Utterance) => partsOfIt(one).some(part => isAhead(part, one, conversation.timezone));
  const isSaid = byRight.some(one => !namesOther(one, promise) && !(state === 'done' && isStillToCome(one)));
  // Someone without the right may have talked the model into it.
  const othersWrote = conversation.utterances.some(one => fresh.has(one.messageId) && !mayClose(state, one));
  return isSaid && !othersWrote ? { n, state, newDueDate: null, messageIds } : doubt;
}

const tells = ({ sentences, media }: Utterance) =>
  media !== null || sentences.length === 0 || !sentences.every(({ isQuestion }) => isQuestion);

const saysMuch = ({ sentences }: Utterance) =>
  sentences.flatMap(({ text }) => toWords(withoutQuotes(text))).length > MAX_SHORT_ANSWER_WORDS;

/** Whether a part of a message names a later day, or says no. */
function isAhead(part: string, { pack, sentAt, day }: Utterance, timezone: string): boolean {
  const when = findWhen(part, pack.code, sentAt, timezone);
  return saysNot(part, pack.code) || (when !== null && when.date > day);
}

/** Messages that share words with a promise, reply to it, or answer one that does; perhaps a mere "sent!" or a file. */
function findMentions(promise: OpenPromise, { pack, names, utterances }: Conversation, lines: TranscriptLine[]) {
  const texts = new Map(lines.map(({ messageId, text }) => [messageId, withoutQuotes(text)]));
  const rests = [...(promise.sourceMessageIds ?? []), promise.request?.messageId];
  const { text, request, who, authors = [] } = promise;
  const called = [who ?? '', ...authors.map(({ name }) => name)].flatMap(name => toWords(fold(name, pack.code)));
  const people = new Set([...names.words, ...called]);
  /** Stems of its words that name something: no person or day. */
  const things = contentWords(toWords(fold(`${text} ${request?.words ?? ''}`, pack.code)), pack)
    .filter(word => !people.has(word) && !isDayName(word, pack.code))
    .map(stem);
  const namesIt = (said: string, code: string) =>
    toWords(fold(said, code)).some(word => [word, ...word.split(/[_-]/)].some(part => things.includes(stem(part))));
  const isNamedBy = ({ messageId, pack }: Utterance) => namesIt(texts.get(messageId) ?? '', pack.code);
  const mayBeIt = ({ sentences, media }: Utterance) => {
    const settles = () => sentences.some(sentence => scoreText(readModel(), sentence.text, 'settles') >= MIN_SETTLING_SCORE);
    return media !== null || (sentences.flatMap(({ words }) => words).length <= MAX_SHORT_ANSWER_WORDS && settles());
  };
  const isIt = (one: Utterance) => {
    const isReply = one.replyTo !== null && rests.includes(one.replyTo);
    const at = utterances.indexOf(one);
    const before = () => utterances.slice(Math.max(0, at - ANSWER_NEAR), at);
    return isReply || isNamedBy(one) || (mayBeIt(one) && before().some(isNamedBy));
  };
  const partsOfIt = ({ sentences, pack }: Utterance) => {
    const parts = sentences.flatMap(sentence => sentence.text.split(/(?<=[,;،、，])/));
    const naming = parts.filter(part => namesIt(part, pack.code));
    return naming.length > 0 ? naming : parts;
  };
  return { isIt, mayBeIt, partsOfIt };
}

/** Whether the message names other numbers than the promise, as "invoice 15" instead of 14. */
function namesOther({ sentences }: Utterance, { text, request, sourceTexts = [] }: OpenPromise): boolean {
  const numbersIn = (texts: string[]) => new Set(texts.flatMap(one => one.match(/\d{2,12}/g) ?? []));
  const promised = numbersIn([text, request?.words ?? '', ...sourceTexts]);
  const named = numbersIn(sentences.map(sentence => withoutQuotes(sentence.text)));
  return promised.size > 0 && named.size > 0 && named.isDisjointFrom(promised);
}

/** Removes quotations, as the quoted words may be someone else's. */
const withoutQuotes = (text: string) => text.replaceAll(/[“„«"][^“”„«»"]{1,400}[”“»"]|^ ?(?:>|&gt;).{0,400}$/gmu, ' ');

/** The day (YYYY-MM-DD) to which the promise was moved; null if none of the messages names it or it is past. */
function newDay(claim: ClaimedClosing, [first, ...others]: Utterance[], calendar: { timezone: string; today: string }) {
  const { dateText: words, newDueDate } = claim;
  if (!first) return null;
  const said = [first, ...others].flatMap(({ sentences }) => sentences);
  const sentence = said.find(({ text }) => words !== null && text.includes(words));
  const { date } = resolveDueDate({ words, date: newDueDate }, { utterances: [first, ...others], sentence }, calendar);
  return date === null || date < calendar.today || (words === null && date !== newDueDate) ? null : date;
}
