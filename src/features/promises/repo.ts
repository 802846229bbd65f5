import { type Db, isUuid, type UserKey } from '../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, Sql, sql } from '../../lib/sql.ts';
import * as fragments from './fragments.ts';
import { LIVE_STATES, TRANSITIONS, type UserMoment, type UserTransition } from './rules.ts';
import {
  type Direction,
  EDITABLE,
  type Evidence,
  type PromiseKind,
  type PromiseState,
  promiseRow,
  type UserPromise,
} from './schema.ts';

/** SQL of `promises p`: whose the promise is, in the words of an action item's `owner`. */
export const ITEM_OWNER = sql`case p.direction when 'mine' then 'user' when 'theirs' then 'contact' else 'unknown' end`;

const OUTCOME_COLUMNS = ['state', 'snoozed_until', 'reason', 'replaced_by', 'is_doubtful', 'is_user_decided'];
const STATE_COLUMNS = [...OUTCOME_COLUMNS, 'changed_by', 'evidence', 'moved_from', 'kind', 'edited'];
const DUE_COLUMNS = ['due_date', 'due_time'];
const SAID_COLUMNS = ['words', 'direction', 'who', 'due_text'];

const columnsOf = (names: readonly string[], of = '') => rawSql(names.map(name => `${of}${name}`).join(', '));

const valuesOf = (names: string[]) => rawSql(`jsonb_build_object(${names.map(name => `'${name}', p.${name}`).join(', ')})`);

/** SQL of `promises p`: what a change replaces, by column, for its undo. What digests change later is not undone with it. */
export const PREVIOUS = valuesOf(STATE_COLUMNS);

/** Like {@link PREVIOUS}, for a change that may also change the day. */
export const PREVIOUS_AND_DUE = valuesOf([...STATE_COLUMNS, ...DUE_COLUMNS]);

/** Like {@link PREVIOUS}, for an edit. `undoes` lets pages say that Undo takes back something that the user wrote. */
const PREVIOUS_OF_EDIT = sql`${valuesOf([...STATE_COLUMNS, ...DUE_COLUMNS, ...SAID_COLUMNS])} || '{"undoes": "edit"}'`;

/** Adds the messages of a closing that is undone. */
const APPEND_UNDONE_IDS = sql`case when p.changed_by = 'automatic' then p.undone_message_ids ||
  array(select id #>> '{}' from jsonb_path_query(p.evidence, 'lax $.messageIds[*]') as id) else p.undone_message_ids end`;

const addEditedFields = (fields: readonly string[]) =>
  sql`array(select distinct unnest(p.edited || ${fields}::text[]) order by 1)`;

type Decision = { to: PromiseState; now: Date; until?: string | null };

/** The columns that a decision sets. An appointment or deadline opened again after its day, or put off beyond it, becomes a promise. */
function setDecided({ to, now, until = null }: Decision): Sql {
  const outlastsItsDay = sql`(p.reason = 'past' or p.kind <> 'promise' and p.due_date < ${until}::date)`;
  return sql`state = ${to}, is_doubtful = false, reason = null, replaced_by = null, changed_at = ${now},
    kind = case when ${outlastsItsDay} then 'promise' else p.kind end,
    edited = case when ${outlastsItsDay} then ${addEditedFields(['kind'])} else p.edited end`;
}

/** Limit of a conversation's newest digests read for people's names. */
const MAX_DIGESTS_READ = 30;

/** People who had written in the conversation of `promises p` by that day, as far as digests keep them. */
export const PEOPLE = sql`select jsonb_agg(distinct message - 'id' - 'sentAt')
  from (select sources from digests where dialog_id = p.dialog_id and user_id = p.user_id
    and digest_date <= p.first_said_on order by digest_date desc limit ${MAX_DIGESTS_READ}) as said
  cross join lateral jsonb_path_query(said.sources, 'lax $.messages[*]') as message`;

/** Marks all of the user's promises so far as shown, so that no rewrite takes one away that an email or a calendar has shown. */
export async function markAllPromisesShown(db: Db, { userId }: UserKey): Promise<void> {
  await sql`select mark_promises_seen(${userId})`.rows(db);
}

