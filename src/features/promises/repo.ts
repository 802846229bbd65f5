import { type Db, isUuid, type Owner, type Rows } from '../../lib/db.ts';
import { COLUMNS, DUE_OR_INFINITY, OPEN_TODAY, PUT_OFF } from './fragments.ts';
import { LIVE_STATES, TRANSITIONS, UNDOABLE, type UserTransition } from './rules.ts';
import {
  type Direction,
  EDITABLE,
  type Evidence,
  type PromiseKind,
  type PromiseState,
  promiseRow,
  type UserPromise,
} from './schema.ts';

/** The owner as an action item names it. */
export const OWNER = `case p.direction when 'mine' then 'user' when 'theirs' then 'contact' else 'unknown' end`;

/** SQL of `promises p`: the values that a change replaces, stored for its undo. */
export const PREVIOUS = `jsonb_build_object('state', p.state, 'snoozedUntil', p.snoozed_until, 'changedBy', p.changed_by,
  'evidence', p.evidence, 'isTouched', p.is_touched, 'isDoubtful', p.is_doubtful, 'movedFrom', p.moved_from,
  'reason', p.reason, 'replacedBy', p.replaced_by, 'kind', p.kind, 'edited', p.edited)`;

/** The values that a change replaces if it may also change the day. */
export const PREVIOUS_AND_DUE = `${PREVIOUS} || jsonb_build_object('dueDate', p.due_date, 'dueTime', p.due_time)`;

/** Adds the messages of a closing that is undone. */
const UNDONE = `case when p.changed_by = 'automatic' then p.undone_message_ids ||
  array(select id #>> '{}' from jsonb_path_query(p.evidence, 'lax $.messageIds[*]') as id) else p.undone_message_ids end`;

/** An appointment or a deadline that is opened again after its day is something to do: it would be closed again at once. */
const OPENED_KIND = `case when p.reason = 'past' then 'promise' else p.kind end`;

const OPENED_EDITED = `case when p.reason = 'past' then array(select distinct unnest(p.edited || '{kind}'::text[]) order by 1)
  else p.edited end`;

/** How many of a conversation's newest digests are read for the names of its people. */
const MOST_READ = 30;

/** Who wrote in the conversation of `promises p` by the day on which it was said, as far as its digests keep it. */
export const PEOPLE = `select jsonb_agg(distinct message - 'id' - 'sentAt')
  from (select sources from digests where dialog_id = p.dialog_id and user_id = p.user_id
    and digest_date <= p.first_said_on order by digest_date desc limit ${MOST_READ}) as said
  cross join lateral jsonb_path_query(said.sources, 'lax $.messages[*]') as message`;

/** Remembers that all promises so far may be shown, before an email shows them; each request does the same itself. */
export async function recordShown(db: Db, { userId }: Owner): Promise<void> {
  await db.raw('select note_shown(:userId)', { userId });
}

/** Until the transaction ends, nothing more counts as shown. */
export async function lockViews(db: Db, { userId }: Owner): Promise<void> {
  await db.raw('insert into promise_views (user_id, shown) values (:userId, 0) on conflict (user_id) do nothing', {
    userId,
  });
  await db('promise_views').where({ user_id: userId }).forNoKeyUpdate().select('shown');
}

type PromiseFilter = Owner & {
  /** The user's present day, YYYY-MM-DD, as all days here. */
  today: string;
  state: PromiseState;
  direction?: string | undefined;
  dialogId?: string | undefined;
  /** Both days are exclusive. */
  dueBefore?: string | undefined;
  dueAfter?: string | undefined;
  /** Only in these conversations. */
  among?: readonly string[] | undefined;
  /** Only what belongs to its day and is not the user's alone. */
  isDate?: boolean;
  /** Only what can be overdue. */
  isPromise?: boolean;
  /** The last promise of the previous page. */
  after?: { due: string; id: string } | undefined;
  limit: number;
};

