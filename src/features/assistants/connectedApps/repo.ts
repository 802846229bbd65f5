import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { rowReader } from '../../../lib/rows.ts';
import { isCoveredBy } from '../fragments.ts';

const lastCall = z.object({ tool: z.string(), at: z.date(), leftOut: z.int() });
const lastCallRow = rowReader(lastCall);

/** What an assistant called last, and how many conversations with digests it may not read. */
export type LastCall = z.output<typeof lastCall>;

export async function findLastCall(db: Db, { userId }: { userId: string }): Promise<LastCall | undefined> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select token.tool, token.at, (
      select count(*)::int from dialogs d where d.user_id = :userId and not (${isCoveredBy('token.id')})
        and exists (select from digests where user_id = :userId and dialog_id = d.id and summary <> '')
    ) as left_out
    from (
      select id, last_tool as tool, last_tool_at as at from api_tokens
      where user_id = :userId and last_tool is not null order by last_tool_at desc limit 1
    ) as token
    `,
    { userId },
  );
  return rows[0] === undefined ? undefined : lastCallRow.parse(rows[0]);
}
