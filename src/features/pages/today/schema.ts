import { z } from 'zod';
import { dayField, pageField } from '../../../lib/fields.ts';
import { decisionQuery } from '../../promises/list/schema.ts';
import { VIEWS, type View } from './rules.ts';

const TABLE = 'table';

const MAX_SEARCH_LENGTH = 200;

/** The query of Today. An invalid part shows the page without a filter instead of an error. */
export const todayQuery = z.object({
  day: dayField.optional().catch(undefined),
  view: z.enum(VIEWS).catch('today'),
  page: pageField,
  /** The search words; empty shows the day. */
  q: z
    .string()
    .transform(typed => typed.replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH))
    .catch(''),
  /** The sync whose digests came since the page was looked at last. */
  new: z
    .string()
    .regex(/^[\w:-]{1,200}$/)
    .optional()
    .catch(undefined),
  /** The promise that was just decided about. */
  changed: decisionQuery,
  /** The conversation that was just pinned or muted, and what it was before. */
  was: z.string().max(200).optional().catch(undefined),
});
export type TodayQuery = z.output<typeof todayQuery>;

/** Whether the address asks for the table of all days instead of a day. */
export function asksForTable(query: Record<string, unknown>): boolean {
  return query.view === TABLE;
}

/** Parses the query of a path of ours; undefined if it is not Today. */
export function readTodayQuery(path: string): (TodayQuery & { isTable: boolean }) | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (pathname !== '/today') return undefined;
  const query = Object.fromEntries(searchParams);
  return { ...todayQuery.parse(query), isTable: asksForTable(query) };
}

type Parts = { day?: string | undefined; q?: string; view?: View | typeof TABLE; page?: number };

/** The path of Today with this query, without what the plain page shows anyway. @param day YYYY-MM-DD */
export function todayPath({ day, q, view, page }: Parts): string {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (day) query.set('day', day);
  if (view && view !== 'today') query.set('view', view);
  if (page && page > 1) query.set('page', String(page));
  return query.size > 0 ? `/today?${query}` : '/today';
}
