import type { Db } from '../../lib/db.ts';

/*
 * A note outlives its digest here as it does in the CRM: its row says which note of ours stands on which contact, so that
 * it can be taken away with the link, and is counted there. What is left to do about it has nothing to be made from any
 * more. No digest, no note: nothing is written twice.
 */

/** Nobody is about to send it. */
const leftOver = (which: string) => `
  select id from crm_notes
  where digest_id is null and state in ('undecided', 'waiting', 'outdated', 'failed') and ${which}
    and (claim is null or claimed_until < now())
  limit ? for update skip locked`;

/**
 * Notes, of all users, whose digest is no longer kept: what the CRM never got vanishes, what it has stays as it is.
 * @returns how many, `limit` of each at the most
 */
export async function settleNotesOfAllUsers(db: Db, { limit }: { limit: number }): Promise<number> {
  const gone = await db.raw<{ rowCount: number }>(
    `delete from crm_notes where id in (${leftOver('crm_note_id is null')})`,
    [limit],
  );
  const kept = await db.raw<{ rowCount: number }>(
    `update crm_notes set state = 'written', tries = 0, trouble = null, claim = null, claimed_until = null
     where id in (${leftOver('crm_note_id is not null')})`,
    [limit],
  );
  return gone.rowCount + kept.rowCount;
}
