import type { ItemLeftOpen } from '../../clients/summarizer/types.ts';
import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../digests/repo.ts';
import { itemLeftOpenRow, type OpenItem, openItemRow, type ShownDigest } from '../digests/schema.ts';

/** More are not counted one by one. */
export const MANY_OPEN_ITEMS = 1000;

/** What the index on open items is sorted by: the user's own first, then by due date, then the oldest. */
const ORDER = 'is_user desc, due_date nulls last, digest_date, item_id';

type Asked = {
  userId: string;
  /** YYYY-MM-DD: of days before this one. */
  before: string;
  limit: number;
  offset: number;
};

/**
 * Items nobody ticked, the user's own first, then by due date, then the oldest. `total` counts them all, up to
 * {@link MANY_OPEN_ITEMS}.
 */
export async function listOpenItems(
  db: Db,
  { userId, before, limit, offset }: Asked,
): Promise<{ items: OpenItem[]; total: number }> {
  const { rows } = await db.raw<{ rows: { total: number; items: unknown[] }[] }>(
    `
    with shown as (
      select * from open_items where user_id = :userId and digest_date < :before order by ${ORDER}
      limit :limit offset :offset
    ), counted as (
      select from open_items where user_id = :userId and digest_date < :before limit ${MANY_OPEN_ITEMS}
    )
    select (select count(*)::int from counted) as total, coalesce((
      select jsonb_agg(jsonb_build_object('digestId', shown.digest_id, 'dialogId', shown.dialog_id,
        'digestDate', to_char(shown.digest_date, 'YYYY-MM-DD'), 'item', item,
        'peerName', dialogs.peer_name, 'peerUsername', dialogs.peer_username, 'peerPhone', dialogs.peer_phone)
        order by shown.is_user desc, shown.due_date nulls last, shown.digest_date, shown.item_id)
      from shown
      join digests on digests.id = shown.digest_id
      join dialogs on dialogs.id = shown.dialog_id
      cross join lateral (
        select item from jsonb_path_query(digests.structured, 'lax $.actionItems[*]') as item
        where item ->> 'id' = shown.item_id limit 1
      ) as named
    ), '[]') as items
    `,
    { userId, before, limit, offset },
  );
  const [row] = rows;
  return { items: (row?.items ?? []).map(item => openItemRow.parse(item)), total: row?.total ?? 0 };
}

/** More than the newest ones of a conversation are not handed to whoever writes its next digest. */
const MOST_LEFT_OPEN = 12;

/** What earlier digests of these conversations left to do, by conversation, the newest first. */
export async function listItemsLeftOpen(
  db: Db,
  { userId, dialogIds, before }: Pick<Asked, 'userId' | 'before'> & { dialogIds: string[] },
): Promise<Map<string, ItemLeftOpen[]>> {
  if (dialogIds.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select wanted.dialog_id, to_char(newest.digest_date, 'YYYY-MM-DD') as since, named.item
    from unnest(:dialogIds::uuid[]) as wanted (dialog_id)
    cross join lateral (
      select item_id, digest_id, digest_date from open_items
      where dialog_id = wanted.dialog_id and user_id = :userId and digest_date < :before
      order by digest_date desc, item_id limit ${MOST_LEFT_OPEN}
    ) as newest
    join digests on digests.id = newest.digest_id and digests.user_id = :userId
    cross join lateral (
      select item from jsonb_path_query(digests.structured, 'lax $.actionItems[*]') as item
      where item ->> 'id' = newest.item_id limit 1
    ) as named
    order by newest.digest_date desc, newest.item_id
    `,
    { userId, dialogIds, before },
  );
  const items = rows.map(row => itemLeftOpenRow.parse(row));
  const byDialog = Map.groupBy(items, ({ dialogId }) => dialogId);
  return new Map([...byDialog].map(([dialogId, of]) => [dialogId, of.map(({ item }) => item)]));
}

type Tick = {
  userId: string;
  digestId: string;
  itemId: string;
  /** Null opens the item again. The first tick stays: ticked twice is ticked once. */
  doneAt: Date | null;
};

/**
 * Ticks an action item or opens it again, in one statement, while the digest can't be written anew. The digest with it;
 * undefined for an unknown item or digest and for somebody else's.
 */
export async function setTick(db: Db, { userId, digestId, itemId, doneAt }: Tick): Promise<ShownDigest | undefined> {
  // Postgres takes no NUL character in a text.
  if (!isUuid(digestId) || itemId.includes('\0')) return undefined;
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select ${SHOWN_COLUMNS} from set_tick(?, ?, ?, ?) as digests ${SHOWN_JOINS}`,
    [userId, digestId, itemId, doneAt],
  );
  const [row] = rows;
  if (!row) return undefined;
  const digest = toShown(row);
  // The statement itself does not see yet what it has written.
  const ticked = new Set(digest.ticked);
  if (doneAt) ticked.add(itemId);
  else ticked.delete(itemId);
  return { ...digest, ticked };
}
