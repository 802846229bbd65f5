import type { Db, Rows } from '../../../lib/db.ts';
import { SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../../digests/fragments.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import { COLUMNS, DUE, OPEN_TODAY, PUT_OFF } from '../../promises/fragments.ts';
import { type LedgerPromise, type PromiseState, promiseRow } from '../../promises/schema.ts';

type Wanted = {
  userId: string;
  /** The user's present day, YYYY-MM-DD, as all days here. */
  today: string;
  /** Only in these conversations. */
  among: readonly string[];
  state: PromiseState;
  direction?: string | undefined;
  /** Only what belongs to its day and is not the user's alone. */
  isDate?: boolean | undefined;
  /** Only what can be overdue. */
  isPromise?: boolean | undefined;
  /** Both days are exclusive. */
  dueBefore?: string | undefined;
  dueAfter?: string | undefined;
};

function conditionsOf({ state, ...wanted }: Wanted): string {
  const inState = state === 'open' ? OPEN_TODAY : state === 'snoozed' ? PUT_OFF : 'p.state = :state';
  return [
    `p.user_id = :userId and p.words <> '' and ${inState}`,
    wanted.direction && 'p.direction = :direction',
    wanted.isDate && `p.kind <> 'promise' and p.direction <> 'mine'`,
    wanted.isPromise && `(p.kind = 'promise' or p.due_date >= :today::date)`,
    wanted.dueBefore && 'p.due_date < :dueBefore::date',
    wanted.dueAfter && 'p.due_date > :dueAfter::date',
  ]
    .filter(Boolean)
    .join(' and ');
}

type Page = { after?: { due: string; id: string } | undefined; limit: number };

/** By due day, those without one last. */
export async function listPromises(db: Db, { after, limit, ...wanted }: Wanted & Page): Promise<LedgerPromise[]> {
  const { rows } = await db.raw<Rows>(
    `
    select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where ${conditionsOf(wanted)} and p.user_id = :userId and p.dialog_id = any(:among::uuid[])
      ${after ? `and (${DUE}, p.id) > (:due::date, :id::uuid)` : ''}
    order by ${DUE}, p.id limit :limit
    `,
    { ...wanted, limit, due: after?.due ?? null, id: after?.id ?? null },
  );
  return rows.map(row => promiseRow.parse(row));
}

/** False for an unknown one, another user's, and one of a conversation that may not be read. */
export async function isCovered(
  db: Db,
  { userId, promiseId, covered }: { userId: string; promiseId: string; covered: readonly string[] },
): Promise<boolean> {
  const row = await db('promises').where({ user_id: userId, id: promiseId }).whereIn('dialog_id', covered).first('id');
  return row !== undefined;
}

type OfDay = Pick<Wanted, 'userId' | 'today' | 'among'>;

/** The present day's digests, newest first. What takes a function call for each is asked of those that are returned alone. */
export async function listDigests(db: Db, asked: OfDay & { limit: number }): Promise<ShownDigest[]> {
  const order = 'digests.last_message_at desc nulls last, digests.id';
  const { rows } = await db.raw<Rows>(
    `
    with newest as materialized (
      select digests.id from digests
      where user_id = :userId and digest_date = :today::date and summary <> '' and dialog_id = any(:among::uuid[])
      order by ${order} limit :limit
    )
    select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS}
    where digests.user_id = :userId and digests.id in (select id from newest) order by ${order}
    `,
    asked,
  );
  return rows.map(toShown);
}
