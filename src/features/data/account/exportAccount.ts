import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { toCamelCase } from '../../../lib/rows.ts';
import { listRows } from './repo.ts';
import { EXPORTED_TABLES, type ExportedTable, KEPT_NOT_SHOWN, NOT_EXPORTED, presentRow } from './rules.ts';

/** Rows held in memory at the same time. */
const AT_ONCE = 500;

/** Everything stored about the person as the text of one JSON document, piece by piece. */
export async function* exportAccount(
  deps: { db: Db; clock: Clock },
  { userId }: { userId: string },
): AsyncGenerator<string> {
  const head = {
    exportedAt: deps.clock.now().toISOString(),
    about: `Everything stored about you. Values that say "${KEPT_NOT_SHOWN}" are secrets, such as sessions and tokens.`,
    notInThisFile: NOT_EXPORTED,
  };
  yield JSON.stringify(head, null, 1).slice(0, -2);
  for (const table of EXPORTED_TABLES) {
    yield `,\n "${toCamelCase(table.table)}": [`;
    yield* exportRows(deps.db, table, userId);
    yield ']';
  }
  yield '\n}\n';
}

async function* exportRows(db: Db, table: ExportedTable, userId: string): AsyncGenerator<string> {
  let after: Record<string, unknown> | undefined;
  for (;;) {
    const rows = await listRows(db, table, { userId, after, limit: AT_ONCE });
    const texts = rows.map(row => `\n  ${JSON.stringify(presentRow(row, table))}`);
    if (texts.length > 0) yield `${after ? ',' : ''}${texts.join(',')}`;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1);
  }
}
