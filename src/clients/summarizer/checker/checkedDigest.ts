import { romanise } from '../../../lib/names/romanise.ts';
import { shorten } from '../../../lib/words.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { actionItemIds } from '../actionItemId.ts';
import { contentWords, fold, toWords } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { confirmDueDate, resolveDueDate } from '../days/resolveDueDate.ts';
import { hasMask } from '../masking/mask.ts';
import { isTitleWord } from '../names.ts';
import { detectAnswerLanguage } from '../openai/answerLanguage.ts';
import { EXAMPLE_NAME } from '../openai/prompt.ts';
import { type Reply, replyTexts } from '../openai/reply.ts';
import type { TranscriptLine } from '../openai/transcript.ts';
import type { ActionItem, OpenPromise, SummarizerReport, Summary, SummarySentence } from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import * as anchoring from './anchoring.ts';
import { checkClosings } from './closings.ts';
import { areSumsAndDaysCited, collectEvidence, type Evidence, isSupported, mentionsAny } from './evidence.ts';

/** The input of the check: the conversation that a model's answer must agree with. */
type CheckInput = {
  conversation: Conversation;
  /** The messages, as far as they were read. */
  messages: MessengerMessage[];
  /** YYYY-MM-DD */
  today: string;
  /** ISO 639-1 of the answer, or 'und'. */
  writtenIn: string;
  lines: TranscriptLine[];
};
type CheckContext = CheckInput & ReturnType<typeof anchoring.createAnchoring> & { evidence: Evidence };

/** Digest with its sentences; none if the day has nothing reliable. */
export type CheckedDigest = Pick<Summary, 'summary' | 'structured' | 'closings'> & { sentences: SummarySentence[] };

const MAX_MEETINGS = 5;
/** In characters. Quotes take the place of a model's words that no message supports. */
const MAX_QUOTE_LENGTH = 200;
const MAX_QUOTES = 3;

/**
 * Keeps the reliable parts of a model's answer: links from the messages, dates from their words, names of participants and
 * people mentioned. Unsupported text becomes a quote of the cited messages, or is dropped.
 */
export async function checkDigest(
  reply: Reply,
  { openPromises, ...read }: CheckInput & { openPromises?: OpenPromise[] | undefined },
  report: (failure: SummarizerReport) => void,
): Promise<CheckedDigest> {
  const { conversation, lines, messages, today } = read;
  const { language, links } = conversation;
  const closed = new Set(reply.closings.map(({ n }) => n));
  const evidence = await gatherEvidence(read, openPromises?.filter(({ n }) => closed.has(n)) ?? []);
  const checkContext: CheckContext = { ...read, ...anchoring.createAnchoring(lines, conversation), evidence };
  // The report doesn't quote the word, which people in the chat may have made the model write.
  for (const field of ['sentiment', 'urgency'] as const)
    if (reply[field] === null) report({ code: 'AI_UNKNOWN_VALUE', message: `${field} is none of the known words` });
  const items = checkActionItems(reply.actionItems, checkContext);
  const { sentences, replaced } = checkSentences(reply, checkContext, items);
  if (replaced > 0) report({ code: 'AI_REPAIRED_OUTPUT', message: 'replaced a sentence with what no one wrote' });
  const closings = openPromises && withQuotes(checkClosings(reply.closings, { ...read, openPromises }), messages);
  return {
    summary: joinSentences(sentences.map(({ text }) => text)),
    sentences,
    structured: {
      topics: reply.topics.filter(topic => isSupported(topic, evidence, { isHeading: true })),
      // A meeting without a day can't be listed.
      actionItems: items.map(({ kind, ...item }) => (kind && item.dueDate !== null ? { ...item, kind } : item)),
      sentiment: reply.sentiment ?? 'neutral',
      // Without a known urgency from the model, open items rule out `calm`.
      urgency: reply.urgency ?? (reply.actionItems.length > 0 ? 'medium' : 'none'),
      // Past ones are news for the summary.
      meetings: items
        .filter(({ kind, dueDate }) => kind === 'appointment' && (dueDate === null || dueDate >= today))
        .map(({ text, dueDate }) => ({ text, date: dueDate }))
        .slice(0, MAX_MEETINGS),
      introductions: reply.introductions.filter(text => isSupported(text, evidence)),
      dealSignals: reply.dealSignals,
      links,
      language: language === 'und' ? detectAnswerLanguage(replyTexts(reply)) : language,
    },
    ...(closings && { closings }),
  };
}

