import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';

const modeRow = z.object({ mail_digests: z.enum(MAIL_MODES) });

/** Undefined where nothing was saved. */
export async function findMailMode(db: Db, userId: string): Promise<MailMode | undefined> {
  const row = await db('sync_configs').where({ user_id: userId }).first('mail_digests');
  return row && modeRow.parse(row).mail_digests;
}

/** False for a user who is no longer there, or has no configuration: then there is nothing that would have to end. */
export async function setMailMode(db: Db, userId: string, mode: MailMode, now: Date): Promise<boolean> {
  const rows = await db('sync_configs').where({ user_id: userId }).update({ mail_digests: mode, updated_at: now });
  return rows > 0;
}
