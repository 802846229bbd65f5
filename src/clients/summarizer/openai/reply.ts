import { z } from 'zod';
import { REMOVED } from '../checker/addresses.ts';
import { DEAL_SIGNALS } from '../languages/types.ts';
import { CLOSING_STATES, SENTIMENTS, type SummaryStyle, URGENCIES, type Urgency } from '../types.ts';
import { type TextConstraints, toMarkedText } from './plainText.ts';

const ITEM_KINDS = ['promise', 'appointment', 'deadline'] as const;
const OWNERS = ['user', 'contact', 'unknown'] as const;

const text = z.string();
const nullableText = text.nullable();
const ownerSchema = z.enum(OWNERS);
const kind = z.enum(ITEM_KINDS);
const lines = z.array(z.number());

/** The schema sent to the model, without length limits, which not every service accepts in a strict schema. */
export const strictReply = z.object({
  summary: z.array(z.object({ text, lines })),
  topics: z.array(text),
  actionItems: z.array(
    z.object({
      text,
      owner: ownerSchema,
      ownerName: nullableText,
      kind,
      dueText: nullableText,
      dueDate: nullableText,
      lines,
    }),
  ),
  sentiment: z.enum(SENTIMENTS),
  urgency: z.enum(URGENCIES),
  introductions: z.array(text),
  dealSignals: z.array(z.enum(DEAL_SIGNALS)),
  closings: z.array(
    z.object({ n: z.number(), state: z.enum(CLOSING_STATES), dateText: nullableText, newDueDate: nullableText, lines }),
  ),
});

/** More than any list needs; entries beyond it are not even looked at. */
const MAX_ENTRIES = 100;

