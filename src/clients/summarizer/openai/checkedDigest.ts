import type { MessengerMessage } from '../../messenger/types.ts';
import { actionItemIds } from '../actionItemId.ts';
import { shorten } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { isSecret } from '../masking/mask.ts';
import type { Said } from '../translating/createTextCheck.ts';
import { namedAbroad } from '../translating/namedAbroad.ts';
import type {
  ActionItem,
  OpenPromise,
  StructuredDigest,
  SummarizerReport,
  Summary,
  SummarySentence,
} from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { REMOVED } from './addresses.ts';
import { type Anchor, type Anchoring, createAnchoring } from './anchoring.ts';
import { withoutBystanders } from './bystanders.ts';
import { closingsFrom } from './closings.ts';
import { foreignCurrencies } from './currencies.ts';
import { createWordCheck } from './foreignWords.ts';
import { createDayCheck } from './namedDays.ts';
import { nothingToSay } from './nothingToSay.ts';
import { createNumberCheck } from './numbers.ts';
import { createOwners } from './owners.ts';
import type { Reply } from './reply.ts';
import { saidDate } from './saidDates.ts';
import { EXAMPLE_NAME } from './systemPrompt.ts';
import type { Line } from './transcript.ts';

type Item = Reply['actionItems'][number];

/** What a model's answer is checked against. */
type Ground = Anchoring & {
  conversation: Conversation;
  /** The messages, as far as they were read. */
  messages: MessengerMessage[];
  /** YYYY-MM-DD */
  today: string;
  /** ISO 639-1 of the answer, or 'und'. */
  writtenIn: string;
  /** Of what people told each other, not of what is meant for a machine. */
  checkNumbers: Awaited<ReturnType<typeof createNumberCheck>>;
  /** The words and currencies that no one wrote. */
  checkWords: (text: string, isTitle?: boolean) => string[];
  namesForeignDay: ReturnType<typeof createDayCheck>;
};

/** A digest, with its sentences. */
export type Written = Pick<Summary, 'summary' | 'structured' | 'closings'> & { sentences: SummarySentence[] };

/** Characters of a quote that takes the place of a model's words, and messages quoted where nothing of them is left. */
const LONGEST_QUOTE = 200;
const MOST_QUOTES = 3;

/**
 * Makes the digest from what can be trusted in a model's answer. Links come from the messages themselves, dates from
 * the words said, names from the people who take part or are mentioned; a number, an address or a handle is in a message
 * that is cited. A text that fails becomes a quote of its message, or is left out; an item that rests on no message is
 * dropped. Also returns what it was checked against.
 */
export async function checkedDigest(
  reply: Reply,
  {
    lines,
    openPromises,
    ...read
  }: Omit<Ground, keyof Anchoring | 'checkNumbers' | 'checkWords' | 'namesForeignDay'> & {
    lines: Line[];
    openPromises?: OpenPromise[] | undefined;
  },
  report: (failure: SummarizerReport) => void,
): Promise<{ digest: Written; said: Said }> {
  const { conversation } = read;
  const toMachine = new Set(lines.filter(line => line.toMachine).map(({ messageId }) => messageId));
  const spoken = read.messages.filter(({ id }) => !toMachine.has(String(id)));
  const { timezone, language } = conversation;
  const texts = spoken.map(({ text, media }) => `${text} ${media?.name ?? ''}`);
  const foreignWords = await createWordCheck({ texts, conversation, writtenIn: read.writtenIn });
  const isNamedAbroad =
    read.writtenIn === language ? () => false : namedAbroad({ conversation, texts }, read.writtenIn);
  const checkWords: Ground['checkWords'] = (text, isTitle) => [
    ...foreignWords(text, isTitle).filter(word => !isNamedAbroad(word)),
    ...foreignCurrencies(text, texts, language),
  ];
  const checkNumbers = await createNumberCheck({ messages: spoken, timezone, language, today: read.today });
  const checks = { checkNumbers, checkWords, namesForeignDay: createDayCheck(conversation, read.writtenIn) };
  const ground = { ...read, ...createAnchoring(lines, conversation), ...checks };
  if (reply.sentiment === null) report(unknownValue('sentiment'));
  if (reply.urgency === null) report(unknownValue('urgency'));
  const structured: StructuredDigest = {
    topics: reply.topics.filter(topic => isFounded(topic, ground, true)),
    actionItems: actionItems(
      reply.actionItems.filter(({ text }) => !isCopied(text, read.messages)),
      ground,
    ),
    sentiment: reply.sentiment ?? 'neutral',
    urgency: reply.urgency ?? 'none',
    meetings: meetings(reply.meetings, ground),
    introductions: reply.introductions.filter(text => isFounded(text, ground)),
    dealSignals: reply.dealSignals,
    links: conversation.links,
    language: language === 'und' ? reply.language : language,
  };
  const days = [
    ...structured.actionItems.map(({ dueDate }) => dueDate),
    ...structured.meetings.map(({ date }) => date),
  ].filter(day => day !== null);
  const { sentences, left } = sentencesOf(reply, ground, days);
  if (left > 0) report({ code: 'AI_REPAIRED_OUTPUT', message: 'left out a sentence with what no one wrote' });
  const closings =
    openPromises && withQuotes(closingsFrom(reply.closings, { ...read, lines, openPromises }), read.messages);
  const digest = { summary: textOf(sentences), sentences, structured, ...(closings && { closings }) };
  return { digest, said: { conversation, texts, checkNumbers } };
}

