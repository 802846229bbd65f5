import type { RecordKind } from '../../../src/features/outbox/schema.ts';
import type { Db } from '../../../src/lib/db.ts';
import { dayAgo, storeAccount, storeDialog } from '../pages/today/stored.ts';

export const PORTAL = '4711';
export const CONTACT = '501';

export type Rows = {
  userId: string;
  /** Of digests or promises, in the order in which they were stored. */
  ofIds: string[];
  /** What a row of the table begins with, for the digest or the promise with this place. */
  rowOf(place: number): Record<string, unknown>;
};

/** A user with the CRM connected and as many digests, or promises, of one conversation that a row can be about. */
export async function storeRows(
  db: Db,
  { name }: RecordKind,
  { email, count }: { email: string; count: number },
): Promise<Rows> {
  const owner = await storeAccount(db, email);
  const { userId } = owner;
  const connection = { user_id: userId, status: 'active', portal_id: PORTAL, credentials: 'none', tasks_write: true };
  await db('crm_connections').insert({ ...connection, connected_at: new Date() });
  const dialogId = await storeDialog(db, owner, 'Farid Nazari');
  const of = { user_id: userId, dialog_id: dialogId };
  const digests = Array.from({ length: count }, (_, n) => ({
    ...{ ...of, after_message_id: 0, last_message_id: 1 },
    ...{ digest_date: dayAgo(n), status: 'COMPLETE', summary: 'They wrote.' },
  }));
  const said = { direction: 'mine', words: 'Call the bank', due_date: dayAgo(0), changed_at: new Date() };
  const promises = Array.from({ length: count }, (_, n) => ({
    ...{ ...of, ...said, item_id: `item-${n}`, first_said_on: dayAgo(0), last_said_on: dayAgo(0) },
  }));
  const stored = name === 'notes' ? db('digests').insert(digests) : db('promises').insert(promises);
  const ofIds = (await stored.returning('id')).map(({ id }) => String(id));
  const base = { user_id: userId, portal_id: PORTAL, crm_contact_id: CONTACT, state: 'waiting' };
  const rowOf = (place: number) =>
    name === 'notes' ? { ...base, dialog_id: dialogId, digest_id: ofIds[place] } : { ...base, promise_id: ofIds[place] };
  return { userId, ofIds, rowOf };
}
