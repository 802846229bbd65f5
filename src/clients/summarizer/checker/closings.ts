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
import { createClosingAuthority } from './closingAuthority.ts';

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
const MAX_MESSAGES_BEFORE_ANSWER = 3;
/** Maximum number of words of a message that says that something is done, without saying what. */
const MAX_SHORT_ANSWER_WORDS = 5;
/** Messages with a lower score of the reader hardly ever settle anything: "good morning", "see you". */
const MIN_SETTLING_SCORE = -2.7;

/**
 * Keeps a model's closings, one for each promise, if they cite new messages that mention the promise or answer a message that
 * does, by someone who may settle it ({@link createClosingAuthority}). A closing becomes `doubtful` if:
 * - someone wrote who may not settle the promise,
 * - the messages say that it is still to be done, or have no word of it,
 * - they don't say to which day it was moved; a day that they do say is counted from their words.
 * Claims that cite only questions, or nothing, are dropped; in groups, those that cite other matters, too.
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
  const hasAuthority = createClosingAuthority(promise, conversation);
  const { mentionsPromise, mayAnswerPromise, partsAboutPromise } = findMentions(promise, conversation, lines);
  // Messages that no digest covers yet. Forwarded ones don't count.
  const fresh = new Map(lines.filter(({ isCovered }) => !isCovered).map(line => [line.messageId, line]));
  const isCited = ({ messageId, forwarded }: Utterance) => {
    const line = fresh.get(messageId);
    return line && claim.lines.includes(line.n) && !line.isPromptInjection && !forwarded;
  };
  const cited = conversation.utterances.filter(isCited).slice(0, MAX_SOURCES);
  const aboutIt = cited.filter(one => mentionsPromise(one) || mayAnswerPromise(one));
  const telling = aboutIt.filter(tells);
  // In a private chat both sides know the context, so the model may paraphrase it.
  const mayMean = (one: Utterance) => !conversation.isGroup && tells(one) && hasAuthority(state, one) && saysMuch(one);
  const paraphrased = cited.filter(mayMean);
  if (paraphrased.length === 0 && (state === 'doubtful' ? aboutIt : telling).length === 0) return null;
  const messageIds = (aboutIt.length > 0 ? aboutIt : paraphrased).map(({ messageId }) => messageId);
  const doubt: Closing = { n, state: 'doubtful', newDueDate: null, messageIds };
  const byRight = telling.filter(one => hasAuthority(state, one) && mentionsPromise(one));
  if (state === 'moved' && telling.length > 0) {
    // "Can you send it on Monday?" – "Sure": the day may be in a question.
    const said = byRight.length > 0 ? aboutIt.filter(one => hasAuthority(state, one)) : [];
    const newDueDate = newDay(claim, said, { timezone: conversation.timezone, today });
    if (newDueDate === null) return said.length > 0 && claim.newDueDate === null ? doubt : null;
    return newDueDate === promise.dueDate ? null : { n, state, newDueDate, messageIds };
  }
  // "I'll send the contract tomorrow" and "not sent yet" don't say that it is done.
  const isStillToCome = (one: Utterance) => partsAboutPromise(one).some(part => isAhead(part, one, conversation.timezone));
  const isSaid = byRight.some(one => !namesOther(one, promise) && !(state === 'done' && isStillToCome(one)));
  // Someone without the right may have talked the model into it.
  const othersWrote = conversation.utterances.some(one => fresh.has(one.messageId) && !hasAuthority(state, one));
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

/**
 * Tests of a message against a promise. `mentionsPromise`: it has words of the promise, replies to its message, or is short
 * and follows its words. `mayAnswerPromise`: it names nothing, as "sent!" or a file does, so it may answer any promise.
 * `partsAboutPromise`: its parts with words of the promise, or all parts if none has.
 */
function findMentions(promise: OpenPromise, { pack, names, utterances }: Conversation, lines: TranscriptLine[]) {
  const texts = new Map(lines.map(({ messageId, text }) => [messageId, withoutQuotes(text)]));
  const rests = [...(promise.sourceMessageIds ?? []), promise.request?.messageId];
  const { text, request, who, authors = [] } = promise;
  const called = [who ?? '', ...authors.map(({ name }) => name)].flatMap(name => toWords(fold(name, pack.code)));
  const people = new Set([...names.words, ...called]);
  /** Stems of the promise's words that name a thing, so no person or day. */
  const things = contentWords(toWords(fold(`${text} ${request?.words ?? ''}`, pack.code)), pack)
    .filter(word => !people.has(word) && !isDayName(word, pack.code))
    .map(stem);
  const namesPromise = (said: string, code: string) =>
    toWords(fold(said, code)).some(word => [word, ...word.split(/[_-]/)].some(part => things.includes(stem(part))));
  const namesPromiseInText = ({ messageId, pack }: Utterance) => namesPromise(texts.get(messageId) ?? '', pack.code);
  const mayAnswerPromise = ({ sentences, media }: Utterance) => {
    const settles = () => sentences.some(sentence => scoreText(readModel(), sentence.text, 'settles') >= MIN_SETTLING_SCORE);
    return media !== null || (sentences.flatMap(({ words }) => words).length <= MAX_SHORT_ANSWER_WORDS && settles());
  };
  const mentionsPromise = (one: Utterance) => {
    const isReply = one.replyTo !== null && rests.includes(one.replyTo);
    const at = utterances.indexOf(one);
    const before = () => utterances.slice(Math.max(0, at - MAX_MESSAGES_BEFORE_ANSWER), at);
    return isReply || namesPromiseInText(one) || (mayAnswerPromise(one) && before().some(namesPromiseInText));
  };
  const partsAboutPromise = ({ sentences, pack }: Utterance) => {
    const parts = sentences.flatMap(sentence => sentence.text.split(/(?<=[,;،、，])/));
    const naming = parts.filter(part => namesPromise(part, pack.code));
    return naming.length > 0 ? naming : parts;
  };
  return { mentionsPromise, mayAnswerPromise, partsAboutPromise };
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
