import type { Cipher } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import * as repo from './repo.ts';
import { credentialsContext } from './withAccount.ts';

/**
 * Seals all credentials with the newest key. Returns how many. A sign-in between two steps is left alone: it expires
 * within ten minutes. Throws if any are sealed with a key that is no longer configured.
 */
export async function resealCredentials(deps: { db: Db; cipher: Cipher }): Promise<number> {
  const sealed = await repo.listCredentialsOfAllUsers(deps.db);
  for (const { id, userId, credentials } of sealed) {
    const context = credentialsContext(id);
    const resealed = deps.cipher.encrypt(deps.cipher.decrypt(credentials, context), context);
    await repo.replaceCredentials(deps.db, { userId, accountId: id }, { from: credentials, to: resealed });
  }
  return sealed.length;
}
