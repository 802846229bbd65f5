import { type Db, isUuid, type Owner, type Rows } from '../../lib/db.ts';
import {
  COLUMNS,
  DUE_OR_INFINITY,
  MAYBE_SETTLED_DUE,
  MAYBE_SETTLED_DUE_RECENTLY,
  NOT_DOUBTED,
  OPEN_TODAY,
  PUT_OFF,
  SHARED_DATE,
} from './fragments.ts';
import { LIVE_STATES, TRANSITIONS, type UserTransition } from './rules.ts';
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

const OUTCOME_COLUMNS = ['state', 'snoozed_until', 'reason', 'replaced_by', 'is_doubtful', 'is_user_decided'];
const STATE_COLUMNS = [...OUTCOME_COLUMNS, 'changed_by', 'evidence', 'moved_from', 'kind', 'edited'];
const DUE_COLUMNS = ['due_date', 'due_time'];
const SAID_COLUMNS = ['words', 'direction', 'who', 'due_text'];

const valuesOf = (columns: string[]) => `jsonb_build_object(${columns.map(name => `'${name}', p.${name}`).join(', ')})`;

/** SQL of `promises p`: what a change replaces, by column, for its undo. What digests change later is not undone with it. */
export const PREVIOUS = valuesOf(STATE_COLUMNS);

/** The same for a change that may also change the day. */
export const PREVIOUS_AND_DUE = valuesOf([...STATE_COLUMNS, ...DUE_COLUMNS]);

/** The same for an edit by the user. Of `undoes`, pages tell that Undo takes back something that the user wrote. */
const PREVIOUS_OF_EDIT = `${valuesOf([...STATE_COLUMNS, ...DUE_COLUMNS, ...SAID_COLUMNS])} || '{"undoes": "edit"}'`;

/** Adds the messages of a closing that is undone. */
const APPEND_UNDONE_IDS = `case when p.changed_by = 'automatic' then p.undone_message_ids ||
  array(select id #>> '{}' from jsonb_path_query(p.evidence, 'lax $.messageIds[*]') as id) else p.undone_message_ids end`;

const addEditedFields = (fields: string) => `array(select distinct unnest(p.edited || ${fields}::text[]) order by 1)`;

/** SQL: it is opened again after its day, or put off beyond it, so it becomes a promise: its day would close it otherwise. */
const OUTLASTS_ITS_DAY = `(p.reason = 'past' or p.kind <> 'promise' and p.due_date < :until::date)`;

/** SQL: the columns that a decision sets. */
const SET_DECIDED = `state = :to, is_doubtful = false, reason = null, replaced_by = null, changed_at = :now,
  kind = case when ${OUTLASTS_ITS_DAY} then 'promise' else p.kind end,
  edited = case when ${OUTLASTS_ITS_DAY} then ${addEditedFields(`'{kind}'`)} else p.edited end`;

/** Limit of a conversation's newest digests read for people's names. */
const MAX_DIGESTS_READ = 30;

/** People who had written in the conversation of `promises p` by that day, as far as digests keep them. */
export const PEOPLE = `select jsonb_agg(distinct message - 'id' - 'sentAt')
  from (select sources from digests where dialog_id = p.dialog_id and user_id = p.user_id
    and digest_date <= p.first_said_on order by digest_date desc limit ${MAX_DIGESTS_READ}) as said
  cross join lateral jsonb_path_query(said.sources, 'lax $.messages[*]') as message`;

/** Marks all promises so far as shown, before an email or a calendar shows them. */
export async function recordShown(db: Db, { userId }: Owner): Promise<void> {
  await db.raw('select mark_promises_seen(:userId)', { userId });
}

/** Locks the read marker until the transaction ends. */
export async function lockReadMarker(db: Db, { userId }: Owner): Promise<void> {
  await db('promise_read_markers').insert({ user_id: userId, last_seen_number: 0 }).onConflict('user_id').ignore();
  await db('promise_read_markers').where({ user_id: userId }).forNoKeyUpdate().select('last_seen_number');
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
  /** Only others' appointments, and dates without an owner. */
  onlySharedDates?: boolean;
  /** Only what this list of Today has, apart from its days. */
  list?: keyof typeof IN_LIST;
  /** The last promise of the previous page. */
  after?: { due: string; id: string } | undefined;
  limit: number;
};

