import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';

/** What one day brought. */
export type DayLoad = {
  /** Conversations with new messages. */
  conversations: number;
  /** Of these, how many have a digest at the present minimum of messages, and at the one it is compared with. */
  digests: number;
  digestsCompared: number;
  /** Notes that went to the CRM. */
  notes: number;
};

const loadRow = z
  .object({
    conversations: z.coerce.number(),
    digests: z.coerce.number(),
    compared: z.coerce.number(),
    notes: z.coerce.number(),
    is_first: z.boolean(),
  })
  .transform(({ is_first: isFirst, compared: digestsCompared, ...load }): DayLoad & { isFirst: boolean } => ({
    ...load,
    digestsCompared,
    isFirst,
  }));

type Minimums = { minMessages: number; comparedMinimum: number };

/** Days with a sync since `since`; without the very first, which read two weeks at once, unless it is the only one. */
export async function listLoads(db: Db, of: { userId: string; since: string } & Minimums): Promise<DayLoad[]> {
  const statement = db.raw<{ rows: unknown[] }>(
    `
    select count(*) as conversations,
      count(*) filter (where digests.message_count >= :minMessages) as digests,
      count(*) filter (where digests.message_count >= :comparedMinimum) as compared,
      digests.digest_date = (select min(digest_date) from digests where user_id = :userId) as is_first,
      count(*) filter (where exists (
        select 1 from outbox_notes where outbox_notes.digest_id = digests.id and outbox_notes.crm_id is not null)) as notes
    from digests
    where digests.user_id = :userId and digests.digest_date >= :since and digests.message_count > 0
    group by digests.digest_date
    order by digests.digest_date desc
    `,
    of,
  );
  const { rows } = await statement.options({ name: 'loads' });
  const loads = rows.map(row => loadRow.parse(row));
  return loads.length > 1 ? loads.filter(({ isFirst }) => !isFirst) : loads;
}
