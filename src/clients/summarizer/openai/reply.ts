import { REMOVED } from '../checker/addresses.ts';
import type { SummaryStyle } from '../types.ts';
import { type Known, markedText } from './plainText.ts';
import { type TakenReply, takenReply } from './replySchema.ts';

/**
 * A model's answer whose every text is plain, short and free of secrets and foreign addresses, with a mark
 * ({@link REMOVED}) where such an address was in a sentence, an item or a meeting.
 */
export type Reply = Omit<TakenReply, 'summary' | 'code'> & {
  /** Never empty. `lines` are what the model cites. */
  summary: CitedSentence[];
};
type CitedSentence = { text: string; lines: number[] };

export type ReadReply = {
  reply: Reply;
  /** The JSON was surrounded by other words. */
  wasWrapped: boolean;
  /** The model still saw the front of its prompt when it finished. */
  knowsCode: boolean;
};

export type ReadingRules = { known: Known; style: SummaryStyle /** What an answer must repeat. */; code: string };

/** Characters. No digest is a twentieth of it. */
const LONGEST_ANSWER = 300_000;
const LONGEST_SUMMARY: Record<SummaryStyle, number> = { BUSINESS: 900, DETAILED: 2000, MINIMAL: 300 };
const MOST = { topics: 5, actionItems: 12, meetings: 5, introductions: 5 };
const LONGEST = { topic: 40, sentence: 200, name: 40, words: 60 };

/** null when no digest can be made out of what the model wrote. */
export function readReply(content: string, rules: ReadingRules): ReadReply | null {
  const found = content.length <= LONGEST_ANSWER ? findObject(content) : null;
  const parsed = takenReply.safeParse(found?.value);
  if (!found || !parsed.success) return null;
  const { code, ...taken } = parsed.data;
  const reply = tidy(taken, rules);
  const knowsCode = code.toLowerCase().includes(rules.code);
  return reply.summary.length === 0 ? null : { reply, wasWrapped: found.wasWrapped, knowsCode };
}

/** The answer, or the outermost braces in it: models without a schema like to explain themselves. */
export function findObject(content: string): { value: unknown; wasWrapped: boolean } | null {
  const whole = parse(content);
  if (whole !== undefined) return { value: whole, wasWrapped: false };
  const thought = content.lastIndexOf('</think>');
  const said = thought < 0 ? content : content.slice(thought);
  const inner = parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
  return inner === undefined ? null : { value: inner, wasWrapped: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Taken = Omit<TakenReply, 'code'>;

function tidy(reply: Taken, { known, style }: ReadingRules): Reply {
  const plain = (limit: number) => (text: string) => markedText(text, limit, known);
  const maybe = (limit: number) => (text: string | null) => (text && unmarked(plain(limit)(text))) || null;
  const sentence = plain(LONGEST.sentence);
  const words = maybe(LONGEST.words);
  return {
    ...reply,
    summary: sentencesOf(reply.summary, { known, style }),
    topics: distinct(reply.topics.map(plain(LONGEST.topic))).slice(0, MOST.topics),
    actionItems: reply.actionItems
      .map(item => ({
        ...item,
        text: sentence(item.text),
        ownerName: maybe(LONGEST.name)(item.ownerName),
        dueText: words(item.dueText),
        dueDate: dayOnly(item.dueDate),
      }))
      .filter(({ text }) => text !== '')
      .slice(0, MOST.actionItems),
    meetings: reply.meetings
      .map(meeting => ({
        ...meeting,
        text: sentence(meeting.text),
        dateText: words(meeting.dateText),
        date: dayOnly(meeting.date),
      }))
      .filter(({ text }) => text !== '')
      .slice(0, MOST.meetings),
    introductions: distinct(reply.introductions.map(sentence)).slice(0, MOST.introductions),
    dealSignals: [...new Set(reply.dealSignals)],
    closings: reply.closings.map(closing => ({
      ...closing,
      dateText: words(closing.dateText),
      newDueDate: dayOnly(closing.newDueDate),
    })),
    language: /^[a-z]{2}$/.test(reply.language) ? reply.language : 'und',
  };
}

/** As many sentences as the style has room for, and at least the beginning of the first. */
function sentencesOf(
  summary: Taken['summary'],
  { known, style }: Pick<ReadingRules, 'known' | 'style'>,
): CitedSentence[] {
  const limit = LONGEST_SUMMARY[style];
  const plain = (text: string) => markedText(text, limit, known);
  const given =
    typeof summary === 'string'
      ? plain(summary)
          .split(BETWEEN_SENTENCES)
          .map(text => ({ text, lines: [] }))
      : summary.map(({ text, lines }) => ({ text: plain(text), lines }));
  let length = 0;
  return given.filter(({ text }) => {
    length += text.length + 1;
    return text !== '' && length <= limit + 1;
  });
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