/** States that depend on the day. */
const IN_STATE: Partial<Record<PromiseState, string>> = { open: OPEN_TODAY, snoozed: PUT_OFF };

/** By list of Today. The user is asked about what may be settled, so it is not among what is due. */
const IN_LIST = {
  due: `(p.kind = 'promise' or p.due_date >= :today::date) and not (${MAYBE_SETTLED_DUE})`,
  perhapsSettled: MAYBE_SETTLED_DUE_RECENTLY,
  owed: `p.kind = 'promise' and ${NOT_DOUBTED}`,
};

/** The promises that match the filter, by due day, undated ones last. */
export async function listReadablePromises(db: Db, { userId, ...filter }: PromiseFilter): Promise<UserPromise[]> {
  const { after, state } = filter;
  const only = [
    IN_STATE[state] ?? 'p.state = :state',
    filter.direction && 'p.direction = :direction',
    filter.dialogId && 'p.dialog_id = :dialogId',
    filter.dueBefore && 'p.due_date < :dueBefore::date',
    filter.dueAfter && 'p.due_date > :dueAfter::date',
    filter.among && 'p.dialog_id = any(:among::uuid[])',
    filter.onlySharedDates && SHARED_DATE,
    filter.list && IN_LIST[filter.list],
    after && `(${DUE_OR_INFINITY}, p.id) > (:due::date, :id::uuid)`,
  ].filter(Boolean);
  const { rows } = await db.raw<Rows>(
    `
    select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.words <> '' and ${only.join(' and ')} order by ${DUE_OR_INFINITY}, p.id limit :limit
    `,
    { userId, ...filter, due: after?.due ?? null, id: after?.id ?? null },
  );
  return rows.map(row => promiseRow.parse(row));
}

/** A decision of the person, with its parameters. */
type PersonalChange = {
  move: UserTransition;
  /** YYYY-MM-DD; `until` is for `snooze`, `dueDate` for `move`. */
  until?: string | undefined;
  dueDate?: string | undefined;
};

/** The outcome of a requested change: the promise as it is now, and whether it was changed. */
export type ChangeOutcome = { promise: UserPromise; isChanged: boolean };

/** Promises with the user's current day (YYYY-MM-DD) and the time of the change. */
type PromiseSelection = Owner & { ids: readonly string[]; today: string; now: Date };

/** Makes a move for many promises at once. Those whose state forbids it stay the same; other users' aren't returned. */
export async function changePromises(
  db: Db,
  { ids, ...selection }: PromiseSelection,
  { move, until, dueDate }: PersonalChange,
): Promise<ChangeOutcome[]> {
  const { to, from } = TRANSITIONS[move];
  const change = dueDate
    ? `previous = ${PREVIOUS_AND_DUE}, is_user_decided = true, moved_from = p.due_date, due_date = :dueDate::date, due_time = null`
    : `previous = ${PREVIOUS}, is_user_decided = p.is_user_decided or p.state <> :to`;
  return changeRows(
    db,
    { ids, ...selection, to, from: [...from], until: until ?? null, dueDate: dueDate ?? null },
    `update promises p set ${SET_DECIDED}, ${change}, snoozed_until = :until::date, evidence = null, changed_by = 'person',
      undone_message_ids = ${APPEND_UNDONE_IDS}
    where p.user_id = :userId and p.id = any(:ids::uuid[]) and p.state = any(:from)`,
  );
}

const SET_RESTORE = [...STATE_COLUMNS, ...DUE_COLUMNS, ...SAID_COLUMNS].filter(
  column => column !== 'is_user_decided' && column !== 'replaced_by',
);

/**
 * Undoes the last change of each, in one statement; promises without a change to undo stay as they are. A withdrawn
 * promise that the person restores stays, whatever the next rewrite says.
 */
