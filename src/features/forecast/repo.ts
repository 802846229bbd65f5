import { z } from 'zod';
import type { Db } from '../../lib/db.ts';

/** What one day brought. */
export type DayLoad = {
  /** New messages of each conversation that had some. */
  messages: number[];
  /** Notes that went to the CRM. */
  notes: number;
};

const loadRow = z
  .object({ messages: z.array(z.number()), notes: z.coerce.number(), is_first: z.boolean() })
  .transform(({ is_first: isFirst, ...load }): DayLoad & { isFirst: boolean } => ({ ...load, isFirst }));

/** Days with a sync since the one given; not the very first, which read two weeks at once, unless there is no other. */
export async function listLoads(db: Db, { userId, since }: { userId: string; since: string }): Promise<DayLoad[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select array_agg(digests.message_count) as messages,
      digests.digest_date = (select min(digest_date) from digests where user_id = :userId) as is_first,
      count(*) filter (where exists (
        select 1 from crm_notes where crm_notes.digest_id = digests.id and crm_notes.crm_note_id is not null)) as notes
    from digests
    where digests.user_id = :userId and digests.digest_date >= :since and digests.message_count > 0
    group by digests.digest_date
    order by digests.digest_date desc
    `,
    { userId, since },
  );
  const loads = rows.map(row => loadRow.parse(row));
  return loads.length > 1 ? loads.filter(({ isFirst }) => !isFirst) : loads;
}
