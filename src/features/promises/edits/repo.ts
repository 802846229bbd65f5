import type { Db } from '../../../lib/db.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { COLUMNS } from '../fragments.ts';
import { type Asked, type Changed, changeRows, PREVIOUS_AND_DUE } from '../repo.ts';
import { LIVE_STATES } from '../rules.ts';
import { type Direction, EDITABLE, type Kind, type LedgerPromise, promiseRow } from '../schema.ts';

type Owner = { userId: string };
type Rows = { rows: unknown[] };

/** What an edit replaces, of `promises p`. */
const PREVIOUS_FIELDS = `${PREVIOUS_AND_DUE} || jsonb_build_object('words', p.words, 'direction', p.direction, 'who', p.who,
  'dueText', p.due_text)`;

/** What a person wrote: only the fields that are given change. Whose it is are `direction` and `who` together. */
export type Edit = {
  words?: string | undefined;
  /** Null takes the day away. */
  due?: { date: string; time: string | null } | null | undefined;
  side?: { direction: Direction; who: string | null } | undefined;
  kind?: Kind | undefined;
};

function editBindings({ words, due, side, kind }: Edit) {
  const given = { words, due, side, kind };
  return {
    words: words ?? null,
    hasDue: due !== undefined,
    dueDate: due?.date ?? null,
    dueTime: due?.time ?? null,
    direction: side?.direction ?? null,
    who: side?.who ?? null,
    kind: kind ?? null,
    edited: EDITABLE.filter(field => given[field] !== undefined),
  };
}

/** Stores what a person edited in a promise that is not settled. It can be undone. */
export async function editPromise(db: Db, asked: Asked, edit: Edit): Promise<Changed[]> {
  return changeRows(
    db,
    { ...asked, ...editBindings(edit), from: [...LIVE_STATES] },
    `update promises p set words = coalesce(:words, p.words), kind = coalesce(:kind, p.kind),
      due_date = case when :hasDue then :dueDate::date else p.due_date end,
      due_time = case when :hasDue then :dueTime else p.due_time end,
      due_text = case when :hasDue then null else p.due_text end,
      moved_from = case when :hasDue then null else p.moved_from end,
      direction = coalesce(:direction, p.direction), who = case when :direction::text is null then p.who else :who end,
      edited = array(select distinct unnest(p.edited || :edited::text[]) order by 1),
      previous = ${PREVIOUS_FIELDS}, changed_by = 'person', changed_at = :now from wanted
    where p.id = wanted.id and p.user_id = :userId and p.state = any(:from)`,
  );
}

type Added = Owner & { dialogId: string; today: string; now: Date; messageIds: readonly string[] };

/**
 * Adds a promise of the person's own. What it says is theirs: no reading changes it. Its undo leaves it dismissed.
 * Undefined for an unknown conversation and for another user's.
 */
export async function addPromise(db: Db, added: Added, edit: Required<Edit>): Promise<LedgerPromise | undefined> {
  const { rows } = await db.raw<Rows>(
    `
    with added as (
      insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, who, words, due_date,
        due_time, kind, source_message_ids, is_added, edited, changed_by, changed_at, previous)
      select user_id, id, 'added-' || gen_random_uuid(), :today::date, :today::date, :direction, :who, :words,
        :dueDate::date, :dueTime, :kind, :messageIds::text[], true, :edited::text[], 'person', :now,
        jsonb_build_object('state', 'dismissed', 'changedBy', 'person', 'isTouched', true)
      from dialogs where id = :dialogId and user_id = :userId
      returning *
    )
    select ${COLUMNS} from added p join dialogs on dialogs.id = p.dialog_id
    `,
    { ...added, messageIds: [...added.messageIds], ...editBindings(edit) },
  );
  return rows[0] ? promiseRow.parse(rows[0]) : undefined;
}

/** Undefined for an unknown promise, for another user's and for one without words. `today`: YYYY-MM-DD */
export async function findPromise(
  db: Db,
  asked: Owner & { promiseId: string; today: string },
): Promise<LedgerPromise | undefined> {
  if (!isUuid(asked.promiseId)) return undefined;
  const { rows } = await db.raw<Rows>(
    `select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.id = :promiseId and p.words <> ''`,
    asked,
  );
  return rows[0] ? promiseRow.parse(rows[0]) : undefined;
}

export type Choice = { id: string; peerName: string; peerUsername: string; peerPhone: string };

/** The conversations to choose from: of those with people and groups the latest, headed by the one that is asked for. */
export async function listChoices(db: Db, asked: Owner & { dialogId?: string | undefined; limit: number }) {
  const { rows } = await db.raw<{ rows: Choice[] }>(
    `
    select id, peer_name as "peerName", peer_username as "peerUsername", peer_phone as "peerPhone" from dialogs
    where user_id = :userId and (unreadable is null or id = :dialogId::uuid)
    order by id is not distinct from :dialogId::uuid desc, last_message_at desc nulls last, id limit :limit
    `,
    { ...asked, dialogId: asked.dialogId ?? null },
  );
  return rows;
}
