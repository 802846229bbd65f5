import type { Db } from '../../lib/db.ts';

/** Small questions about digests that only Today asks, of tables to its left. */

/** Which digests of a day have a note that stands in the CRM. @param date YYYY-MM-DD */
export async function listNoted(db: Db, { userId, date }: { userId: string; date: string }): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select digests.id from digests cross join lateral (
       select from crm_notes notes where notes.digest_id = digests.id and notes.user_id = digests.user_id
         and notes.state in ('written', 'outdated') and notes.crm_note_id is not null limit 1
     ) as noted
     where digests.user_id = ? and digests.digest_date = ?`,
    [userId, date],
  );
  return new Set(rows.map(row => row.id));
}

/** The digests that a sync wrote. */
export async function listOfJob(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<Set<string>> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNot('summary', '')
    .select<{ id: string }[]>('id');
  return new Set(rows.map(({ id }) => id));
}