export async function lockReadMarker(db: Db, { userId }: UserKey): Promise<void> {
  await db('promise_read_markers').insert({ user_id: userId, last_seen_number: 0 }).onConflict('user_id').ignore();
  await db('promise_read_markers').where({ user_id: userId }).forNoKeyUpdate().select('last_seen_number');
}

type PromiseFilter = UserKey &
  UserMoment & {
    state: PromiseState;
    direction?: string | undefined;
    dialogId?: string | undefined;
    /** Both days are exclusive, YYYY-MM-DD. */
    dueBefore?: string | undefined;
    dueAfter?: string | undefined;
    /** Only in these conversations. */
    among?: readonly string[] | undefined;
    /** Only what this list of Today has. */
    list?: keyof typeof IN_LIST;
    /** The last promise of the previous page. */
    after?: { due: string; id: string } | undefined;
    limit: number;
  };

/** The condition of each list of Today. */
const IN_LIST = {
  due: (moment: UserMoment) =>
    sql`${fragments.MINE} and (${fragments.stands('overdue', moment)} or ${fragments.stands('dueToday', moment)})`,
  perhapsSettled: (moment: UserMoment) => sql`${fragments.MINE} and ${fragments.askedAbout(moment)}`,
  dates: (moment: UserMoment) => sql`${fragments.SHARED_DATE} and ${fragments.stands('dueToday', moment)}`,
  owedToUser: fragments.owedToUser,
};

function inState({ state, ...moment }: UserMoment & { state: PromiseState }): Sql {
  if (state === 'open') return fragments.openOn(moment);
  return state === 'snoozed' ? fragments.putOff(moment) : sql`p.state = ${state}`;
}

/** The promises that match the filter, by due day, undated ones last. */
export async function listReadablePromises(db: Db, { userId, ...filter }: PromiseFilter): Promise<UserPromise[]> {
  const { direction, dialogId, dueBefore, dueAfter, among, list, after } = filter;
  const only = [
    inState(filter),
    direction && sql`p.direction = ${direction}`,
    dialogId && sql`p.dialog_id = ${dialogId}`,
    dueBefore && sql`p.due_date < ${dueBefore}::date`,
    dueAfter && sql`p.due_date > ${dueAfter}::date`,
    among && sql`p.dialog_id = any(${among}::uuid[])`,
    list && IN_LIST[list](filter),
    after && sql`(${fragments.DUE_OR_INFINITY}, p.id) > (${after.due}::date, ${after.id}::uuid)`,
  ].filter(condition => condition instanceof Sql);
  return sql`
    select ${fragments.selectColumns(filter)} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.words <> '' and ${joinSql(only, ' and ')}
    order by ${fragments.DUE_OR_INFINITY}, p.id limit ${filter.limit}
  `.read(db, promiseRow);
}

type PersonalChange = {
  move: UserTransition;
  /** YYYY-MM-DD; `until` is for `snooze`, `dueDate` for `move`. */
  until?: string | null | undefined;
  dueDate?: string | null | undefined;
};

/** The outcome of a requested change: the promise as it is now, and whether it was changed. */
export type ChangeOutcome = { promise: UserPromise; isChanged: boolean };

/** Promises with the user's present moment and the time of the change. */
type PromiseSelection = UserKey & UserMoment & { ids: readonly string[]; now: Date };

/** Makes a move for many promises. Those whose state forbids it, or where it is a repeat, keep theirs; others' aren't returned. */
export async function changePromises(
  db: Db,
  selection: PromiseSelection,
  { move, until = null, dueDate = null }: PersonalChange,
): Promise<ChangeOutcome[]> {
  const { to, from } = TRANSITIONS[move];
  const isRepeated = sql`p.changed_by = 'person' and p.state = ${to} and not p.is_doubtful
    and p.snoozed_until is not distinct from ${until}::date
    and (${dueDate}::date is null or p.due_date = ${dueDate}::date and p.due_time is null)`;
  const change = dueDate
    ? sql`previous = ${PREVIOUS_AND_DUE}, is_user_decided = true, moved_from = nullif(p.due_date, ${dueDate}::date),
      due_date = ${dueDate}::date, due_time = null`
    : sql`previous = ${PREVIOUS}, is_user_decided = p.is_user_decided or p.state <> ${to}`;
  return changeRows(db, selection, {
    set: sql`${setDecided({ to, now: selection.now, until })}, ${change}, snoozed_until = ${until}::date, evidence = null,
      changed_by = 'person', undone_message_ids = ${APPEND_UNDONE_IDS}`,
    where: sql`p.state = any(${from}) and (${isRepeated}) is not true`,
  });
}