/** Whether it is the instructions' own example: no one in the chat has that name or says it. */
function isCopied(text: string, messages: MessengerMessage[]): boolean {
  const isThere = (words: string) => words.includes(EXAMPLE_NAME);
  return isThere(text) && !messages.some(({ senderName, text: said }) => isThere(senderName) || isThere(said));
}

/** Languages written without spaces have none between sentences either. */
export function textOf(sentences: SummarySentence[]): string {
  return sentences.reduce((text, sentence) => {
    const space = text === '' || /[。！？]$/u.test(text) ? '' : ' ';
    return `${text}${space}${sentence.text}`;
  }, '');
}

/** Leaves out the value: it may be anything someone made the model write. */
function unknownValue(field: 'sentiment' | 'urgency'): SummarizerReport {
  return { code: 'AI_UNKNOWN_VALUE', message: `${field} is none of the known words` };
}

function actionItems(items: Item[], ground: Ground): ActionItem[] {
  const { anchor, conversation, today } = ground;
  const ownerOf = createOwners(conversation);
  const anchored = items.flatMap(item => {
    const cited = anchor(item);
    if (!cited) return [];
    const owned = ownerOf(item, cited.utterances);
    const found = conversation.isGroup ? withoutBystanders(cited, item.text, owned, conversation) : cited;
    const claim = { words: item.dueText, date: item.dueDate };
    const due = saidDate(claim, ofItsPeople(found, owned, conversation), {
      timezone: conversation.timezone,
      today,
    });
    // What a bystander added may be in its words.
    const said = wordsFor(item.text, { ...found, utterances: cited.utterances }, due.date, ground);
    return said ? [{ item, owned, found, due, said }] : [];
  });
  const texts = new Map(anchored.map(entry => [entry.said.toLowerCase(), entry]));
  const idOf = actionItemIds();
  return [...texts.values()].map(({ item, owned, found, due, said }) => ({
    // Never made from the model's words: they differ each time.
    id: idOf(found.sentence?.utterance.messageId ?? found.utterances[0].messageId, found.sentence?.words ?? []),
    text: said,
    ...owned,
    dueDate: due.date,
    dueText: due.words,
    ...(due.time !== null && { dueTime: due.time }),
    // Without a day there is nothing to list it by.
    ...(item.kind !== 'promise' && due.date !== null && { kind: item.kind }),
    sourceMessageIds: found.utterances.map(({ messageId }) => messageId),
  }));
}

/** In a group, whoever owes something and whoever began it say for when, not everyone whose words are cited. */
function ofItsPeople(
  found: Anchor,
  { owner, ownerName }: Pick<ActionItem, 'owner' | 'ownerName'>,
  { isGroup }: Conversation,
): Anchor {
  if (!isGroup) return found;
  const [first, ...others] = found.utterances;
  const isOwner = ({ fromUser, speaker }: Utterance) => (owner === 'user' ? fromUser : speaker === ownerName);
  const began = (one: Utterance) => one.speaker === first.speaker && one.senderId === first.senderId;
  const utterances: Anchor['utterances'] = [first, ...others.filter(one => isOwner(one) || began(one))];
  const isAmong = utterances.some(one => one === found.sentence?.utterance);
  return { utterances, sentence: isAmong ? found.sentence : first.sentences[0] };
}