/** Takes the entries that fit and leaves the others. */
export const lenientList = <T>(entry: z.ZodType<T>) =>
  z.array(z.unknown()).transform(list =>
    list.slice(0, MAX_ENTRIES).flatMap(value => {
      const parsed = entry.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );

const nonEmptyText = z.string().trim().min(1);
const maybeText = z.string().nullable().catch(null);
const maybeDay = z.iso.date().nullable().catch(null);
export const lineNumbers = lenientList(z.coerce.number().int().positive()).catch([]);
const word = z.string().trim().toLowerCase();
type Sentence = { text: string; lines: number[] };
const toUncited = (text: string): Sentence => ({ text, lines: [] });
const sentence = z.union([z.object({ text: nonEmptyText, lines: lineNumbers }), nonEmptyText.transform(toUncited)]);
const owner = word.transform(said => (said === 'you' ? 'user' : said)).pipe(z.enum(OWNERS));

/** Synonyms that some models send. Anything else becomes null, and the urgency is derived from the action items. */
const HIGH_WORDS = /high|urgent|critical|immediate|emergency/;
const urgency = word.transform((said): Urgency | null => {
  const known = URGENCIES.find(one => one === said.replaceAll(/\P{L}/gu, ''));
  return known ?? (HIGH_WORDS.test(said) ? 'high' : null);
});

/** Boundary after a full stop that ends neither an abbreviation nor an ordinal. */
const BETWEEN_SENTENCES =
  /(?<=[。！？])|(?<=(?<!(?<!\p{L})\p{L}|(?<!\p{N})\p{N}{1,2}|\b(?:Dr|Prof|Mr|Mrs|Ms|St|Nr|No|Sr|Sra))[.!?…؟।]["'”»)]{0,2}) (?=[^\p{Ll}\s])/u;
const textAsSentences = nonEmptyText.transform(text => text.replaceAll(/\s+/g, ' ').split(BETWEEN_SENTENCES).map(toUncited));

/** Only summary and action items must be there: without strict schemas, services drop, invent and mistype fields. */
export const lenientReply = z.object({
  /** May be one text, which some services without schemas send for simplicity. */
  summary: z.union([textAsSentences, lenientList(sentence).refine(list => list.length > 0)]),
  topics: lenientList(z.string()).catch([]),
  actionItems: lenientList(
    z.object({
      text: nonEmptyText,
      owner: owner.catch('unknown'),
      ownerName: maybeText,
      kind: word.pipe(z.enum(ITEM_KINDS)).catch('promise'),
      dueText: maybeText,
      dueDate: maybeDay,
      lines: lineNumbers,
    }),
  ),
  /** null for a word outside the closed set, which is reported. */
  sentiment: word.pipe(z.enum(SENTIMENTS)).nullable().catch(null),
  urgency: urgency.nullable().catch(null),
  introductions: lenientList(z.string()).catch([]),
  dealSignals: lenientList(word.pipe(z.enum(DEAL_SIGNALS))).catch([]),
  closings: lenientList(
    z.object({
      n: z.coerce.number().int().positive(),
      state: word.pipe(z.enum(CLOSING_STATES)),
      dateText: maybeText,
      newDueDate: maybeDay,
      lines: lineNumbers,
    }),
  ).catch([]),
});

/** A model's answer. {@link sanitizeReply} leaves plain, short texts, with {@link REMOVED} for foreign addresses. */
export type Reply = z.output<typeof lenientReply>;

export type ReadingRules = { known: TextConstraints; style: SummaryStyle };

const MAX_SUMMARY_LENGTH: Record<SummaryStyle, number> = { BUSINESS: 900, DETAILED: 2000, MINIMAL: 300 };
const MAX_ENTRIES_OF = { topics: 5, actionItems: 12, introductions: 5 };
const MAX_LENGTH_OF = { topic: 40, sentence: 200, name: 40, words: 60 };

/** `summary` is empty where nothing of it can be shown: as many sentences as the style has room for. */
export function sanitizeReply(reply: Reply, { known, style }: ReadingRules): Reply {
  const plain = (text: string, limit: number) => toMarkedText(text, limit, known);
  // Drops text that contained an address: its other words would mislead.
  const unmarked = (text: string, limit: number) => (plain(text, limit).includes(REMOVED) ? '' : plain(text, limit));
  const toNullable = (text: string | null, limit: number) => (text && unmarked(text, limit)) || null;
  const distinct = (texts: string[], limit: number) => {
    const said = texts.map(text => unmarked(text, limit)).filter(text => /[\p{L}\p{N}]/u.test(text));
    return [...new Map(said.toReversed().map(text => [text.toLowerCase(), text])).values()].reverse();
  };
  const limit = MAX_SUMMARY_LENGTH[style];
  let length = 0;
  const summary = reply.summary
    .map(({ text, lines }) => ({ text: plain(text, limit), lines }))
    .filter(({ text }) => {
      length += text.length + 1;
      return text !== '' && length <= limit + 1;
    });
  return {
    ...reply,
    summary: style === 'MINIMAL' ? summary.slice(0, 1) : summary,
    topics: distinct(reply.topics, MAX_LENGTH_OF.topic).slice(0, MAX_ENTRIES_OF.topics),
    actionItems: reply.actionItems
      .map(item => ({
        ...item,
        text: plain(item.text, MAX_LENGTH_OF.sentence),
        ownerName: toNullable(item.ownerName, MAX_LENGTH_OF.name),
        dueText: toNullable(item.dueText, MAX_LENGTH_OF.words),
      }))
      .filter(({ text }) => text !== '')
      .slice(0, MAX_ENTRIES_OF.actionItems),
    introductions: distinct(reply.introductions, MAX_LENGTH_OF.sentence).slice(0, MAX_ENTRIES_OF.introductions),
    dealSignals: [...new Set(reply.dealSignals)],
    closings: reply.closings.map(closing => ({ ...closing, dateText: toNullable(closing.dateText, MAX_LENGTH_OF.words) })),
  };
}

/** The texts by which the language of an answer is recognized. */
export function replyTexts({ summary, actionItems }: Reply): string[] {
  return [...summary, ...actionItems].map(({ text }) => text);
}