const RESTORED_COLUMNS = [...STATE_COLUMNS, ...DUE_COLUMNS, ...SAID_COLUMNS].filter(
  column => column !== 'is_user_decided' && column !== 'replaced_by',
);

/**
 * Undoes the last change of each, in one statement; promises without a change to undo stay as they are. A withdrawn
 * promise that the person restores stays, whatever the next rewrite says.
 */
export async function undoChanges(db: Db, selection: PromiseSelection): Promise<ChangeOutcome[]> {
  return changeRows(db, selection, {
    set: sql`(${columnsOf(RESTORED_COLUMNS)}, is_user_decided, replaced_by) = (
        select ${columnsOf(RESTORED_COLUMNS, 'old.')}, p.state = ${TRANSITIONS.withdraw.to} or old.is_user_decided,
          (select id from promises where user_id = p.user_id and id = old.replaced_by)
        from jsonb_populate_record(p, p.previous) as old
      ), changed_at = ${selection.now}, undone_message_ids = ${APPEND_UNDONE_IDS}, previous = null`,
    where: sql`p.previous is not null`,
  });
}

/** Locks the rows first, in a fixed order: two such requests never deadlock, and the second sees what the first decided. */
async function changeRows(
  db: Db,
  { userId, ids, ...moment }: PromiseSelection,
  { set, where }: { set: Sql; where: Sql },
): Promise<ChangeOutcome[]> {
  const ours = sql`p.user_id = ${userId} and p.id = any(${ids.filter(isUuid)}::uuid[]) and p.words <> ''`;
  return db.transaction(async trx => {
    await sql`select from promises p where ${ours} order by p.id for no key update`.rows(trx);
    const rows = await sql`
      with changed as (update promises p set ${set} where ${ours} and ${where} returning p.*), answered as (
        select *, true as is_changed from changed
        union all select *, false from promises p where ${ours} and p.id not in (select id from changed)
      )
      select ${fragments.selectColumns(moment)}, is_changed from answered p join dialogs on dialogs.id = p.dialog_id order by p.id
      `.rows<{ is_changed: boolean }>(trx);
    return rows.map(row => ({ promise: promiseRow.parse(row), isChanged: row.is_changed }));
  });
}

/** Applies changes of CRM tasks to promises, with Undo. Opening one there again undoes what closed it; a repeat changes nothing. */
export async function applyTaskChanges(
  db: Db,
  { userId, now, move }: UserKey & { now: Date; move: 'complete' | 'uncomplete' },
  done: readonly { id: string; evidence: Evidence }[],
): Promise<void> {
  if (done.length === 0) return;
  const { to, from } = TRANSITIONS[move];
  await sql`
    with there as (
      select * from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as there (id uuid, evidence jsonb)
    ), wanted as materialized (
      select id from promises where user_id = ${userId} and id in (select id from there) order by id for no key update
    )
    update promises p set ${setDecided({ to, now })}, previous = ${PREVIOUS}, snoozed_until = null, evidence = there.evidence,
      changed_by = 'automatic' ${move === 'complete' ? NO_SQL : sql`, is_user_decided = true, undone_message_ids = ${APPEND_UNDONE_IDS}`}
    from there join wanted on wanted.id = there.id
    where p.id = there.id and p.user_id = ${userId} and p.state = any(${from})
  `.rows(db);
}

/** Closes all users' appointments and deadlines whose day is over, in UTC if the database doesn't know the user's zone. */
export async function closePastOfAllUsers(db: Db, now: Date): Promise<void> {
  const { to, from } = TRANSITIONS.pass;
  await sql`
    update promises p set state = ${to}, snoozed_until = null, reason = 'past', is_doubtful = false,
      evidence = null, changed_by = 'automatic', changed_at = ${now},
      previous = ${PREVIOUS} || jsonb_build_object('kind', 'promise', 'edited', ${addEditedFields(['kind'])})
    from (
      select due.id from promises due left join sync_configs on sync_configs.user_id = due.user_id
        left join pg_timezone_names zone on lower(zone.name) = lower(sync_configs.timezone)
      where due.kind <> 'promise' and due.state = any(${from})
        and due.due_date < ((${now}::timestamptz + interval '14 hours') at time zone 'UTC')::date
        and due.due_date < (${now}::timestamptz at time zone coalesce(zone.name, 'UTC'))::date
      order by due.id for no key update of due
    ) as past
    where p.id = past.id
  `.rows(db);
}

