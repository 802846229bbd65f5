import { ClientError } from '../../clients/errors.ts';
import type { Owned } from './repo.ts';
import type { SealedAccount } from './schema.ts';
import { credentialsContext, type MessengerDeps } from './withAccount.ts';

/** Ends an account's session at the messenger. True when it is certainly dead afterwards. */
export async function logOut(
  deps: MessengerDeps,
  { accountId }: Owned,
  sealed: SealedAccount['sealedCredentials'],
): Promise<boolean> {
  try {
    const session = deps.cipher.decrypt(sealed ?? '', credentialsContext(accountId));
    await deps.messenger.logOut(session);
    return true;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'auth') return true;
    deps.log.warn({ err, accountId }, 'messenger session not revoked');
    return false;
  }
}
