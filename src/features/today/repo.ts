import type { Db } from '../../lib/db.ts';

/** Small questions about digests that only Today asks, of tables to its left. */

type OfDigests = { userId: string; digestIds: readonly string[] };

/** Which of these digests have a note that stands in the CRM. */
export async function listNoted(db: Db, { userId, digestIds }: OfDigests): Promise<Set<string>> {
  if (digestIds.length === 0) return new Set();
  const { rows } = await db.raw<{ rows: { digest_id: string }[] }>(
    `select distinct digest_id from crm_notes
     where user_id = ? and digest_id = any(?::uuid[]) and state in ('written', 'outdated') and crm_note_id is not null`,
    [userId, [...digestIds]],
  );
  return new Set(rows.map(row => row.digest_id));
}

/** The digests that a sync wrote. */
export async function listOfJob(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<Set<string>> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNot('summary', '')
    .select<{ id: string }[]>('id');
  return new Set(rows.map(({ id }) => id));
}
