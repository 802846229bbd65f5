import type { Db } from '../../lib/db.ts';
import { NEWEST, SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../digests/repo.ts';
import type { ShownDigest } from '../digests/schema.ts';

/** Small questions about digests that only Today asks, of tables to its left. */

const NOTED = `exists (select from crm_notes notes where notes.digest_id = digests.id and notes.user_id = digests.user_id
  and notes.state in ('written', 'outdated') and notes.crm_note_id is not null) as noted`;

/** The digests of a day, newest first, and which of them have a note that is in the CRM. @param date YYYY-MM-DD */
export async function listWithNoted(
  db: Db,
  { userId, date }: { userId: string; date: string },
): Promise<{ digests: ShownDigest[]; noted: Set<string> }> {
  const { rows } = await db.raw<{ rows: { id: string; noted: boolean }[] }>(
    `select ${SHOWN_COLUMNS}, ${NOTED} from digests ${SHOWN_JOINS}
     where digests.user_id = ? and digests.digest_date = ? order by ${NEWEST}`,
    [userId, date],
  );
  return { digests: rows.map(toShown), noted: new Set(rows.filter(({ noted }) => noted).map(({ id }) => id)) };
}

/** The digests that a sync wrote. */
export async function listOfJob(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<Set<string>> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNot('summary', '')
    .select<{ id: string }[]>('id');
  return new Set(rows.map(({ id }) => id));
}
