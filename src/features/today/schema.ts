import { z } from 'zod';
import { VIEWS, type View } from './rules.ts';

/** Lists over all days, which take the place of a day. */
const LIST_VIEWS = ['earlier', 'table'] as const;
export type ListView = (typeof LIST_VIEWS)[number];

const LONGEST_SEARCH = 200;

/** What the address of Today says. A wrong part shows the plain page instead of an error. */
export const asked = z.object({
  day: z.iso
    .date()
    .refine(day => day > '2000')
    .optional()
    .catch(undefined),
  view: z.enum(VIEWS).catch('everything'),
  page: z.coerce.number().int().min(1).max(1000).catch(1),
  /** What is searched for; empty shows the day. */
  q: z
    .string()
    .transform(typed => typed.replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH))
    .catch(''),
  /** The sync whose digests came since the page was looked at last. */
  new: z
    .string()
    .regex(/^[\w:-]{1,200}$/)
    .optional()
    .catch(undefined),
  /** The item that was just checked off, without JavaScript. */
  done: z.string().max(200).optional().catch(undefined),
});
export type Asked = z.output<typeof asked>;

const listAsked = z.object({ view: z.enum(LIST_VIEWS) });

/** The list that the address asks for in the place of a day. */
export function listAskedBy(query: unknown): ListView | undefined {
  return listAsked.safeParse(query).data?.view;
}

/** What a path of ours asks of Today; undefined for another page. */
export function askedBy(path: string): (Asked & { list: ListView | undefined }) | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (pathname !== '/today') return undefined;
  const query = Object.fromEntries(searchParams);
  return { ...asked.parse(query), list: listAskedBy(query) };
}

type Parts = { day?: string | undefined; q?: string; view?: View | ListView; page?: number };

/** Left out is what the plain page shows anyway. @param parts.day YYYY-MM-DD */
export function addressOf({ day, q, view, page }: Parts): string {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (day) query.set('day', day);
  if (view && view !== 'everything') query.set('view', view);
  if (page && page > 1) query.set('page', String(page));
  return query.size > 0 ? `/today?${query}` : '/today';
}
