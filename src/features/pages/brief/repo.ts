import type { Db } from '../../../lib/db.ts';
import { joinSql, NO_SQL, sql } from '../../../lib/sql.ts';
import { IS_WRITTEN, SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../../digests/fragments.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import { BY_DUE, openOn, selectSourcedColumns, stands } from '../../promises/fragments.ts';
import type { UserMoment } from '../../promises/rules.ts';
import { DIRECTIONS, sourcedPromiseRow } from '../../promises/schema.ts';
import { type BriefQuery, type Colleague, colleagueRow } from './schema.ts';

const MAX_COLLEAGUES = 4;

/**
 * Colleagues at the contact's company, most recent first.
 * @param among the conversations to choose from; default: all
 */
export async function listColleagues(db: Db, { userId, dialogId, among }: BriefQuery): Promise<Colleague[]> {
  return sql`
    select other.id as dialog_id, other.peer_name, other.peer_username, other.peer_phone
    from dialogs own join dialogs other on other.user_id = ${userId} and other.id <> own.id and other.peer_type = 'user'
      and other.crm_contact_id <> '' and lower(other.match_contact ->> 'company') = lower(own.match_contact ->> 'company')
    where own.user_id = ${userId} and own.id = ${dialogId} and own.crm_contact_id <> '' and own.match_contact ->> 'company' <> ''
      ${among ? sql`and other.id = any(${among}::uuid[])` : NO_SQL}
    order by other.last_message_at desc nulls last, other.id limit ${MAX_COLLEAGUES}
  `.read(db, colleagueRow);
}

type DialogsOfUser = { userId: string; dialogIds: readonly string[] };

/** The most digests of each conversation; more days than fit on a page. */
const MAX_DIGESTS = 30;

/** The newest digests of these conversations, newest day first. */
export async function listDigestsOfDialogs(db: Db, { userId, dialogIds }: DialogsOfUser): Promise<ShownDigest[]> {
  const rows = await sql`
    select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS} where digests.user_id = ${userId} and digests.id in (
      select newest.id from unnest(${dialogIds}::uuid[]) as asked (id) cross join lateral (
        select id from digests where digests.dialog_id = asked.id and ${IS_WRITTEN} order by digest_date desc limit ${MAX_DIGESTS}
      ) as newest
    ) order by digests.digest_date desc, digests.last_message_at desc nulls last, digests.id
  `.rows(db);
  return rows.map(toShown);
}

/** Of each side: more than shown, as those of colleagues and those that seem settled are among them. */
const MAX_OPEN = 60;
const MAX_KEPT = 3;
const RECENTLY_KEPT_DAYS = 14;

/** The open promises of these conversations, by day, and those kept lately. */
export async function listPromisesOfDialogs(db: Db, { userId, dialogIds, ...moment }: DialogsOfUser & UserMoment) {
  const ofThem = sql`p.user_id = ${userId} and p.dialog_id = any(${dialogIds}::uuid[]) and p.words <> ''`;
  const open = DIRECTIONS.map(
    direction => sql`(select p.id from promises p where ${ofThem} and ${openOn(moment)} and p.direction = ${direction}
      order by p.is_doubtful or ${stands('perhapsSettled', moment)}, ${BY_DUE} limit ${MAX_OPEN})`,
  );
  const kept = sql`(select p.id from promises p where ${ofThem} and p.state = 'done' and p.kind = 'promise'
    and p.changed_at > ${moment.today}::date - ${RECENTLY_KEPT_DAYS} order by p.changed_at desc, p.id limit ${MAX_KEPT})`;
  return sql`
    select ${selectSourcedColumns(moment)} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.id in (${joinSql([...open, kept], ' union all ')}) order by ${BY_DUE}
  `.read(db, sourcedPromiseRow);
}
