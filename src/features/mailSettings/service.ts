import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { MailMode } from '../settings/schema.ts';
import { ensureSettings } from '../settings/service.ts';
import { findMailMode, setMailMode } from './repo.ts';

/** Whether the user wants the day's digest by mail. */
export async function getMailMode({ db }: { db: Db }, { userId }: { userId: string }): Promise<MailMode> {
  return (await findMailMode(db, userId)) ?? 'OFF';
}

export async function changeMailMode(
  { db, clock }: { db: Db; clock: Clock },
  { userId, mode }: { userId: string; mode: MailMode },
): Promise<void> {
  await db.transaction(async trx => {
    await ensureSettings({ db: trx, clock }, { userId });
    await setMailMode(trx, userId, mode, clock.now());
  });
}
