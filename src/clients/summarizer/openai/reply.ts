import { REMOVED } from '../checker/addresses.ts';
import type { SummaryStyle, Urgency } from '../types.ts';
import { type Known, markedText } from './plainText.ts';
import { readJson } from './readJson.ts';
import { type TakenReply, takenReply } from './replySchema.ts';

/**
 * A model's answer whose every text is plain, short and free of secrets and foreign addresses, with a mark
 * ({@link REMOVED}) where such an address was in a sentence, an item or a meeting.
 */
export type Reply = Omit<TakenReply, 'summary'> & {
  /** Never empty. `lines` are what the model cites. */
  summary: CitedSentence[];
  /** The appointments among the items. */
  meetings: { text: string; dateText: string | null; date: string | null; lines: number[] }[];
  /** ISO 639-1 of its texts, or 'und'. */
  language: string;
};
type CitedSentence = { text: string; lines: number[] };

/** `unknown`: which words were outside their closed set. */
export type ReadReply = { reply: Reply; wasMended: boolean; unknown: ('sentiment' | 'urgency')[] };

export type ReadingRules = { known: Known; style: SummaryStyle };

const LONGEST_SUMMARY: Record<SummaryStyle, number> = { BUSINESS: 900, DETAILED: 2000, MINIMAL: 300 };
const MOST = { topics: 5, actionItems: 12, meetings: 5, introductions: 5 };
const LONGEST = { topic: 40, sentence: 200, name: 40, words: 60 };

export function readReply(content: string, rules: ReadingRules): ReadReply | 'cutOff' | 'none' {
  const read = readJson(content, takenReply);
  if (typeof read === 'string') return read;
  const reply = tidy(read.value, rules);
  if (reply.summary.length === 0) return 'none';
  const { sentiment, urgency } = read.value;
  const unknown = [
    ...(sentiment === null ? (['sentiment'] as const) : []),
    ...(urgency === null ? (['urgency'] as const) : []),
  ];
  return { reply, wasMended: read.wasMended, unknown };
}

function tidy(taken: TakenReply, { known, style }: ReadingRules): Reply {
  const plain = (limit: number) => (text: string) => markedText(text, limit, known);
  const maybe = (limit: number) => (text: string | null) => (text && unmarked(plain(limit)(text))) || null;
  const sentence = plain(LONGEST.sentence);
  const words = maybe(LONGEST.words);
  const actionItems = taken.actionItems
    .map(item => ({
      ...item,
      text: sentence(item.text),
      ownerName: maybe(LONGEST.name)(item.ownerName),
      dueText: words(item.dueText),
      dueDate: dayOnly(item.dueDate),
    }))
    .filter(({ text }) => text !== '')
    .slice(0, MOST.actionItems);
  return {
    ...taken,
    summary: sentencesOf(taken.summary, { known, style }),
    topics: distinct(taken.topics.map(plain(LONGEST.topic))).slice(0, MOST.topics),
    actionItems,
    meetings: actionItems
      .filter(({ kind }) => kind === 'appointment')
      .map(({ text, dueText, dueDate, lines }) => ({ text, dateText: dueText, date: dueDate, lines }))
      .slice(0, MOST.meetings),
    sentiment: taken.sentiment ?? 'neutral',
    urgency: taken.urgency ?? urgencyOf(actionItems),
    introductions: distinct(taken.introductions.map(sentence)).slice(0, MOST.introductions),
    dealSignals: [...new Set(taken.dealSignals)],
    closings: taken.closings.map(closing => ({
      ...closing,
      dateText: words(closing.dateText),
      newDueDate: dayOnly(closing.newDueDate),
    })),
    language: 'und',
  };
}

/** Where the model's word for it is not known, what is open is not calm. */
function urgencyOf(actionItems: unknown[]): Urgency {
  return actionItems.length > 0 ? 'medium' : 'none';
}

/** As many sentences as the style has room for, and at least the beginning of the first. */
function sentencesOf(summary: TakenReply['summary'], { known, style }: ReadingRules): CitedSentence[] {
  const limit = LONGEST_SUMMARY[style];
  const plain = (text: string) => markedText(text, limit, known);
  const given =
    typeof summary === 'string'
      ? plain(summary)
          .split(BETWEEN_SENTENCES)
          .map(text => ({ text, lines: [] }))
      : summary.map(({ text, lines }) => ({ text: plain(text), lines }));
  let length = 0;
  const kept = given.filter(({ text }) => {
    length += text.length + 1;
    return text !== '' && length <= limit + 1;
  });
  return style === 'MINIMAL' ? kept.slice(0, 1) : kept;
}

/** After a full stop that doesn't end an abbreviation or an ordinal. */
const BETWEEN_SENTENCES =
  /(?<=[。！？])|(?<=(?<!(?<!\p{L})\p{L}|(?<!\p{N})\p{N}{1,2}|\b(?:Dr|Prof|Mr|Mrs|Ms|St|Nr|No|Sr|Sra))[.!?…؟।]["'”»)]{0,2}) (?=[^\p{Ll}\s])/u;

/** Nothing where an address was: without it, the words around it mislead. */
function unmarked(text: string): string {
  return text.includes(REMOVED) ? '' : text;
}

function dayOnly(date: string | null): string | null {
  return date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null;
}

/** The texts without empty and marked ones, each once regardless of capitals. */
function distinct(texts: string[]): string[] {
  const said = texts.map(unmarked).filter(text => /[\p{L}\p{N}]/u.test(text));
  return [...new Map(said.toReversed().map(text => [text.toLowerCase(), text])).values()].reverse();
}
