import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { type Cipher, keyedHash } from '../../../lib/crypto.ts';
import type { Queue } from '../../../lib/queue.ts';
import { foldAddress } from './rules.ts';
import { SIGN_IN_MAIL_QUEUE, type SignInMail, type SignInWish } from './schema.ts';
import { contextOf } from './sendSignInMail.ts';

export type AskDeps = {
  queue: Queue;
  cipher: Cipher;
  clock: Clock;
  sessionSecret: string;
  limitSignIn: Record<'address' | 'network', (key: string) => Promise<void>>;
};

/**
 * Has a link sent to an address. Nothing is looked up and nothing is sent here, so that neither the answer nor its
 * timing tells whether this address has an account. The queue holds the address encrypted. Throws TooManyRequests,
 * counted per inbox and per network that the request comes from.
 */
export async function askForSignInMail(
  deps: AskDeps,
  { network, ...wish }: SignInWish & { network: string },
): Promise<void> {
  await deps.limitSignIn.network(keyedHash(deps.sessionSecret, network));
  await deps.limitSignIn.address(keyedHash(deps.sessionSecret, foldAddress(wish.email)));
  const mailId = randomUUID();
  const sealed = deps.cipher.encrypt(JSON.stringify(wish), contextOf(mailId));
  const job: SignInMail = { mailId, askedAt: deps.clock.now().toISOString(), sealed };
  await deps.queue.send(SIGN_IN_MAIL_QUEUE.name, job);
}
