import { z } from 'zod';
import { VIEWS, type View } from './rules.ts';

/** Lists over all days, which take the place of a day. */
export const LIST_VIEWS = ['earlier', 'table'] as const;

/** What the address of Today says. A wrong part shows the plain page instead of an error. */
export const asked = z.object({
  day: z.iso
    .date()
    .refine(day => day > '2000')
    .optional()
    .catch(undefined),
  view: z.enum(VIEWS).catch('everything'),
  page: z.coerce.number().int().min(1).max(1000).catch(1),
});
export type Asked = z.output<typeof asked>;

/** Left out is what the plain page shows anyway. @param day YYYY-MM-DD */
export function addressOf({
  day,
  view,
  page,
}: {
  day?: string | undefined;
  view?: View | (typeof LIST_VIEWS)[number];
  page?: number;
}): string {
  const query = new URLSearchParams();
  if (day) query.set('day', day);
  if (view && view !== 'everything') query.set('view', view);
  if (page && page > 1) query.set('page', String(page));
  return query.size > 0 ? `/today?${query}` : '/today';
}

/** What a path of ours asks of Today; undefined for another page. */
export function askedBy(path: string): Asked | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  return pathname === '/today' ? asked.parse(Object.fromEntries(searchParams)) : undefined;
}
