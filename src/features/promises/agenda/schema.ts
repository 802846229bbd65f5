import { z } from 'zod';
import type { LinkedDialog } from '../../contacts/matching/schema.ts';
import type { SourcedPromise } from '../schema.ts';

/**
 * The short lists on Today. `late`, `asked`, `today` and `urgent` are the user's own promises: overdue, past their day
 * but perhaps settled, due on the present day (with appointments and deadlines of others), and without a day in a
 * conversation whose other side says that it can’t wait. `owed` is what others owe and is overdue, `next` what the user owes after the present day.
 */
const AGENDA_LISTS = ['late', 'asked', 'today', 'urgent', 'owed', 'next'] as const;
export type AgendaList = (typeof AGENDA_LISTS)[number];

export const listRow = z.object({ list: z.enum(AGENDA_LISTS) });

export type ListedPromise = { list: AgendaList; promise: SourcedPromise; link: LinkedDialog };

/**
 * How many promises a conversation has open: `mine` (of these `late`, `today`, `urgent`), `theirs` (late: `owed`).
 * `lateAsked` are those of `late` that may be settled, as their person is asked.
 * `dated` are the present day's appointments and deadlines that are not the user's alone.
 */
export type OpenCounts = Record<
  'mine' | 'late' | 'lateAsked' | 'today' | 'urgent' | 'dated' | 'theirs' | 'owed',
  number
>;

/** What is due in the present week, and how much of it is kept. */
export type WeekCounts = { due: number; kept: number };