/** By due day, those without one last. */
export async function listReadablePromises(db: Db, { userId, ...wanted }: PromiseFilter): Promise<UserPromise[]> {
  const { after, state } = wanted;
  const only = [
    state === 'open' ? OPEN_TODAY : state === 'snoozed' ? PUT_OFF : 'p.state = :state',
    wanted.direction && 'p.direction = :direction',
    wanted.dialogId && 'p.dialog_id = :dialogId',
    wanted.dueBefore && 'p.due_date < :dueBefore::date',
    wanted.dueAfter && 'p.due_date > :dueAfter::date',
    wanted.among && 'p.dialog_id = any(:among::uuid[])',
    wanted.isDate && `p.kind <> 'promise' and p.direction <> 'mine'`,
    wanted.isPromise && `(p.kind = 'promise' or p.due_date >= :today::date)`,
    after && `(${DUE_OR_INFINITY}, p.id) > (:due::date, :id::uuid)`,
  ].filter(Boolean);
  const { rows } = await db.raw<Rows>(
    `
    select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.words <> '' and ${only.join(' and ')} order by ${DUE_OR_INFINITY}, p.id limit :limit
    `,
    { userId, ...wanted, due: after?.due ?? null, id: after?.id ?? null },
  );
  return rows.map(row => promiseRow.parse(row));
}

/** A decision of the person, with its parameters. */
type Change = {
  move: UserTransition;
  /** YYYY-MM-DD; `until` is for `snooze`, `dueDate` for `move`. */
  until?: string | undefined;
  dueDate?: string | undefined;
};

const CHANGED = `state = :to, snoozed_until = :until::date, evidence = null, reason = null, replaced_by = null, changed_by = 'person', changed_at = :now,
  is_touched = p.is_touched or p.state <> :to or :dueDate::date is not null, is_doubtful = false, undone_message_ids = ${UNDONE}, kind = ${OPENED_KIND}, edited = ${OPENED_EDITED},
  previous = case when :dueDate::date is null then ${PREVIOUS} else ${PREVIOUS_AND_DUE} end,
  moved_from = case when :dueDate::date is null then p.moved_from else p.due_date end,
  due_time = case when :dueDate::date is null then p.due_time end, due_date = coalesce(:dueDate::date, p.due_date)`;

function changedBindings({ move, until, dueDate }: Change) {
  return {
    to: TRANSITIONS[move].to,
    from: [...TRANSITIONS[move].from],
    until: until ?? null,
    dueDate: dueDate ?? null,
  };
}

/** The outcome of a requested change: the promise as it is now, and whether it was changed. */
export type ChangeOutcome = { promise: UserPromise; isChanged: boolean };

/** Which promises, on which day of the user (YYYY-MM-DD), at which moment. */
type PromiseSelection = Owner & { ids: readonly string[]; today: string; now: Date };

/** Makes a move for many promises at once. Those whose state forbids it stay the same; other users' aren't returned. */
export async function changePromises(
  db: Db,
  { ids, ...asked }: PromiseSelection,
  change: Change,
): Promise<ChangeOutcome[]> {
  return changeRows(
    db,
    { ids, ...asked, ...changedBindings(change) },
    `update promises p set ${CHANGED} from wanted
    where p.id = wanted.id and p.user_id = :userId and p.state = any(:from)`,
  );
}

/** Undoes the last change of each, in one statement; promises without a change to undo stay as they are. */
export async function undoChanges(db: Db, asked: PromiseSelection): Promise<ChangeOutcome[]> {
  return changeRows(
    db,
    { ...asked, from: [...UNDOABLE] },
    `update promises p set ${RESTORED} from wanted
    where p.id = wanted.id and p.user_id = :userId and p.previous is not null and p.state = any(:from)`,
  );
}

/** A withdrawn promise that the person restores stays, whatever the next rewrite says. */
const RESTORED = `state = coalesce(p.previous ->> 'state', 'open'), snoozed_until = (p.previous ->> 'snoozedUntil')::date,
  changed_by = p.previous ->> 'changedBy', evidence = nullif(p.previous -> 'evidence', 'null'), changed_at = :now,
  is_touched = p.state = '${TRANSITIONS.withdraw.to}' or coalesce((p.previous ->> 'isTouched')::boolean, true),
  is_doubtful = coalesce((p.previous ->> 'isDoubtful')::boolean, false),
  moved_from = (p.previous ->> 'movedFrom')::date, undone_message_ids = ${UNDONE}, previous = null,
  reason = p.previous ->> 'reason', replaced_by = (select id from promises where user_id = p.user_id and id = (p.previous ->> 'replacedBy')::uuid),
  due_date = case when p.previous -> 'dueDate' is null then p.due_date else (p.previous ->> 'dueDate')::date end,
  due_time = case when p.previous -> 'dueDate' is null then p.due_time else p.previous ->> 'dueTime' end,
  due_text = case when p.previous -> 'words' is null then p.due_text else p.previous ->> 'dueText' end,
  words = coalesce(p.previous ->> 'words', p.words), direction = coalesce(p.previous ->> 'direction', p.direction),
  who = case when p.previous -> 'words' is null then p.who else p.previous ->> 'who' end,
  kind = case when p.reason = 'past' then ${OPENED_KIND} else coalesce(p.previous ->> 'kind', p.kind) end,
  edited = case when p.reason = 'past' or p.previous -> 'edited' is null then ${OPENED_EDITED}
    else array(select jsonb_array_elements_text(p.previous -> 'edited')) end`;

