import { DAYS_OF_NEWS } from '../../digests/rules.ts';
import { DUE } from '../fragments.ts';

export const MINE = `p.direction = 'mine'`;

export const THEIRS = `p.direction = 'theirs'`;

/** Appointments and deadlines are never overdue: they are past after their day, and then closed. */
export const LATE = `p.kind = 'promise' and ${DUE} < :today::date`;

/** Not the user's to do alone, but on a day of theirs: appointments, and deadlines of whoever they concern. Few, with an index. */
export const DATED = `p.kind <> 'promise' and (p.direction = 'unassigned' or p.direction = 'theirs' and p.kind = 'appointment')`;

/** The user's own promises, and what else is on their days: each in the order of an index. */
export const ON_THEIR_DAYS = [MINE, DATED] as const;

/** One by one: in a plan that is used again, PostgreSQL assumes that a range has many days. */
const NEWS_DAYS = Array.from({ length: DAYS_OF_NEWS }, (_, ago) => `:today::date - ${ago}`);

/**
 * Without a day, and the other side says in the newest digest of the conversation that it can't wait. What may be
 * settled is not urgent.
 */
export const URGENT = `p.due_date is null and not p.is_doubtful and p.last_digest_id in (
  select id from digests where user_id = :userId and digest_date in (${NEWS_DAYS.join(', ')}) and is_urgent)`;

/** A list of promises `p`: several ranges, each read in the order of an index, are a list by day and hour. */
export type ListQuery = { list: string; of: readonly string[]; in: string; order: string };

/**
 * Selects `list`, `id` and `place` of the promises of each list, so that their columns, with many subqueries, are joined
 * once: planning them for each list would take longer than reading them. An `or` between ranges would sort all their rows.
 * @param page.most a limit of what is read of a range, at least that of the page
 */
export function idsOfLists(lists: ListQuery[], page: { most: string; slice: string }): string {
  const selected = ({ list, of, in: isIn, order }: ListQuery) => {
    const rowsOf = (range: string) =>
      `(select p.* from promises p where p.user_id = :userId and ${range} and ${isIn} order by ${order} limit ${page.most})`;
    const rows = of.map(rowsOf).join(' union all ');
    return `(select '${list}' as list, p.id, row_number() over (order by ${order}) as place from (${rows}) as p order by place ${page.slice})`;
  };
  return lists.map(selected).join(' union all ');
}

/** A promise that is no longer needed, or was not one, is not part of a week. */
export const COUNTED = `p.state in ('open', 'snoozed', 'done') and p.words <> ''`;