/**
 * A model's words for something that people said, or theirs, where something in them is in none of the messages cited.
 * null where there are none to show.
 */
function wordsFor(
  text: string,
  { utterances, sentence }: Anchor,
  day: string | null,
  { checkNumbers, checkWords, namesForeignDay }: Ground,
): string | null {
  const cited = utterances.map(({ messageId }) => messageId);
  const { foreign, elsewhere } = checkNumbers(text, cited);
  const isFromThere = elsewhere.length === 0 && foreign.every(number => isOfDay(number, day));
  const isFounded = isFromThere && !text.includes(REMOVED) && checkWords(text).length === 0;
  if (isFounded && !namesForeignDay(text, utterances, [day])) return text;
  return sentence && !isSecret(sentence.text) ? shorten(sentence.text, LONGEST_QUOTE) : null;
}

/** The numbers of the day that was computed need no message. */
function isOfDay(number: string, day: string | null): boolean {
  const ofDay = (day ?? '').split('-').map(Number);
  return day !== null && number.split(/\D+/).every(part => ofDay.includes(Number(part)));
}

/** For what cites no message: its numbers are in any of them. */
function isFounded(text: string, { checkNumbers, checkWords }: Ground, isTitle = false): boolean {
  return !text.includes(REMOVED) && checkNumbers(text).foreign.length === 0 && checkWords(text, isTitle).length === 0;
}

/** Leaves out past meetings: they are news for the summary. */
function meetings(claimed: Reply['meetings'], ground: Ground): StructuredDigest['meetings'] {
  const { anchor, conversation, today } = ground;
  return claimed.flatMap(({ text, dateText, date, lines }) => {
    const found = anchor({ text, lines });
    if (!found) return [];
    const said = saidDate({ words: dateText, date }, found, { timezone: conversation.timezone, today });
    const words = wordsFor(text, found, said.date, ground);
    return !words || (said.date !== null && said.date < today) ? [] : [{ text: words, date: said.date }];
  });
}

/** Each with its messages, without those that say what no one wrote; quotes where none is left. */
function sentencesOf(
  reply: Reply,
  { sourcesOf, conversation, checkNumbers, checkWords, namesForeignDay }: Ground,
  days: string[],
): { sentences: SummarySentence[]; left: number } {
  const speakerOf = new Map(conversation.utterances.map(({ messageId, speaker }) => [messageId, speaker]));
  const founded = reply.summary.flatMap(sentence => {
    const cited = sourcesOf(sentence).map(({ messageId }) => messageId);
    const { foreign, elsewhere } = checkNumbers(sentence.text, cited, days);
    if (foreign.length > 0 || sentence.text.includes(REMOVED) || checkWords(sentence.text).length > 0) return [];
    if (namesForeignDay(sentence.text, conversation.utterances, days)) return [];
    // A number of someone else's may belong to another matter; of the same people, its message only was not cited.
    const speakers = new Set(cited.map(id => speakerOf.get(id)));
    if (elsewhere.some(id => !speakers.has(speakerOf.get(id)))) return [];
    return [{ text: sentence.text, sourceMessageIds: [...new Set([...cited, ...elsewhere])] }];
  });
  const left = reply.summary.length - founded.length;
  return { sentences: founded.length > 0 ? founded : quotesOf(conversation), left };
}

/** The last words that were said. */
function quotesOf(conversation: Conversation): SummarySentence[] {
  const quotes = conversation.utterances.flatMap(({ speaker, sentences, messageId }) => {
    const said = sentences.map(({ text }) => text).join(' ');
    const isQuotable = said !== '' && !isSecret(said);
    return isQuotable ? [{ text: `${speaker}: “${shorten(said, LONGEST_QUOTE)}”`, sourceMessageIds: [messageId] }] : [];
  });
  return quotes.length > 0 ? quotes.slice(-MOST_QUOTES) : [{ text: nothingToSay(conversation), sourceMessageIds: [] }];
}