export async function undoChanges(db: Db, selection: PromiseSelection): Promise<ChangeOutcome[]> {
  return changeRows(
    db,
    selection,
    `update promises p set (${SET_RESTORE}, is_user_decided, replaced_by) = (
        select ${SET_RESTORE.map(column => `old.${column}`)}, p.state = '${TRANSITIONS.withdraw.to}' or old.is_user_decided,
          (select id from promises where user_id = p.user_id and id = old.replaced_by)
        from jsonb_populate_record(p, p.previous) as old
      ), changed_at = :now, undone_message_ids = ${APPEND_UNDONE_IDS}, previous = null
    where p.user_id = :userId and p.id = any(:ids::uuid[]) and p.previous is not null`,
  );
}

/** Locks the rows first, in a fixed order: two such requests never deadlock, and the second sees what the first decided. */
async function changeRows(
  db: Db,
  { ids, ...bindings }: PromiseSelection & Record<string, unknown>,
  update: string,
): Promise<ChangeOutcome[]> {
  const values = { ...bindings, ids: ids.filter(isUuid) };
  return db.transaction(async trx => {
    const ours = 'p.user_id = :userId and p.id = any(:ids::uuid[])';
    await trx.raw(`select from promises p where ${ours} order by p.id for no key update`, values);
    const { rows } = await trx.raw<{ rows: { is_changed: boolean }[] }>(
      `
      with changed as (${update} returning p.*), answered as (
        select *, true as is_changed from changed
        union all select *, false from promises p where ${ours} and p.id not in (select id from changed)
      )
      select ${COLUMNS}, is_changed from answered p join dialogs on dialogs.id = p.dialog_id order by p.id
      `,
      values,
    );
    return rows.map(row => ({ promise: promiseRow.parse(row), isChanged: row.is_changed }));
  });
}

/** Applies changes of CRM tasks to promises, with Undo; promises already in that state stay. */
export async function applyTaskChanges(
  db: Db,
  { userId, now, move }: Owner & { now: Date; move: 'complete' | 'uncomplete' },
  done: readonly { id: string; evidence: Evidence }[],
): Promise<void> {
  if (done.length === 0) return;
  await db.raw(
    `
    with there as (
      select * from jsonb_to_recordset(:done::jsonb) as there (id uuid, evidence jsonb)
    ), wanted as materialized (
      select id from promises where user_id = :userId and id in (select id from there) order by id for no key update
    )
    update promises p set ${SET_DECIDED}, previous = ${PREVIOUS}, snoozed_until = null, evidence = there.evidence,
      changed_by = 'automatic'
    from there join wanted on wanted.id = there.id
    where p.id = there.id and p.user_id = :userId and p.state = any(:from)
    `,
    { userId, now, until: null, to: TRANSITIONS[move].to, from: [...TRANSITIONS[move].from], done: JSON.stringify(done) },
  );
}

/** For all users: appointments and deadlines whose day is over, in UTC if the database does not know the user's zone. */
export async function closePastOfAllUsers(db: Db, now: Date): Promise<void> {
  await db.raw(
    `
    update promises p set state = '${TRANSITIONS.pass.to}', snoozed_until = null, reason = 'past', is_doubtful = false,
      evidence = null, changed_by = 'automatic', changed_at = :now,
      previous = ${PREVIOUS} || jsonb_build_object('kind', 'promise', 'edited', ${addEditedFields(`'{kind}'`)})
    from (
      select due.id from promises due left join sync_configs on sync_configs.user_id = due.user_id
        left join pg_timezone_names zone on lower(zone.name) = lower(sync_configs.timezone)
      where due.kind <> 'promise' and due.state = any(:from)
        and due.due_date < ((:now::timestamptz + interval '14 hours') at time zone 'UTC')::date
        and due.due_date < (:now::timestamptz at time zone coalesce(zone.name, 'UTC'))::date
      order by due.id for no key update of due
    ) as past
    where p.id = past.id
    `,
    { now, from: [...TRANSITIONS.pass.from] },
  );
}

/** An edit by the user: only the fields that are given change. `side` is who owes it. */
export type Edit = {
  words?: string | undefined;
  /** Null removes the day. */
  due?: { date: string; time: string | null } | null | undefined;
  side?: { direction: Direction; who: string | null } | undefined;
  kind?: PromiseKind | undefined;
};

