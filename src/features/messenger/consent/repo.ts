import { type Db, toColumns, type UserKey } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import type { AccountKey } from '../dialogs/schema.ts';
import { TERMS_VERSION } from './rules.ts';
import * as schema from './schema.ts';

/** The data that decides who writes the digests of conversations, by their ids; none for an unknown one. */
export async function listConsentContexts(db: Db, { userId, dialogIds }: UserKey & { dialogIds: readonly string[] }) {
  const rows = await sql`
    select d.id, d.peer_type as "peerType", to_jsonb(of_account) as "ofAccount", to_jsonb(of_dialog) as "ofDialog"
    from dialogs d
    left join writer_choices of_account
      on of_account.account_id = d.account_id and of_account.dialog_id is null and of_account.ended_at is null
    left join writer_choices of_dialog on of_dialog.dialog_id = d.id and of_dialog.ended_at is null
    where d.user_id = ${userId} and d.id = any(${dialogIds}::uuid[])
  `.rows<{ id: string }>(db);
  return new Map(rows.map(({ id, ...row }) => [id, schema.consentContextRow.parse(row)]));
}

export async function listActiveChoices(db: Db, { userId }: UserKey): Promise<schema.WriterChoice[]> {
  const rows = await db('writer_choices').where({ user_id: userId, ended_at: null });
  return rows.map(row => schema.writerChoiceRow.parse(row));
}

/** Everything the user ever chose, newest first, with the names of single conversations. */
export async function listChoices(db: Db, { userId, limit }: { userId: string; limit: number }) {
  const rows = await db('writer_choices as c')
    .leftJoin('dialogs as d', 'd.id', 'c.dialog_id')
    .where({ 'c.user_id': userId })
    .select('c.*', 'd.peer_name', 'd.peer_username', 'd.peer_phone')
    .orderBy([{ column: 'c.chosen_at', order: 'desc' }, 'c.id'])
    .limit(limit);
  return rows.map(row => schema.namedChoiceRow.parse(row));
}

function selectChoice(db: Db, { userId, accountId, dialogId }: schema.ChoiceScope) {
  return db('writer_choices').where({ user_id: userId, account_id: accountId, dialog_id: dialogId, ended_at: null });
}

/** The choice that holds for exactly this account or conversation. */
export async function findActiveChoice(db: Db, scope: schema.ChoiceScope): Promise<schema.WriterChoice | undefined> {
  const row = await selectChoice(db, scope).first();
  return row && schema.writerChoiceRow.parse(row);
}

export async function insertChoice(
  db: Db,
  { userId, accountId, dialogId }: schema.ChoiceScope,
  { choice, now }: { choice: schema.NewChoice; now: Date },
): Promise<void> {
  const terms = choice.writer === 'model' ? (choice.terms ?? 1) : TERMS_VERSION;
  await db('writer_choices').insert(toColumns({ ...choice, terms, userId, accountId, dialogId, chosenAt: now }));
}

type End = { reason: schema.EndReason; now: Date };

export async function endChoice(db: Db, scope: schema.ChoiceScope, { reason, now }: End): Promise<void> {
  await selectChoice(db, scope).update({ ended_at: now, end_reason: reason });
}

/** Ends every consent to a model in an account, those of single conversations included. */
export async function endConsents(db: Db, { userId, accountId }: AccountKey, { reason, now }: End): Promise<void> {
  await db('writer_choices')
    .where({ user_id: userId, account_id: accountId, writer: 'model', ended_at: null })
    .update({ ended_at: now, end_reason: reason });
}
