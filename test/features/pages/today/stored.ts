import { randomUUID } from 'node:crypto';
import { recordStored } from '../../../../bench/support/recordStored.ts';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { type DigestSources, EMPTY_CONTENT } from '../../../../src/features/digests/schema.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { nameKeys } from '../../../../src/lib/nameKeys.ts';
import { localDay, subtractDays } from '../../../../src/lib/timezones.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService } from '../../../support/service.ts';

/** Columns of a promise that no one has decided about. */
export const UNDECIDED = { previous: null, is_user_decided: false, snoozed_until: null, moved_from: null, changed_by: null };

/** Rows as a sync would have written them, for pages that only read. The user's zone is UTC. */

const TODAY = localDay(new Date(), 'UTC');
const NOON = new Date(`${TODAY}T12:00:00Z`);

/** @returns the id of this person's user, who has an active account */
export async function storeAccount(db: Db, email: string): Promise<{ userId: string; accountId: string }> {
  const { id: userId } = await db('users').where({ email }).first('id');
  const account = {
    user_id: userId,
    connected_at: new Date(),
    messenger_user_id: String(Date.now()),
    status: 'active',
    credentials: 'none',
  };
  const [row] = await db('messenger_accounts').insert(account).returning('id');
  return { userId, accountId: row.id };
}

/** A service, without a worker unless asked for, at this moment, where Nora is signed in and has an account. */
export async function startStored(now = NOON, options: Parameters<typeof startService>[0] = {}) {
  const service = await startService({ worker: false, ...options });
  setClock(service, now);
  const nora = await signIn(service, 'nora@example.com');
  return { service, nora, owner: await storeAccount(service.db, 'nora@example.com') };
}

type StoredDigest = {
  name?: string;
  dialogId?: string;
  /** YYYY-MM-DD, default the day of {@link NOON}. */
  day?: string;
  summary?: string;
  status?: string;
  messageCount?: number;
  structured?: Partial<typeof EMPTY_CONTENT>;
  sources?: DigestSources;
};

let stored = 0;

/** A finished digest, in a conversation of its own unless one is named. */
export async function storeDigest(
  db: Db,
  owner: { userId: string; accountId: string },
  { name = 'Ada Lovelace', day = dayAgo(0), summary = `${name} wrote.`, ...details }: StoredDigest = {},
): Promise<{ digestId: string; dialogId: string }> {
  stored += 1;
  const dialogId = details.dialogId ?? (await storeDialog(db, owner, name));
  const [row] = await db('digests')
    .insert({
      user_id: owner.userId,
      dialog_id: dialogId,
      digest_date: day,
      status: details.status ?? 'COMPLETE',
      message_count: details.messageCount ?? 7,
      after_message_id: stored,
      last_message_id: stored + 1,
      last_message_at: `${day}T08:00:00Z`,
      summary,
      structured: JSON.stringify({ ...EMPTY_CONTENT, urgency: 'low', ...details.structured }),
      engine: 'built-in',
      sources: details.sources && JSON.stringify(details.sources),
    })
    .returning('id');
  await recordStored(db, { userId: owner.userId, digestIds: [row.id], now: new Date() });
  return { digestId: row.id, dialogId };
}

/** 1,500 digests that say nothing of note, of the last 75 days. */
export async function storeMany(db: Db, owner: { userId: string; accountId: string }): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const dialog_id = await storeDialog(db, owner, `Nobody ${n}`);
    const of = { user_id: owner.userId, dialog_id, status: 'COMPLETE', after_message_id: 0, last_message_id: 1 };
    const rows = Array.from({ length: 75 }, (_, day) => ({ ...of, digest_date: dayAgo(day), summary: 'Hello.' }));
    await db('digests').insert(rows);
  }
}

/** @returns its id */
export async function storeDialog(db: Db, { userId, accountId }: { userId: string; accountId: string }, name: string) {
  stored += 1;
  const peerId = `user:${stored}`;
  const [row] = await db('dialogs')
    .insert({
      user_id: userId,
      account_id: accountId,
      peer_id: peerId,
      peer_type: 'user',
      peer_kind: 'user',
      peer_key: String(stored),
      peer_name: name,
      name_keys: nameKeys(name),
    })
    .returning('id');
  return row.id;
}

export function storedItem(text: string, details: Partial<ActionItem> = {}): ActionItem {
  const id = randomUUID().slice(0, 8) + randomUUID().slice(0, 8);
  return { id, text, owner: 'user', ownerName: null, dueDate: null, dueText: null, sourceMessageIds: [], ...details };
}

/** The day so many days before the one of {@link NOON} in UTC, YYYY-MM-DD. */
export function dayAgo(days: number): string {
  return subtractDays(TODAY, days);
}

/** Rows stored with {@link dayAgo} need the service to be on that day, even where midnight passes meanwhile. */
export function setClock({ clock }: Pick<Service, 'clock'>, now = NOON): void {
  clock.advance(now.getTime() - clock.now().getTime());
}

/** One digest with this item, and the promise it becomes. */
export async function storePromise(
  db: Db,
  owner: { userId: string; accountId: string },
  ...item: Parameters<typeof storedItem>
): Promise<{ dialogId: string; promiseId: string }> {
  const { dialogId } = await storeDigest(db, owner, { structured: { actionItems: [storedItem(...item)] } });
  const { id: promiseId } = await db('promises').where({ dialog_id: dialogId }).first('id');
  return { dialogId, promiseId };
}
