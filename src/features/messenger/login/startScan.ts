import { secondsAfter, secondsBefore } from '../../../lib/clock.ts';
import { hashToken, keyedHash, randomToken } from '../../../lib/crypto.ts';
import { AppError } from '../../../lib/errors.ts';
import { refuseOverPlan } from '../service.ts';
import * as logins from './repo.ts';
import { END_SCAN_QUEUE, type EndScan, SCAN_SECONDS } from './schema.ts';
import { type ConnectDeps, inWords, seal } from './service.ts';

/** The last code shown stays valid for another half minute, and a scan of it for as long again. */
const END_AFTER_SECONDS = SCAN_SECONDS + 90;

export type ScanStarted = { authToken: string; expiresAt: Date };

/**
 * Begins a sign-in by a code to scan. It lasts two minutes, in which {@link checkScan} shows one code after the other.
 * Whatever happens, its session is closed later unless it was kept. Throws Conflict `PLAN_LIMIT` if the plan has no
 * room for another account, and TooManyRequests, counted per user and per network, together with codes sent to a phone.
 */
export async function startScan(
  deps: ConnectDeps,
  { userId, network }: { userId: string; network: string },
): Promise<ScanStarted> {
  await refuseOverPlan(deps, { userId });
  await deps.limitConnect.user(userId);
  await deps.limitConnect.network(keyedHash(deps.sessionSecret, network));
  const shown = await deps.messenger.showScanCode('').catch(inWords);
  if (shown.state !== 'waiting') throw new AppError('SCAN_UNEXPECTED', 'Telegram didn’t show a code. Try again.');
  const { session, link, expiresAt: codeExpiresAt } = shown;
  const authToken = randomToken();
  const tokenHash = hashToken(authToken);
  const expiresAt = secondsAfter(deps.clock, SCAN_SECONDS);
  const sealedState = seal(deps, tokenHash, { session, link, codeExpiresAt: codeExpiresAt.toISOString() });
  await logins.deleteOldLogins(deps.db, userId, secondsBefore(deps.clock, 24 * 3600));
  // The job that ends it comes first: a job without a sign-in does nothing, a sign-in without a job might stay open.
  const job: EndScan = { userId, tokenHash };
  await deps.queue.send(END_SCAN_QUEUE.name, job, { startAfter: END_AFTER_SECONDS });
  await logins.insertLogin(deps.db, { userId, tokenHash, sealedState, expiresAt, step: 'scan' });
  return { authToken, expiresAt };
}