/** The evidence: the messages, except attempts at prompt injection, and the promises that the answer mentions. */
async function gatherEvidence(input: CheckInput, promises: OpenPromise[]): Promise<Evidence> {
  const { conversation, messages, today, writtenIn, lines } = input;
  const { names, speakers, utterances, language, timezone } = conversation;
  const toMachine = new Set(lines.filter(line => line.isPromptInjection).map(({ messageId }) => messageId));
  const spokenIn = new Map(utterances.map(({ messageId, pack }) => [messageId, pack.code]));
  const said = messages
    .filter(({ id }) => !toMachine.has(String(id)))
    .map(({ id, text, media, sentAt }) => {
      const messageId = String(id);
      return { text: `${text} ${media?.name ?? ''}`, language: spokenIn.get(messageId) ?? language, messageId, sentAt };
    });
  const promised = promises.map(({ text }) => ({ text, language }));
  const days = [today, ...promises.flatMap(({ dueDate }) => dueDate ?? [])];
  return collectEvidence({
    said: [...said, ...promised],
    languages: [language, writtenIn],
    timezone,
    mayCount: true,
    days,
    names: [...speakers, names.user, names.peer, ...names.words],
    people: names.words,
  });
}

/** Joins sentences with a space, except after the full stops of languages that are written without spaces. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, sentence) => text + (/^$|[。！？]$/u.test(text) ? '' : ' ') + sentence, '');
}

/** Whether the text is the instructions' example, whose names and words the chat lacks. */
function isCopied(text: string, messages: MessengerMessage[]): boolean {
  const isThere = (words: string) => words.includes(EXAMPLE_NAME);
  return isThere(text) && !messages.some(({ senderName, text: said }) => isThere(senderName) || isThere(said));
}

function checkActionItems(items: Reply['actionItems'], checkContext: CheckContext): ActionItem[] {
  const { anchor, conversation, evidence, messages, today } = checkContext;
  const { isGroup, timezone } = conversation;
  const ownerOf = createOwnerFinder(conversation, messages);
  const idOf = actionItemIds();
  const anchored = items.flatMap(item => {
    const cited = isCopied(item.text, messages) ? null : anchor(item);
    if (!cited) return [];
    const owned = ownerOf(item);
    const found = isGroup ? anchoring.withoutBystanders(cited, item.text, owned, conversation) : cited;
    const claim = { words: item.dueText, date: item.dueDate };
    const calendar = { timezone, today, days: evidence.days };
    const said = resolveDueDate(claim, isGroup ? anchoring.keepParticipants(found, owned) : found, calendar);
    const due =
      said.date === null
        ? (confirmDueDate(claim, anchoring.listAroundCited(cited, owned, conversation), calendar) ?? said)
        : said;
    const days = due.date === null ? [] : [due.date];
    const text = isBackedByMessages(item.text, days, cited.utterances, checkContext) ? item.text : quoteSentence(found);
    return text ? [{ kind: item.kind, owned, found, due, text }] : [];
  });
  const keyOf = ({ text, owned, due }: (typeof anchored)[number]) =>
    [text.toLowerCase(), owned.owner, owned.ownerName, due.date, due.time].join();
  const unique = new Map(anchored.map(one => [keyOf(one), one]));
  return [...unique.values()].map(({ kind, owned, found, due, text }) => ({
    // Made from the message's words, as the model's differ each time.
    id: idOf(found.sentence?.utterance.messageId ?? found.utterances[0].messageId, found.sentence?.words ?? []),
    text,
    ...owned,
    dueDate: due.date,
    dueText: due.words,
    ...(due.time !== null && { dueTime: due.time }),
    ...(kind !== 'promise' && { kind }),
    sourceMessageIds: found.utterances.map(({ messageId }) => messageId),
  }));
}

/** The sentence's words, shortened to be quoted; null if there are none or they contain a secret. */
function quoteSentence({ sentence }: anchoring.Anchor): string | null {
  return sentence && !hasMask(sentence.text) ? shorten(sentence.text, MAX_QUOTE_LENGTH) : null;
}

/** Whether the messages support the model's words, in a group those that it cites. `days`: computed for it (YYYY-MM-DD). */
function isBackedByMessages(text: string, days: string[], cited: readonly Utterance[], checkContext: CheckContext): boolean {
  const { conversation, evidence } = checkContext;
  const ids = cited.map(({ messageId }) => messageId);
  const isCited = () => !conversation.isGroup || areSumsAndDaysCited(text, ids, evidence, days);
  return isSupported(text, evidence, { days }) && (ids.length === 0 || (mentionsAny(text, evidence) && isCited()));
}

