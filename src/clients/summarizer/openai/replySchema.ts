import { z } from 'zod';
import { DEAL_SIGNALS } from '../languages/types.ts';
import { CLOSING_STATES, SENTIMENTS, URGENCIES, type Urgency } from '../types.ts';

export const ITEM_KINDS = ['promise', 'appointment', 'deadline'] as const;
const OWNERS = ['user', 'contact', 'unknown'] as const;

/** What the model is asked for. Without length limits, which not every service accepts in a strict schema. */
export const askedReply = z.object({
  summary: z.array(z.object({ text: z.string(), lines: z.array(z.number()) })),
  topics: z.array(z.string()),
  actionItems: z.array(
    z.object({
      text: z.string(),
      owner: z.enum(OWNERS),
      ownerName: z.string().nullable(),
      kind: z.enum(ITEM_KINDS),
      dueText: z.string().nullable(),
      dueDate: z.string().nullable(),
      lines: z.array(z.number()),
    }),
  ),
  sentiment: z.enum(SENTIMENTS),
  urgency: z.enum(URGENCIES),
  introductions: z.array(z.string()),
  dealSignals: z.array(z.enum(DEAL_SIGNALS)),
  closings: z.array(
    z.object({
      n: z.number(),
      state: z.enum(CLOSING_STATES),
      dateText: z.string().nullable(),
      newDueDate: z.string().nullable(),
      lines: z.array(z.number()),
    }),
  ),
});

/** More than any list needs; entries beyond it are not even looked at. */
const MOST_ENTRIES = 100;

/** Takes the entries that fit and leaves the others. */
export const listOf = <T>(entry: z.ZodType<T>) =>
  z.array(z.unknown()).transform(list =>
    list.slice(0, MOST_ENTRIES).flatMap(value => {
      const parsed = entry.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );

const someText = z.string().trim().min(1);
const maybeText = z.string().nullable().catch(null);
export const lineNumbers = listOf(z.coerce.number().int().positive()).catch([]);
const word = z.string().trim().toLowerCase();
const sentence = z.union([
  z.object({ text: someText, lines: lineNumbers }),
  someText.transform(text => ({ text, lines: [] })),
]);
const owner = word.transform(said => (said === 'you' ? 'user' : said)).pipe(z.enum(OWNERS));

/** In other words than those asked for; what none of these says is left to the items. */
const HIGH = /high|urgent|critical|immediate|emergency/;
const urgency = word.transform((said): Urgency | null => {
  const known = URGENCIES.find(one => one === said.replaceAll(/\P{L}/gu, ''));
  return known ?? (HIGH.test(said) ? 'high' : null);
});

/**
 * What is accepted: a summary and a list of action items must be there, the rest may be missing or wrong.
 * Services without strict schemas drop fields, write numbers as strings and invent values; fields no one asked for are
 * dropped.
 */
export const takenReply = z.object({
  /** May be one text, which some services without schemas send for simplicity. */
  summary: z.union([someText, listOf(sentence).refine(list => list.length > 0)]),
  topics: listOf(z.string()).catch([]),
  actionItems: listOf(
    z.object({
      text: someText,
      owner: owner.catch('unknown'),
      ownerName: maybeText,
      kind: word.pipe(z.enum(ITEM_KINDS)).catch('promise'),
      dueText: maybeText,
      dueDate: maybeText,
      lines: lineNumbers,
    }),
  ),
  /** null for a word outside the closed set, which is reported. */
  sentiment: word.pipe(z.enum(SENTIMENTS)).nullable().catch(null),
  urgency: urgency.nullable().catch(null),
  introductions: listOf(z.string()).catch([]),
  dealSignals: listOf(word.pipe(z.enum(DEAL_SIGNALS))).catch([]),
  closings: listOf(
    z.object({
      n: z.coerce.number().int().positive(),
      state: word.pipe(z.enum(CLOSING_STATES)),
      dateText: maybeText,
      newDueDate: maybeText,
      lines: lineNumbers,
    }),
  ).catch([]),
});

export type TakenReply = z.output<typeof takenReply>;
