import type { Db } from '../../lib/db.ts';
import type { MatchReasons, MatchTrouble } from './schema.ts';

/** Every statement that writes why conversations are matched as they are. */

export type NewReasons = MatchReasons & { dialogId: string };

/** For rows `m` as {@link reasonsRow} makes them, of the user `:userId` at the time `:now`. */
export const UPSERT_REASONS = `
  insert into contact_matches (dialog_id, user_id, rule, decided_by, evidence, contact, runner_up, suggestions, trouble,
    evaluated_at)
  select m.dialog_id, :userId::uuid, m.rule, m.decided_by, m.evidence, m.contact, m.runner_up, m.suggestions, m.trouble,
    :now::timestamptz
  from m
  on conflict (dialog_id) do update set rule = excluded.rule, decided_by = excluded.decided_by,
    evidence = excluded.evidence, contact = excluded.contact, runner_up = excluded.runner_up,
    suggestions = excluded.suggestions, trouble = excluded.trouble, evaluated_at = excluded.evaluated_at
  where contact_matches.user_id = excluded.user_id`;

export function reasonsRow(match: NewReasons) {
  return {
    dialog_id: match.dialogId,
    rule: match.rule,
    decided_by: match.decidedBy,
    evidence: match.evidence,
    contact: match.contact,
    runner_up: match.runnerUp,
    suggestions: match.suggestions,
    trouble: match.trouble,
  };
}

/** One statement for many. */
export async function upsertReasons(db: Db, userId: string, matches: readonly NewReasons[], now: Date): Promise<void> {
  if (matches.length === 0) return;
  await db.raw(
    `
    with m as materialized (
      select * from jsonb_to_recordset(:rows::jsonb) as m (dialog_id uuid, rule text, decided_by text, evidence jsonb,
        contact jsonb, runner_up jsonb, suggestions jsonb, trouble text)
    ) ${UPSERT_REASONS}
    `,
    { userId, now, rows: asJson(matches.map(reasonsRow)) },
  );
}

/** Of links that stand: whether their contact is still what it was. Null takes a trouble away. */
export async function setTroubles(
  db: Db,
  userId: string,
  troubles: readonly { dialogId: string; trouble: MatchTrouble | null }[],
): Promise<void> {
  if (troubles.length === 0) return;
  await db.raw(
    `
    update contact_matches set trouble = t.trouble
    from jsonb_to_recordset(?::jsonb) as t (dialog_id uuid, trouble text)
    where contact_matches.user_id = ? and contact_matches.dialog_id = t.dialog_id
    `,
    [JSON.stringify(troubles.map(({ dialogId, trouble }) => ({ dialog_id: dialogId, trouble }))), userId],
  );
}

/** What was decided about contacts that are not there any more, and what was found out about them. */
export async function deleteMatches(db: Db, userId: string): Promise<void> {
  for (const table of ['contact_matches', 'rejected_matches', 'match_decisions']) {
    await db(table).where({ user_id: userId }).delete();
  }
}

/** Postgres stores no NUL characters; a record in the CRM may hold one. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '') : part));
}
