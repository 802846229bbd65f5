import type { Db } from '../../lib/db.ts';

/** `mine`: no other process sends it until then. `busy`: another one does. `done`: it was sent or refused, or a later day's was. */
export type Claim = { state: 'mine'; messageId: string } | { state: 'busy' } | { state: 'done' };

type Day = { userId: string; day: string };

const CLAIM = `
  insert into digest_mails as old (user_id, day, message_id, claimed_until, state)
  values (:userId, :day, gen_random_uuid(), :until, 'sending')
  on conflict (user_id) do update set
    day = excluded.day,
    message_id = case when old.day = excluded.day then old.message_id else excluded.message_id end,
    claimed_until = excluded.claimed_until,
    state = 'sending'
  where old.day < excluded.day
    or (old.day = excluded.day and old.state = 'sending' and old.claimed_until <= :now)
  returning message_id`;

/** Makes the mail of this day the caller's, for one caller at a time. A claim whose owner died runs out. */
export async function claimMail(
  db: Db,
  { userId, day }: Day,
  { now, until }: { now: Date; until: Date },
): Promise<Claim> {
  const { rows } = await db.raw<{ rows: { message_id: string }[] }>(CLAIM, { userId, day, now, until });
  if (rows[0]) return { state: 'mine', messageId: rows[0].message_id };
  const open = await db('digest_mails').where({ user_id: userId, day, state: 'sending' }).first('user_id');
  return open ? { state: 'busy' } : { state: 'done' };
}

type Claimed = { userId: string; messageId: string };

export async function settleMail(db: Db, mail: Claimed, state: 'sent' | 'refused'): Promise<void> {
  await db('digest_mails').where({ user_id: mail.userId, message_id: mail.messageId }).update({ state });
}

/** Somebody else may try. */
export async function releaseMail(db: Db, mail: Claimed, now: Date): Promise<void> {
  await db('digest_mails')
    .where({ user_id: mail.userId, message_id: mail.messageId, state: 'sending' })
    .update({ claimed_until: now });
}

/** Undefined for a user who is no longer there. */
export async function findAddress(db: Db, userId: string): Promise<string | undefined> {
  const row = await db('users').where({ id: userId }).first<{ email: string } | undefined>('email');
  return row?.email;
}