/** By column, for `jsonb_populate_record`, which leaves the other columns as they are. */
const toColumnValues = ({ words, due, side, kind }: Edit) =>
  JSON.stringify({
    words,
    kind,
    direction: side?.direction,
    who: side?.who,
    ...(due !== undefined && { due_date: due?.date ?? null, due_time: due?.time ?? null, due_text: null, moved_from: null }),
  });

const EDITED_COLUMNS = [...SAID_COLUMNS, ...DUE_COLUMNS, 'kind', 'moved_from'];

const listEditedFields = (edit: Edit) => EDITABLE.filter(field => edit[field] !== undefined);

/** Stores what a person edited in a promise that is not settled. It can be undone. */
export async function editPromise(db: Db, selection: PromiseSelection, edit: Edit): Promise<ChangeOutcome[]> {
  return changeRows(
    db,
    { ...selection, edit: toColumnValues(edit), fields: listEditedFields(edit), from: [...LIVE_STATES] },
    `update promises p set (${EDITED_COLUMNS}) = (select ${EDITED_COLUMNS} from jsonb_populate_record(p, :edit::jsonb)),
      edited = ${addEditedFields(':fields')}, previous = ${PREVIOUS_OF_EDIT}, changed_by = 'person', changed_at = :now
    where p.user_id = :userId and p.id = any(:ids::uuid[]) and p.state = any(:from)`,
  );
}

type NewPromise = Owner & { dialogId: string; today: string; now: Date; messageIds: readonly string[] };

/**
 * Adds a promise of the person's own. What it says is theirs: no reading changes it. Its undo leaves it dismissed.
 * Undefined for an unknown conversation and for another user's.
 */
export async function addPromise(db: Db, added: NewPromise, edit: Required<Edit>): Promise<UserPromise | undefined> {
  const { rows } = await db.raw<Rows>(
    `
    with added as (
      insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, source_message_ids, is_added, edited,
        changed_by, changed_at, previous, ${EDITED_COLUMNS})
      select dialogs.user_id, dialogs.id, 'added-' || gen_random_uuid(), :today::date, :today::date, :messageIds::text[], true,
        :fields::text[], 'person', :now,
        '{"undoes": "add", "state": "dismissed", "is_user_decided": true}', ${EDITED_COLUMNS.map(column => `said.${column}`)}
      from dialogs cross join jsonb_populate_record(null::promises, :edit::jsonb) as said
      where dialogs.id = :dialogId and dialogs.user_id = :userId
      returning *
    )
    select ${COLUMNS} from added p join dialogs on dialogs.id = p.dialog_id
    `,
    { ...added, messageIds: [...added.messageIds], edit: toColumnValues(edit), fields: listEditedFields(edit) },
  );
  return rows[0] ? promiseRow.parse(rows[0]) : undefined;
}

/** Undefined for an unknown promise, for another user's and for one without words. `today`: YYYY-MM-DD */
export async function findPromise(
  db: Db,
  query: Owner & { promiseId: string; today: string },
): Promise<UserPromise | undefined> {
  if (!isUuid(query.promiseId)) return undefined;
  const { rows } = await db.raw<Rows>(
    `select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.id = :promiseId and p.words <> ''`,
    query,
  );
  return rows[0] ? promiseRow.parse(rows[0]) : undefined;
}

export type Choice = { id: string; peerName: string; peerUsername: string; peerPhone: string };

/** The conversations to choose from: of those with people and groups the latest, headed by the one that is asked for. */
export async function listDialogChoices(db: Db, query: Owner & { dialogId?: string | undefined; limit: number }) {
  const { rows } = await db.raw<{ rows: Choice[] }>(
    `
    select id, peer_name as "peerName", peer_username as "peerUsername", peer_phone as "peerPhone" from dialogs
    where user_id = :userId and (unreadable is null or id = :dialogId::uuid)
    order by id is not distinct from :dialogId::uuid desc, last_message_at desc nulls last, id limit :limit
    `,
    { ...query, dialogId: query.dialogId ?? null },
  );
  return rows;
}
