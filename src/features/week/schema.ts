import { z } from 'zod';
import { rowReader } from '../../lib/rows.ts';
import type { SourcedPromise } from '../promises/schema.ts';

/**
 * The lists of a week, all of the user's own promises. Of those with a due day in it: `late` are open and past their day, `ahead`
 * are open and not yet, `putOff` are back on a later day, `kept` are done. `fresh` were first said in it, `next` are open and due in
 * the week after it.
 */
export const WEEK_LISTS = ['late', 'ahead', 'putOff', 'kept', 'fresh', 'next'] as const;
export type WeekList = (typeof WEEK_LISTS)[number];

export const listRow = z.object({ list: z.enum(WEEK_LISTS) });

/** How long each list is, and what others had promised for the week. `due` is `late`, `ahead`, `putOff` and `kept` together. */
export type WeekCounts = Record<WeekList, number> & {
  due: number;
  /** Of `kept`, those that messages closed. */
  keptAutomatically: number;
  theirsDue: number;
  theirsKept: number;
};

/** A week of the chart; `monday` as YYYY-MM-DD. */
export type WeekOfChart = { monday: string; due: number; kept: number };

const busyDialog = z.object({
  dialogId: z.string(),
  peerName: z.string(),
  peerUsername: z.string(),
  peerPhone: z.string(),
  /** Of its digests in the week. */
  messages: z.number(),
  /** Of the newest of them, and its language as a BCP 47 tag, `und` where that is unknown. */
  summary: z.string(),
  language: z.string(),
});
export const busyDialogRow = rowReader(busyDialog);
/** A conversation with many messages in a week. */
export type BusyDialog = z.output<typeof busyDialog>;

export type ListedPromise = { list: WeekList; promise: SourcedPromise };
