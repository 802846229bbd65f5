import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';

/** Every statement on the ticks of action items. */

type Tick = { userId: string; dialogId: string; itemId: string };

/** The first tick stays: ticked twice is ticked once. */
export async function insertTick(db: Db, { userId, dialogId, itemId }: Tick, now: Date): Promise<void> {
  await db('action_ticks')
    .insert({ user_id: userId, dialog_id: dialogId, item_id: itemId, done_at: now })
    .onConflict(['dialog_id', 'item_id'])
    .ignore();
}

export async function deleteTick(db: Db, { userId, dialogId, itemId }: Tick): Promise<void> {
  await db('action_ticks').where({ user_id: userId, dialog_id: dialogId, item_id: itemId }).delete();
}

/** Until the end of the transaction the digest is not written anew. Throws NotFound. */
export async function lockDigest(trx: Db, { userId, digestId }: { userId: string; digestId: string }): Promise<void> {
  const row = isUuid(digestId)
    ? await trx('digests').where({ user_id: userId, id: digestId }).forNoKeyUpdate().first('id')
    : undefined;
  if (!row) throw new NotFound('digest');
}
