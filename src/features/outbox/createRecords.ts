import type { Created } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import { type Finder, findUnclear } from './findUnclear.ts';
import { giveUpRefused } from './giveUp.ts';
import type { Held } from './schema.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from './whilePlansWait.ts';

/** The CRM has this record under this id. */
export type Written = { id: string; crmId: string };

/** What is sent of a record. */
export type Draft<One extends Held> = { item: One; text: { marker: string } };

type Creation<One extends Held, D extends Draft<One>> = Finder<One> & {
  /** What to send of these; those that need not be sent any more are left out. */
  draft(items: One[]): Promise<D[]>;
  /** From now on the CRM may have them. Returns the rows' ids of those that are still wanted and still ours. */
  markSending(trx: Db, drafts: D[]): Promise<Set<string>>;
  create(drafts: D[]): Promise<Created>;
  finish(trx: Db, written: Written[]): Promise<void>;
};

/** Creates new records. Those that may already be in the CRM are looked up first. */
export async function createRecords<One extends Held, D extends Draft<One>>(
  deps: OutboxDeps,
  batch: Batch<One>,
  creation: Creation<One, D>,
): Promise<void> {
  const finish = async (ids: Map<string, string>) => {
    const written = [...ids].map(([id, crmId]) => ({ id, crmId }));
    if (written.length > 0) await whilePlansWait(deps, batch, trx => creation.finish(trx, written));
  };
  const found = await findUnclear(batch.items, creation);
  await finish(found);
  const drafts = await creation.draft(batch.items.filter(({ id }) => !found.has(id)));
  if (drafts.length === 0) return;
  const sending = await whilePlansWait(deps, batch, trx => creation.markSending(trx, drafts));
  const fresh = drafts.filter(({ item }) => sending.has(item.id));
  if (fresh.length === 0) return;
  const { created, refused } = await creation.create(fresh);
  const byRow = <T>(byMarker: Map<string, T>) =>
    new Map(
      fresh.flatMap(({ item, text }): [string, T][] => {
        const value = byMarker.get(text.marker);
        return value === undefined ? [] : [[item.id, value]];
      }),
    );
  await finish(byRow(created));
  const reasons = byRow(refused);
  await giveUpRefused(deps, batch, { reasonOf: ({ id }) => reasons.get(id), mayBeThere: false });
}
