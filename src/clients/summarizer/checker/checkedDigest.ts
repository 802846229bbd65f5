import type { MessengerMessage } from '../../messenger/types.ts';
import { actionItemIds } from '../actionItemId.ts';
import { shorten } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { detectLanguage } from '../language.ts';
import { saysNot } from '../languages/words.ts';
import { isSecret } from '../masking/mask.ts';
import { nothingToSay } from '../openai/nothingToSay.ts';
import type { Reply } from '../openai/reply.ts';
import { EXAMPLE_NAME } from '../openai/systemPrompt.ts';
import type { Line } from '../openai/transcript.ts';
import type {
  ActionItem,
  OpenPromise,
  StructuredDigest,
  SummarizerReport,
  Summary,
  SummarySentence,
} from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { type Anchor, alike, createAnchoring, ofItsPeople, stemsOf, withoutBystanders } from './anchoring.ts';
import { closingsFrom } from './closings.ts';
import { figuresIn } from './figures.ts';
import { createOwners } from './owners.ts';
import { saidDate } from './saidDate.ts';
import { createGround, type Ground, unfounded } from './unfounded.ts';

type Item = Reply['actionItems'][number];

/** What a model's answer is checked against. */
type Read = {
  conversation: Conversation;
  /** The messages, as far as they were read. */
  messages: MessengerMessage[];
  /** YYYY-MM-DD */
  today: string;
  /** ISO 639-1 of the answer, or 'und'. */
  writtenIn: string;
  lines: Line[];
};
type Checking = Read &
  ReturnType<typeof createAnchoring> & {
    ground: Ground;
    /** Of all words that mean something. */
    beginnings: ReadonlySet<string>;
  };

/** A digest, with its sentences. */
export type Written = Pick<Summary, 'summary' | 'structured' | 'closings'> & { sentences: SummarySentence[] };

/** Characters of a quote that takes the place of a model's words, quotes of a digest, and characters with these. */
const LONGEST_QUOTE = 200;
const MOST_QUOTES = 3;
const LONGEST_WITH_QUOTES = 900;

/**
 * Makes the digest from what can be trusted in a model's answer. Links come from the messages themselves, dates from the
 * words said, names from the people who take part or are mentioned. A text that says what no one wrote ({@link unfounded})
 * becomes a quote of the messages it cites, or is left out; an item that rests on no message is dropped.
 */
export async function checkedDigest(
  reply: Reply,
  { openPromises, ...read }: Read & { openPromises?: OpenPromise[] | undefined },
  report: (failure: SummarizerReport) => void,
): Promise<{ digest: Written; said: { conversation: Conversation } }> {
  const { conversation, lines, messages } = read;
  const { language, links } = conversation;
  const closed = new Set(reply.closings.map(({ n }) => n));
  const promises = openPromises?.filter(({ n }) => closed.has(n)) ?? [];
  const said = conversation.utterances.flatMap(({ sentences }) => sentences);
  const beginnings = new Set(said.flatMap(({ stems }) => stems.map(beginningOf)));
  const checking = {
    ...read,
    ...createAnchoring(lines, conversation),
    ground: await groundOf(read, promises),
    beginnings,
  };
  if (reply.sentiment === null) report(unknownValue('sentiment'));
  if (reply.urgency === null) report(unknownValue('urgency'));
  const isFounded = (text: string) => unfounded(text, checking.ground).length === 0;
  const structured: StructuredDigest = {
    topics: reply.topics.filter(topic => unfounded(topic, checking.ground, { isHeading: true }).length === 0),
    actionItems: actionItems(reply.actionItems, checking),
    sentiment: reply.sentiment ?? 'neutral',
    urgency: reply.urgency ?? 'none',
    meetings: meetings(reply.meetings, checking),
    introductions: reply.introductions.filter(isFounded),
    dealSignals: reply.dealSignals,
    links,
    language: language === 'und' ? reply.language : language,
  };
  const dates = [
    ...structured.actionItems.map(({ dueDate }) => dueDate),
    ...structured.meetings.map(({ date }) => date),
  ];
  const { sentences, replaced } = sentencesOf(
    reply,
    checking,
    dates.filter(date => date !== null),
  );
  if (replaced > 0) report({ code: 'AI_REPAIRED_OUTPUT', message: 'replaced a sentence with what no one wrote' });
  const closings = openPromises && withQuotes(closingsFrom(reply.closings, { ...read, openPromises }), messages);
  const digest = { summary: textOf(sentences), sentences, structured, ...(closings && { closings }) };
  return { digest, said: { conversation } };
}