/** Replaces each unsupported sentence by quotes of what it cites; if none is left, quotes the last messages. */
function checkSentences({ summary }: Reply, checkContext: CheckContext, items: ActionItem[]) {
  const { citedBy, conversation } = checkContext;
  const checkedSentences = summary.map(({ text, lines }) => {
    const own = citedBy({ text, lines });
    const cited = own.length > 0 ? own : anchoring.findMostSimilar(text, conversation.utterances);
    const isShared = (item: ActionItem) => cited.some(({ messageId }) => item.sourceMessageIds.includes(messageId));
    const days = items.filter(item => !conversation.isGroup || isShared(item)).flatMap(({ dueDate }) => dueDate ?? []);
    return { text, cited, holds: isBackedByMessages(text, days, cited, checkContext) };
  });
  const quoted = new Set<string>();
  const isNew = ({ sourceMessageIds: [id = ''] }: SummarySentence) =>
    !quoted.has(id) && quoted.size < MAX_QUOTES && quoted.add(id);
  const sentences = checkedSentences.flatMap(({ text, cited, holds }): SummarySentence[] => {
    if (!holds) return chooseQuotes(text, cited).filter(isNew);
    return [{ text, sourceMessageIds: cited.map(({ messageId }) => messageId) }];
  });
  const last = () => chooseQuotes('', conversation.utterances).slice(-MAX_QUOTES);
  const replaced = checkedSentences.filter(({ holds }) => !holds).length;
  return { sentences: sentences.length > 0 ? sentences : last(), replaced };
}

/** Quotes of the messages that share words with a text, or of all of them if none does. */
function chooseQuotes(text: string, utterances: Utterance[]): SummarySentence[] {
  const sharing = anchoring.findMostSimilar(text, utterances, 1);
  return (sharing.length > 0 ? sharing : utterances).flatMap(({ speaker, sentences, messageId }) => {
    const said = sentences.map(({ text }) => text).join(' ');
    const isQuotable = said !== '' && !hasMask(said);
    return isQuotable ? [{ text: `${speaker}: “${shorten(said, MAX_QUOTE_LENGTH)}”`, sourceMessageIds: [messageId] }] : [];
  });
}

/** A word; an abbreviation with a dot inside, such as "Dott.ssa", is one. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:\.(?=\p{Ll})[\p{L}\p{M}]+)?/gu;

/** Finds an item's owner among the speakers and people mentioned, in any script; otherwise a side without a name. */
function createOwnerFinder({ names, isGroup, pack, utterances }: Conversation, messages: readonly MessengerMessage[]) {
  /** Matches both the short name used in the digest and the full name. */
  const user = { shown: names.user, name: names.user };
  const others = messages.filter(({ fromUser }) => !fromUser);
  const people = [
    ...(isGroup ? [] : [{ shown: names.peer, name: names.peer }]),
    ...others.map(message => ({ shown: names.sender(message), name: message.senderName })),
  ].filter(({ shown }) => shown !== names.user);
  /** Excludes everyday words that are also names. */
  const written = utterances.flatMap(({ sentences }) => sentences.flatMap(({ text }) => nameWords(text)));
  const mentioned = new Set(written.map(word => fold(word, pack.code)));

  return function ownerOf({ owner, ownerName }: anchoring.ItemOwner): anchoring.ItemOwner {
    const words = nameWords(ownerName ?? '');
    const name = words.join(' ');
    const findMeant = (list: typeof people) =>
      list.find(({ shown }) => name !== '' && shown.toLowerCase() === names.displayName(name).toLowerCase()) ??
      list.find(one => isSpelledAlike(nameWords(one.name), words));
    const exact = people.find(({ shown }) => shown === ownerName);
    // If the user shares the name with someone else, the contact's item belongs to that person.
    const person = exact ?? (owner === 'contact' ? (findMeant(people) ?? findMeant([user])) : findMeant([user, ...people]));
    if (owner === 'user' || person === user) return { owner: 'user', ownerName: names.user };
    if (person) return { owner: 'contact', ownerName: person.shown };
    const folded = toWords(fold(name, pack.code));
    const isMentioned = contentWords(folded, pack).length > 0 && folded.every(word => mentioned.has(word));
    if (isMentioned) return { owner, ownerName: name };
    return { owner, ownerName: owner === 'contact' && ownerName === null && !isGroup ? names.peer : null };
  };
}

/** Words that may be a name, and are no title. */
function nameWords(text: string): string[] {
  return (text.match(WORD) ?? []).filter(word => !/^\p{Ll}/u.test(word) && !isTitleWord(word));
}

/** Whether one name is a part of the other, in any script: "Dmitry Orlov" is Дмитрий Орлов. */
function isSpelledAlike(person: string[], name: string[]): boolean {
  const [ours, theirs] = [person.map(romanise), name.map(romanise)];
  const [shorter, longer] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
  return shorter.length > 0 && shorter.every(word => longer.some(other => other.some(form => word.includes(form))));
}
