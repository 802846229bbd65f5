import { z } from 'zod';
import { SENTIMENTS, SUMMARY_STYLES, type SummaryStyle } from '../../../clients/summarizer/types.ts';
import { type Db, isUuid, rowReader } from '../../../lib/db.ts';
import { joinSql, rawSql, sql } from '../../../lib/sql.ts';
import { ofDialog, selectShown, selectShownOfDialog, toShown } from '../../digests/fragments.ts';
import type { Digest } from '../../digests/schema.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { NOTE_STATES } from '../../outbox/notes/schema.ts';
import { BY_DUE, MINE, openOn, putOff, SETTLED, selectSourcedColumns, THEIRS } from '../../promises/fragments.ts';
import type { UserMoment } from '../../promises/rules.ts';
import { type SourcedPromise, sourcedPromiseRow } from '../../promises/schema.ts';

/** A digest and the style it is written in; no style before it is written. */
export type StyledDigest = Digest & { style: SummaryStyle | undefined };

const styleColumn = z.object({ style: z.enum(SUMMARY_STYLES).optional().catch(undefined) });

const toStyled = (row: unknown): StyledDigest => ({ ...toShown(row), ...styleColumn.parse(row) }) as StyledDigest;

/** Newest day first. */
export async function listTimeline(db: Db, { limit, offset, ...dialog }: DialogKey & { limit: number; offset: number }) {
  const shown = selectShownOfDialog(dialog);
  const rows = await sql`${shown} order by digests.digest_date desc limit ${limit} offset ${offset}`.rows(db);
  return rows.map(toStyled);
}

/** Undefined for an unknown digest and for another user's. */
export async function findStyledDigest(db: Db, { userId, digestId }: { userId: string; digestId: string }) {
  if (!isUuid(digestId)) return undefined;
  const rows = await sql`${selectShown(userId)} and digests.id = ${digestId}`.rows(db);
  return rows.map(toStyled)[0];
}

/** The parts in which a conversation's promises are listed: what each contains, and in which order. */
const partsOf = (moment: UserMoment) => ({
  mine: { where: sql`${openOn(moment)} and ${MINE}`, order: BY_DUE, limit: 20 },
  theirs: { where: sql`${openOn(moment)} and ${THEIRS}`, order: BY_DUE, limit: 20 },
  unassigned: { where: sql`${openOn(moment)} and p.direction = 'unassigned'`, order: BY_DUE, limit: 20 },
  // Only how many there are.
  putOff: { where: putOff(moment), order: sql`p.snoozed_until, p.id`, limit: 1 },
  closed: { where: SETTLED, order: sql`p.changed_at desc, p.id`, limit: 5 },
});
export type PromisePart = keyof ReturnType<typeof partsOf>;

/** `total` counts the whole part. */
export type PromiseInPart = { part: PromisePart; total: number; promise: SourcedPromise };

/** The first promises of each part, in one statement. */
export async function listPromisesInParts(db: Db, { userId, dialogId, ...moment }: DialogKey & UserMoment) {
  const parts = Object.entries(partsOf(moment)).map(
    ([part, { where, order, limit }]) => sql`
    select * from (
      select ${rawSql(`'${part}'`)} as part, p.total, ${selectSourcedColumns(moment)} from (
        select *, (count(*) over ())::int as total from promises p
        where p.user_id = ${userId} and p.dialog_id = ${dialogId} and p.words <> '' and ${where}
        order by ${order} limit ${limit}
      ) p join dialogs on dialogs.id = p.dialog_id order by ${order}
    ) as ${rawSql(`"${part}"`)}`,
  );
  const rows = await joinSql(parts, ' union all ').rows<{ part: PromisePart; total: number }>(db);
  return rows.map(({ part, total, ...row }) => ({ part, total, promise: sourcedPromiseRow.parse(row) }));
}

const extent = z.object({
  /** All rows, including those without a digest. */
  total: z.coerce.number(),
  /** The first day with a digest, YYYY-MM-DD. */
  firstDay: z.string().nullable(),
});
const extentRow = rowReader(extent);

export async function getExtent(db: Db, dialog: DialogKey) {
  const [row] = await sql`
    select count(*) as total, to_char(min(digest_date) filter (where summary <> ''), 'YYYY-MM-DD') as first_day
    from digests where ${ofDialog(dialog)}
  `.rows(db);
  return extentRow.parse(row);
}

const mood = z.object({
  date: z.string(),
  messages: z.number(),
  /** Null where no model read how they felt. */
  sentiment: z.enum(SENTIMENTS).nullable().catch('neutral'),
});
const moodRow = rowReader(mood, { message_count: 'messages' });
export type DayMood = z.output<typeof mood>;

/** Days with a digest, oldest first. @param since YYYY-MM-DD */
export async function listMoods(db: Db, { since, ...dialog }: DialogKey & { since: string }): Promise<DayMood[]> {
  return sql`
    select to_char(digest_date, 'YYYY-MM-DD') as date, message_count,
      case when engine <> 'built-in' then coalesce(structured ->> 'sentiment', '') end as sentiment
    from digests where ${ofDialog(dialog)} and digest_date >= ${since} and summary <> '' order by digest_date
  `.read(db, moodRow);
}

type OfAccount = { userId: string; portalId: string };

const writtenNotes = z.object({ count: z.coerce.number(), lastWrittenAt: z.date().nullable() });
const standingRow = rowReader(writtenNotes);

/** Notes of one conversation that the CRM has. */
export async function countWrittenNotes(db: Db, { userId, portalId, dialogId }: OfAccount & { dialogId: string }) {
  const row = await db('outbox_notes')
    .where({ user_id: userId, portal_id: portalId, dialog_id: dialogId })
    .whereNotNull('crm_id')
    .whereIn('state', ['written', 'outdated'])
    .first(db.raw('count(*) as count'), db.raw('max(written_at) as last_written_at'));
  return standingRow.parse(row);
}

const noteOfDigest = z
  .object({
    digestId: z.string(),
    state: z.enum(NOTE_STATES),
    noteId: z.string().nullable(),
    contactId: z.string(),
    /** Why the CRM refused it. */
    failure: z.string().nullable(),
  })
  .transform(({ noteId, ...row }) => ({ ...row, isThere: noteId !== null }));
const noteRow = rowReader(noteOfDigest, { crm_id: 'noteId', crm_contact_id: 'contactId' });

export async function listNotesOfDigests(db: Db, { userId, portalId, dialogId }: OfAccount & { dialogId: string }) {
  const rows = await db('outbox_notes')
    .where({ user_id: userId, portal_id: portalId, dialog_id: dialogId })
    .whereNotNull('digest_id')
    .whereNot({ state: 'unwanted' })
    .whereNot({ crm_contact_id: '' })
    .select('digest_id', 'state', 'crm_id', 'crm_contact_id', 'failure');
  return new Map(rows.map(row => noteRow.parse(row)).map(note => [note.digestId, note]));
}
