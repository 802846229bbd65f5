import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import type { ExportedTable } from './rules.ts';

const rows = z.array(z.object({ row: z.record(z.string(), z.unknown()) }));

/**
 * The user's next rows of one table, in the order of its key, with moments and days as ISO 8601.
 * @param after the last row of the batch before
 */
export async function listRows(
  db: Db,
  { table, key, owner = 'user_id' }: ExportedTable,
  { userId, after, limit }: { userId: string; after: Record<string, unknown> | undefined; limit: number },
): Promise<Record<string, unknown>[]> {
  const columns = key.map(() => '??').join(', ');
  const values = key.map(() => '?').join(', ');
  const statement = `
    select row_to_json(t) as row from ?? as t
    where ?? = ? ${after ? `and (${columns}) > (${values})` : ''}
    order by ${columns} limit ?`;
  const position = after ? [...key, ...key.map(column => String(after[column]))] : [];
  const { rows: found } = await db.raw(statement, [table, owner, userId, ...position, ...key, limit]);
  return rows.parse(found).map(({ row }) => row);
}
