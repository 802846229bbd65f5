import type { Updated } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import { giveUpRefused } from './giveUp.ts';
import type { Held } from './schema.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from './whilePlansWait.ts';

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