/** An edit by the user: only the fields that are given change. `side` is who owes it. */
export type Edit = {
  words?: string | undefined;
  /** Null removes the day. */
  due?: { date: string; time: string | null } | null | undefined;
  side?: { direction: Direction; who: string | null } | undefined;
  kind?: PromiseKind | undefined;
};

/** The edited columns for `jsonb_populate_record`, which leaves all others as they are. */
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

/** Stores what a person edited in a promise that is not settled. It can be undone. The same again changes nothing. */
export async function editPromise(db: Db, selection: PromiseSelection, edit: Edit): Promise<ChangeOutcome[]> {
  const names = columnsOf(EDITED_COLUMNS);
  const [values, fields] = [toColumnValues(edit), listEditedFields(edit)];
  return changeRows(db, selection, {
    set: sql`(${names}) = (select ${names} from jsonb_populate_record(p, ${values}::jsonb)),
      edited = ${addEditedFields(fields)}, previous = ${PREVIOUS_OF_EDIT}, changed_by = 'person',
      changed_at = ${selection.now}`,
    where: sql`p.state = any(${LIVE_STATES}) and not (p.edited @> ${fields}::text[] and to_jsonb(p) @> ${values}::jsonb)`,
  });
}

type NewPromise = UserKey & UserMoment & { dialogId: string; now: Date; messageIds: readonly string[] };

/**
 * Adds a promise of the person's own. What it says is theirs: no reading changes it. Its undo leaves it dismissed.
 * Undefined for an unknown conversation and for another user's.
 */
export async function addPromise(
  db: Db,
  { userId, dialogId, now, messageIds, ...moment }: NewPromise,
  edit: Required<Edit>,
): Promise<UserPromise | undefined> {
  const { today } = moment;
  const [added] = await sql`
    with added as (
      insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, source_message_ids, is_added, edited,
        changed_by, changed_at, previous, ${columnsOf(EDITED_COLUMNS)})
      select dialogs.user_id, dialogs.id, 'added-' || gen_random_uuid(), ${today}::date, ${today}::date, ${messageIds}::text[], true,
        ${listEditedFields(edit)}::text[], 'person', ${now},
        '{"undoes": "add", "state": "dismissed", "is_user_decided": true}', ${columnsOf(EDITED_COLUMNS, 'said.')}
      from dialogs cross join jsonb_populate_record(null::promises, ${toColumnValues(edit)}::jsonb) as said
      where dialogs.id = ${dialogId} and dialogs.user_id = ${userId}
      returning *
    )
    select ${fragments.selectColumns(moment)} from added p join dialogs on dialogs.id = p.dialog_id
  `.read(db, promiseRow);
  return added;
}

/** Finds a promise; undefined for an unknown one, for another user's and for one without words. */
export async function findPromise(
  db: Db,
  { userId, promiseId, ...moment }: UserKey & UserMoment & { promiseId: string },
): Promise<UserPromise | undefined> {
  if (!isUuid(promiseId)) return undefined;
  const [found] =
    await sql`select ${fragments.selectColumns(moment)} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.id = ${promiseId} and p.words <> ''`.read(db, promiseRow);
  return found;
}

export type DialogChoice = { id: string; peerName: string; peerUsername: string; peerPhone: string };

/** The conversations to choose from: of those with people and groups the latest, headed by the one that is asked for. */
export async function listDialogChoices(
  db: Db,
  { userId, dialogId = null, limit }: UserKey & { dialogId?: string | null | undefined; limit: number },
) {
  return sql`
    select id, peer_name as "peerName", peer_username as "peerUsername", peer_phone as "peerPhone" from dialogs
    where user_id = ${userId} and (unreadable is null or id = ${dialogId}::uuid)
    order by id is not distinct from ${dialogId}::uuid desc, last_message_at desc nulls last, id limit ${limit}
  `.rows<DialogChoice>(db);
}
