import { z } from 'zod';
import type { LinkedDialog } from '../matching/schema.ts';
import type { SourcedPromise } from '../promises/schema.ts';

/**
 * The short lists of the page Today. `late`, `today` and `urgent` are the user's own: overdue, due on the present day, and
 * without a day in a conversation whose other side says that it can’t wait. `owed` is what others owe and is overdue, `next`
 * what the user owes after the present day.
 */
const AGENDA_LISTS = ['late', 'today', 'urgent', 'owed', 'next'] as const;
export type AgendaList = (typeof AGENDA_LISTS)[number];

export const listRow = z.object({ list: z.enum(AGENDA_LISTS) });

export type ListedPromise = { list: AgendaList; promise: SourcedPromise; link: LinkedDialog };

/** How much of a conversation is open: what the user owes, of that by due day, and what others owe. */
export type OpenCounts = { mine: number; late: number; today: number; urgent: number; theirs: number; owed: number };

/** What is due in the present week, and how much of it is kept. */
export type WeekCounts = { due: number; kept: number };