/** What people told each other, not what is meant for a machine, and the promises of which something is told. */
async function groundOf(
  { conversation, messages, today, writtenIn, lines }: Read,
  promises: OpenPromise[],
): Promise<Ground> {
  const { names, speakers, utterances, language, timezone } = conversation;
  const toMachine = new Set(lines.filter(line => line.toMachine).map(({ messageId }) => messageId));
  const spokenIn = new Map(utterances.map(({ messageId, pack }) => [messageId, pack.code]));
  const said = messages.flatMap(({ id, text, media, sentAt }) =>
    toMachine.has(String(id))
      ? []
      : [{ text: `${text} ${media?.name ?? ''}`, language: spokenIn.get(String(id)) ?? language, sentAt }],
  );
  const promised = promises.map(({ text }) => ({ text, language }));
  const days = [today, ...promises.flatMap(({ dueDate }) => dueDate ?? [])];
  return createGround({
    ...{ said: [...said, ...promised], languages: [language, writtenIn], timezone, mayCount: true, days },
    ...{ names: [...speakers, names.user, names.peer, ...names.words], people: names.words },
  });
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

/** Whether it is the instructions' own example: no one in the chat has that name or says it. */
function isCopied({ text }: Item, messages: MessengerMessage[]): boolean {
  const isThere = (words: string) => words.includes(EXAMPLE_NAME);
  return isThere(text) && !messages.some(({ senderName, text: said }) => isThere(senderName) || isThere(said));
}

function actionItems(items: Item[], checking: Checking): ActionItem[] {
  const { anchor, conversation, messages, today } = checking;
  const { isGroup, timezone } = conversation;
  const ownerOf = createOwners(conversation, messages);
  const anchored = items.flatMap(item => {
    const cited = isCopied(item, messages) ? null : anchor(item);
    if (!cited) return [];
    const owned = ownerOf(item);
    const found = isGroup ? withoutBystanders(cited, item.text, owned, conversation) : cited;
    const claim = { words: item.dueText, date: item.dueDate };
    const due = saidDate(claim, isGroup ? ofItsPeople(found, owned) : found, { timezone, today });
    const text = wordsFor(item.text, found, due.date, checking);
    return text ? [{ item, owned, found, due, text }] : [];
  });
  const texts = new Map(anchored.map(entry => [entry.text.toLowerCase(), entry]));
  const idOf = actionItemIds();
  return [...texts.values()].map(({ item, owned, found, due, text }) => ({
    // Never made from the model's words: they differ each time.
    id: idOf(found.sentence?.utterance.messageId ?? found.utterances[0].messageId, found.sentence?.words ?? []),
    text,
    ...owned,
    dueDate: due.date,
    dueText: due.words,
    ...(due.time !== null && { dueTime: due.time }),
    // Without a day there is nothing to list it by.
    ...(item.kind !== 'promise' && due.date !== null && { kind: item.kind }),
    sourceMessageIds: found.utterances.map(({ messageId }) => messageId),
  }));
}

/** A model's words for something that people said, or theirs. null where there are none to show. */
function wordsFor(text: string, { sentence }: Anchor, day: string | null, checking: Checking): string | null {
  const days = day === null ? [] : [day];
  if (unfounded(text, checking.ground, { days }).length === 0 && isTalkedOf(text, checking)) return text;
  return sentence && !isSecret(sentence.text) ? shorten(sentence.text, LONGEST_QUOTE) : null;
}

/**
 * Whether a text in the conversation's language has a word or figure of it at all, beside names: "they threatened to sue"
 * has none. What did not happen may be told in other words.
 */
function isTalkedOf(text: string, { conversation, beginnings, writtenIn }: Checking): boolean {
  const { language, pack, names } = conversation;
  if (writtenIn !== language) return true;
  const found = detectLanguage([text]);
  // With articles and the like in one word, or without spaces, hardly a word is the same.
  if ((found !== language && found !== 'und') || /\p{Lo}/u.test(text) || saysNot(text, language)) return true;
  const own = [...stemsOf(text, { pack })].filter(stem => !names.words.has(stem));
  return (
    own.length === 0 || own.some(stem => beginnings.has(beginningOf(stem))) || figuresIn(text, language).length > 0
  );
}

/** "Meeting" is what "meet" says. */
const beginningOf = (stem: string) => stem.slice(0, 4);

/** Leaves out past meetings: they are news for the summary. */
function meetings(claimed: Reply['meetings'], checking: Checking): StructuredDigest['meetings'] {
  const { anchor, conversation, today } = checking;
  return claimed.flatMap(({ text, dateText, date, lines }) => {
    const found = anchor({ text, lines });
    if (!found) return [];
    const said = saidDate({ words: dateText, date }, found, { timezone: conversation.timezone, today });
    const words = wordsFor(text, found, said.date, checking);
    return !words || (said.date !== null && said.date < today) ? [] : [{ text: words, date: said.date }];
  });
}

/** Each with its messages; quotes of these where it says what no one wrote, and the last words where nothing is left. */
function sentencesOf(
  reply: Reply,
  checking: Checking,
  days: string[],
): { sentences: SummarySentence[]; replaced: number } {
  const { citedBy, conversation, ground } = checking;
  const read = reply.summary.map(({ text, lines }) => {
    const cited = citedBy({ text, lines });
    const holds = unfounded(text, ground, { days }).length === 0 && (cited.length === 0 || isTalkedOf(text, checking));
    return { text, cited, holds };
  });
  const kept = read.filter(({ holds }) => holds);
  let left = LONGEST_WITH_QUOTES - kept.reduce((length, { text }) => length + text.length + 1, 0);
  const quoted = new Set<string>();
  const sentences = read.flatMap(({ text, cited, holds }): SummarySentence[] => {
    if (!holds)
      return quotesOf(text, cited).filter(({ text: quote, sourceMessageIds: [id = ''] }) => {
        if (quoted.has(id) || quoted.size >= MOST_QUOTES || quote.length >= left) return false;
        left -= quote.length + 1;
        return quoted.add(id);
      });
    const found = cited.length > 0 ? cited : alike(text, conversation.utterances);
    return [{ text, sourceMessageIds: found.map(({ messageId }) => messageId) }];
  });
  const replaced = read.length - kept.length;
  if (sentences.length > 0) return { sentences, replaced };
  const last = quotesOf('', conversation.utterances).slice(-MOST_QUOTES);
  return { sentences: last.length > 0 ? last : [{ text: nothingToSay(conversation), sourceMessageIds: [] }], replaced };
}

/** What messages say, those that share words with a text if any do. */
function quotesOf(text: string, utterances: Utterance[]): SummarySentence[] {
  const sharing = alike(text, utterances, 1);
  return (sharing.length > 0 ? sharing : utterances).flatMap(({ speaker, sentences, messageId }) => {
    const said = sentences.map(({ text }) => text).join(' ');
    const isQuotable = said !== '' && !isSecret(said);
    return isQuotable ? [{ text: `${speaker}: “${shorten(said, LONGEST_QUOTE)}”`, sourceMessageIds: [messageId] }] : [];
  });
}
