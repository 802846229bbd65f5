import type { Db } from '../../lib/db.ts';
import { OPEN_TODAY, OWNER } from '../promises/repo.ts';
import { type OpenItem, openItemRow } from './schema.ts';

/** What the index on open promises is sorted by: the user's own first, then by due date, then the oldest. */
const ORDER = `(p.direction = 'mine') desc, p.due_date nulls last, p.last_said_on, p.item_id`;
/** More are not counted one by one. */
export const MANY_OPEN_ITEMS = 1000;

type Asked = { userId: string /** The user's present day, YYYY-MM-DD: of days before this one. */; before: string };

/**
 * What is open, the user's own first, then by due date, then the oldest. `total` counts it all, up to
 * {@link MANY_OPEN_ITEMS}.
 */
export async function listOpenItems(
  db: Db,
  { userId, before, limit, offset }: Asked & { limit: number; offset: number },
): Promise<{ items: OpenItem[]; total: number }> {
  const open = `from promises p where p.user_id = :userId and p.last_said_on < :today::date and ${OPEN_TODAY}
    and p.last_digest_id is not null`;
  const { rows } = await db.raw<{ rows: { total: number; items: unknown[] }[] }>(
    `
    with shown as (select * ${open} order by ${ORDER} limit :limit offset :offset),
      counted as (select ${open} limit ${MANY_OPEN_ITEMS})
    select (select count(*)::int from counted) as total, coalesce((
      select jsonb_agg(jsonb_build_object('digestId', p.last_digest_id, 'dialogId', p.dialog_id,
        'item', jsonb_build_object('id', p.item_id, 'text', p.words, 'owner', ${OWNER}, 'ownerName', p.who,
          'dueDate', to_char(p.due_date, 'YYYY-MM-DD'), 'dueText', p.due_text),
        'peerName', dialogs.peer_name, 'peerUsername', dialogs.peer_username, 'peerPhone', dialogs.peer_phone)
        order by ${ORDER})
      from shown p join dialogs on dialogs.id = p.dialog_id
    ), '[]') as items
    `,
    { userId, today: before, limit, offset },
  );
  const [row] = rows;
  return { items: (row?.items ?? []).map(item => openItemRow.parse(item)), total: row?.total ?? 0 };
}
