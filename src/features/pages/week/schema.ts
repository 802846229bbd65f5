import { z } from 'zod';
import { exchange } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { dayField, pageField } from '../../../lib/fields.ts';
import { decisionQuery } from '../../promises/list/schema.ts';
import type { SourcedPromise } from '../../promises/schema.ts';

/**
 * The lists of a week, all of the user's own promises. Of those due in the week, `late` are open and past their day,
 * `ahead` are open and not past it, `putOff` are put off to a later day, `kept` are done. `fresh` were first said in
 * the week, `next` are open and due in the week after.
 */
export const WEEK_LISTS = ['late', 'ahead', 'putOff', 'kept', 'fresh', 'next'] as const;
export type WeekList = (typeof WEEK_LISTS)[number];

export const listRow = z.object({ list: z.enum(WEEK_LISTS) });

/** The length of each list, and what others promised for the week. `due` is `late`, `ahead`, `putOff` and `kept`. */
export type WeekCounts = Record<WeekList, number> & {
  due: number;
  /** How many of `late`. */
  perhapsSettled: number;
  /** The appointments and deadlines among `ahead` (and below, among `next`) that are not the user's alone. */
  aheadDates: number;
  nextDates: number;
  /** Number of `kept` that messages closed. */
  keptAutomatically: number;
  theirsDue: number;
  theirsKept: number;
};

/** A week of the chart; `monday` as YYYY-MM-DD. */
export type WeekOfChart = { monday: string; due: number; kept: number };

const busyDialog = z
  .object({
    dialogId: z.string(),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string(),
    peerType: z.string(),
    /** The number of messages in its digests of the week. */
    messages: z.number(),
    /** The time of the first of them; null if that was not kept. */
    firstMessageAt: z.date().nullable(),
    /** The newest digest's summary, and its language as a BCP 47 tag, `und` if that is unknown. */
    summary: z.string(),
    language: z.string(),
    sentenceEnd: z.number().nullable(),
    exchanges: z.array(exchange).nullable(),
  })
  .transform(({ sentenceEnd, ...dialog }) => ({
    ...dialog,
    /** The summary's first sentence; all of it if its sentences are not known. */
    sentence: dialog.summary.slice(0, sentenceEnd ?? undefined).trim(),
  }));
export const busyDialogRow = rowReader(busyDialog);
/** A conversation with many messages in a week. */
export type BusyDialog = z.output<typeof busyDialog>;

export type WeekPromise = { list: WeekList; promise: SourcedPromise };

/** How the address of the page names each list. */
export const LIST_NAMES = {
  late: 'late',
  ahead: 'ahead',
  putOff: 'put-off',
  kept: 'kept',
  fresh: 'new',
  next: 'next',
} as const satisfies Record<WeekList, string>;
const findWeekList = (name: string) => WEEK_LISTS.find(list => LIST_NAMES[list] === name);

/** The query of the page. An invalid part shows the page without it instead of an error. */
export const weekQuery = z.object({
  week: dayField.optional().catch(undefined),
  /** Only this one, page by page. */
  list: z.string().transform(findWeekList).optional().catch(undefined),
  page: pageField,
  changed: decisionQuery,
});
export type WeekQuery = z.output<typeof weekQuery>;
