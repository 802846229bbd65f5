import type { Created, Crm, Updated } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import type { Held } from './schema.ts';
import { type Batch, giveUpRefused, type OutboxDeps, whilePlansWait } from './service.ts';

/** How the CRM is asked for records of a kind. */
type Finder<One extends Held> = {
  /** What identifies the record there, in its text; undefined where that is no longer known. */
  markerOf(item: One): string | undefined;
  find: Crm['findNotes' | 'findTasks'];
};

/** Of those that may be in the CRM without our knowing: their ids there, by the id of the row. */
export async function findUnclear<One extends Held>(
  items: readonly One[],
  { markerOf, find }: Finder<One>,
): Promise<Map<string, string>> {
  const lost = items.flatMap(item => {
    const marker = item.crmId === null && item.isUnclear ? markerOf(item) : undefined;
    return marker === undefined ? [] : [{ id: item.id, contactId: item.contactId, marker }];
  });
  const found = lost.length > 0 ? await find(lost) : new Map<string, string>();
  return new Map(
    lost.flatMap(({ id, marker }): [string, string][] => {
      const crmId = found.get(marker);
      return crmId === undefined ? [] : [[id, crmId]];
    }),
  );
}

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

type Change<One extends Held, D extends { item: One }> = {
  drafts: D[];
  /** Where the CRM may not be sent the same again. Returns the rows' ids of those that are still wanted and still ours. */
  markSending?(trx: Db, drafts: D[]): Promise<Set<string>>;
  update(drafts: D[]): Promise<Updated>;
  finish(trx: Db, drafts: D[]): Promise<void>;
  /** A person deleted these in the CRM. */
  lose(trx: Db, ids: string[]): Promise<void>;
};

/** Writes what has changed since it was written last. */
export async function updateRecords<One extends Held, D extends { item: One }>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { drafts, markSending, update, finish, lose }: Change<One, D>,
): Promise<void> {
  const sending = markSending && (await whilePlansWait(deps, batch, trx => markSending(trx, drafts)));
  const fresh = drafts.filter(({ item }) => !sending || sending.has(item.id));
  const outcome = await update(fresh);
  const gone = new Set(outcome.gone);
  const reasonOf = ({ crmId }: One) => outcome.refused.get(crmId ?? '');
  const written = fresh.filter(({ item }) => !gone.has(item.crmId ?? '') && !reasonOf(item));
  const lost = fresh.filter(({ item }) => gone.has(item.crmId ?? '')).map(({ item }) => item.id);
  if (written.length > 0) await whilePlansWait(deps, batch, trx => finish(trx, written));
  if (lost.length > 0) await whilePlansWait(deps, batch, trx => lose(trx, lost));
  await giveUpRefused(deps, batch, { reasonOf, mayBeThere: true });
}
