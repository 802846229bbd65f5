import { z } from 'zod';
import { DEAL_SIGNALS } from '../languages/types.ts';
import { CLOSING_STATES, SENTIMENTS, URGENCIES } from '../types.ts';

export const ITEM_KINDS = ['promise', 'appointment', 'deadline'] as const;
const OWNERS = ['user', 'contact', 'unknown'] as const;

/** What the model is asked for. Without length limits, which not every service accepts in a strict schema. */
export const askedReply = z.object({
  language: z.string(),
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
  meetings: z.array(
    z.object({
      text: z.string(),
      dateText: z.string().nullable(),
      date: z.string().nullable(),
      lines: z.array(z.number()),
    }),
  ),
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
  /** The last field: a model that lost the front of its prompt while writing no longer knows it. */
  code: z.string(),
});

/** More than any list needs; entries beyond it are not even looked at. */
const MOST_ENTRIES = 50;

/** Takes the entries that fit and leaves the others. */
const listOf = <T>(entry: z.ZodType<T>) =>
  z.array(z.unknown()).transform(list =>
    list.slice(0, MOST_ENTRIES).flatMap(value => {
      const parsed = entry.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );

const maybeText = z.string().nullable().catch(null);
const lineNumbers = listOf(z.coerce.number().int().positive()).catch([]);
const someText = z.string().trim().min(1);
const sentences = listOf(
  z.union([z.object({ text: someText, lines: lineNumbers }), someText.transform(text => ({ text, lines: [] }))]),
);
const word = z.string().trim().toLowerCase();

/**
 * What is accepted: a summary and a list of action items must be there, the rest may be missing or wrong.
 * Services without strict schemas drop fields, write numbers as strings and invent values; fields no one asked for are
 * dropped.
 */
export const takenReply = z.object({
  language: z.string().catch(''),
  /** May be one text, which some services without schemas send for simplicity. */
  summary: z.union([z.string().trim().min(1), sentences.refine(list => list.length > 0)]),
  topics: listOf(z.string()).catch([]),
  actionItems: listOf(
    z.object({
      text: z.string().trim().min(1),
      owner: word.pipe(z.enum(OWNERS)).catch('unknown'),
      ownerName: maybeText,
      kind: word.pipe(z.enum(ITEM_KINDS)).catch('promise'),
      dueText: maybeText,
      dueDate: maybeText,
      lines: lineNumbers,
    }),
  ),
  /** null for a word outside the closed set: it is reported, and `digest.ts` takes neutral, or none, instead. */
  sentiment: word.pipe(z.enum(SENTIMENTS)).nullable().catch(null),
  urgency: word.pipe(z.enum(URGENCIES)).nullable().catch(null),
  meetings: listOf(
    z.object({ text: z.string().trim().min(1), dateText: maybeText, date: maybeText, lines: lineNumbers }),
  ).catch([]),
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
  code: z.string().catch(''),
});

export type TakenReply = z.output<typeof takenReply>;