/** Updates `promises p` from `wanted`, locking rows in a fixed order, so that two such requests never deadlock. */
async function changeRows(
  db: Db,
  { ids, ...bindings }: PromiseSelection & Record<string, unknown>,
  statement: string,
): Promise<ChangeOutcome[]> {
  const { rows } = await db.raw<{ rows: { is_changed: boolean }[] }>(
    `
    with wanted as materialized (
      select id from promises where user_id = :userId and id = any(:ids::uuid[]) order by id for no key update
    ), changed as (${statement} returning p.*), answered as (
      select *, true as is_changed from changed
      union all
      select *, false from promises p where p.user_id = :userId and p.id = any(:ids::uuid[])
        and p.id not in (select id from changed)
    )
    select ${COLUMNS}, is_changed from answered p join dialogs on dialogs.id = p.dialog_id order by p.id
    `,
    { ids: ids.filter(isUuid), ...bindings },
  );
  return rows.map(row => ({ promise: promiseRow.parse(row), isChanged: row.is_changed }));
}

type DoneThere = { id: string; evidence: Evidence };

/** Applies what was done to these promises' tasks in the CRM. It can be undone; promises already in that state stay. */
export async function applyTaskChanges(
  db: Db,
  { userId, now, move }: Owner & { now: Date; move: 'complete' | 'uncomplete' },
  done: readonly DoneThere[],
): Promise<void> {
  if (done.length === 0) return;
  await db.raw(
    `
    with there as (
      select * from jsonb_to_recordset(:done::jsonb) as there (id uuid, evidence jsonb)
    ), wanted as materialized (
      select id from promises where user_id = :userId and id in (select id from there) order by id for no key update
    )
    update promises p set state = :to, snoozed_until = null, is_doubtful = false, evidence = there.evidence, reason = null,
      replaced_by = null, kind = ${OPENED_KIND}, edited = ${OPENED_EDITED},
      changed_by = 'automatic', changed_at = :now, previous = ${PREVIOUS}
    from there join wanted on wanted.id = there.id
    where p.id = there.id and p.user_id = :userId and p.state = any(:from)
    `,
    { userId, now, to: TRANSITIONS[move].to, from: [...TRANSITIONS[move].from], done: JSON.stringify(done) },
  );
}

/** For all users: appointments and deadlines whose day is over where the user is. It can be undone, like any closing. */
export async function closePastOfAllUsers(db: Db, now: Date): Promise<void> {
  await db.raw(
    `
    update promises p set state = '${TRANSITIONS.pass.to}', snoozed_until = null, reason = 'past', is_doubtful = false,
      evidence = null, changed_by = 'automatic', changed_at = :now, previous = ${PREVIOUS}
    from (
      select due.id from promises due left join sync_configs on sync_configs.user_id = due.user_id
      where due.kind <> 'promise' and due.state = any(:from) and due.due_date < (:now::timestamptz + interval '14 hours')::date
        and due.due_date < (:now::timestamptz at time zone coalesce(sync_configs.timezone, 'UTC'))::date
      order by due.id for no key update of due
    ) as past
    where p.id = past.id
    `,
    { now, from: [...TRANSITIONS.pass.from] },
  );
}

/** SQL of `promises p`: the values that an edit replaces, stored for its undo. */
const PREVIOUS_FIELDS = `${PREVIOUS_AND_DUE} || jsonb_build_object('words', p.words, 'direction', p.direction, 'who', p.who,
  'dueText', p.due_text)`;

/** An edit by the user: only the fields that are given change. `side` is who owes it. */
export type Edit = {
  words?: string | undefined;
  /** Null takes the day away. */
  due?: { date: string; time: string | null } | null | undefined;
  side?: { direction: Direction; who: string | null } | undefined;
  kind?: PromiseKind | undefined;
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
export async function editPromise(db: Db, asked: PromiseSelection, edit: Edit): Promise<ChangeOutcome[]> {
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
export async function addPromise(db: Db, added: Added, edit: Required<Edit>): Promise<UserPromise | undefined> {
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
): Promise<UserPromise | undefined> {
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
export async function listDialogChoices(db: Db, asked: Owner & { dialogId?: string | undefined; limit: number }) {
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
