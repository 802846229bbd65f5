import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../clients/errors.ts';
import { secondsAfter } from '../../../lib/clock.ts';
import { hashToken, keyedHash, randomToken } from '../../../lib/crypto.ts';
import { AppError, InvalidInput } from '../../../lib/errors.ts';
import { FAILURES } from '../../../lib/failures.ts';
import { renewLease, takeLease, withLease } from '../../../lib/lease.ts';
import { refuseOverPlan } from '../service.ts';
import * as logins from './repo.ts';
import { END_SCAN_QUEUE, type EndScan, type Login, SCAN_SECONDS, type ScanState } from './schema.ts';
import {
  type ConnectDeps,
  createUnknownTokenError,
  describeConnected,
  nameSignInLease,
  rethrowInWords,
  type Step,
  type StepResult,
  sealLogin,
  storeStepResult,
  unsealLogin,
} from './service.ts';

/** The last code shown stays valid for another half minute, and a scan of it for as long again. */
const END_AFTER_SECONDS = SCAN_SECONDS + 90;

/**
 * Begins a sign-in by a code to scan. It lasts two minutes, in which {@link checkScan} shows one code after the other.
 * Whatever happens, its session is closed later unless it was kept. Throws Conflict `PLAN_LIMIT` if the plan has no
 * room for another account, and TooManyRequests, counted per user and per network, together with codes sent to a phone.
 */
export async function startScan(deps: ConnectDeps, { userId, network }: { userId: string; network: string }) {
  await refuseOverPlan(deps, { userId });
  await deps.limitConnect.user(userId);
  await deps.limitConnect.network(keyedHash(deps.sessionSecret, network));
  const shown = await deps.messenger.showScanCode('').catch(rethrowInWords);
  if (shown.state !== 'waiting') throw new AppError('SCAN_UNEXPECTED', 'Telegram didn’t show a code. Try again.');
  const { session, link, expiresAt: codeExpiresAt } = shown;
  const authToken = randomToken();
  const tokenHash = hashToken(authToken);
  const expiresAt = secondsAfter(deps.clock, SCAN_SECONDS);
  const sealedState = sealLogin(deps, tokenHash, { session, link, codeExpiresAt: codeExpiresAt.toISOString() });
  // The job that ends it comes first: a job without a sign-in does nothing, a sign-in without a job might stay open.
  const job: EndScan = { userId, tokenHash };
  await deps.queue.send(END_SCAN_QUEUE.name, job, { startAfter: END_AFTER_SECONDS });
  await logins.insertLogin(deps.db, { userId, tokenHash, sealedState, expiresAt, step: 'scan' });
  return { authToken, expiresAt };
}

/** Longer than two calls may take, to two data centres. */
const LEASE_SECONDS = 120;
/** The pause between two questions to the messenger, however often a page asks. */
const PAUSE_SECONDS = 1;

/** A code not scanned yet. */
export type OpenScan =
  | { state: 'waiting'; link: string; codeExpiresAt: Date; endsAt: Date; failure?: ClientError }
  | { state: 'expired'; failure?: ClientError };
type ScanCheck = OpenScan | { state: 'settled'; result: StepResult };

/**
 * Checks a QR code that is shown. Returns the current code, or the end of the sign-in. Only one request at a time asks
 * the messenger, at most once a second; other requests get its last answer. After two minutes it is asked only whether
 * the last code was scanned. While it can't be reached the code stays, with the failure. Throws InvalidInput
 * `AUTH_TOKEN_INVALID`, `CODE_EXPIRED` or `ACCOUNT_BANNED` if the sign-in can't go on, Conflict `PLAN_LIMIT` if the
 * account is one more than the plan includes, and ClientError.
 */
export async function checkScan(deps: ConnectDeps, step: Step): Promise<ScanCheck> {
  const key = scanKey(step);
  const lease = await takeLease(deps.db, [nameSignInLease(key.tokenHash)], LEASE_SECONDS);
  try {
    const login = await logins.findLogin(deps.db, key);
    if (!login) return { state: 'expired' };
    if (login.step === 'code') throw createUnknownTokenError();
    if (login.step === 'password') return { state: 'settled', result: { needs2FA: true } };
    if (login.accountId) return { state: 'settled', result: await describeConnected(deps, step.userId, login.accountId) };
    const state = unsealLogin(deps, key.tokenHash, login.sealedState);
    if (!('link' in state)) throw createUnknownTokenError();
    return lease ? await askMessenger(deps, step, login, state) : toOpenScan(deps, login, state);
  } finally {
    if (lease) await renewLease(deps.db, { ...lease, seconds: PAUSE_SECONDS });
  }
}

async function askMessenger(deps: ConnectDeps, step: Step, login: Login, state: ScanState): Promise<ScanCheck> {
  const { movedToken } = state;
  try {
    return await (movedToken
      ? followMovedScan(deps, step, { ...state, movedToken })
      : showNextCode(deps, step, login, state));
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    if (err.kind === 'temporary') return { ...toOpenScan(deps, login, state), failure: err };
    // A session that the messenger no longer knows, or an account it has closed: this sign-in is over.
    if (err.code === 'SESSION_EXPIRED') throw createUnknownTokenError();
    if (err.code === 'ACCOUNT_BANNED') throw new InvalidInput(FAILURES.ACCOUNT_BANNED.says, {}, 'ACCOUNT_BANNED');
    return rethrowInWords(err);
  }
}

async function showNextCode(deps: ConnectDeps, step: Step, login: Login, state: ScanState): Promise<ScanCheck> {
  const answer = await deps.messenger.showScanCode(state.session);
  if (answer.state === 'scanned') {
    return { state: 'settled', result: await storeStepResult(deps, step, state, answer.signIn) };
  }
  if (answer.state === 'moved') {
    const moved = { ...state, session: answer.session, movedToken: answer.token };
    // Stored before it is used: whatever happens then, the session in the other data centre can be closed.
    await keepScan(deps, step, moved);
    return followMovedScan(deps, step, moved);
  }
  const { session, link, expiresAt } = answer;
  const next = { session, link, codeExpiresAt: expiresAt.toISOString() };
  if (next.session !== state.session || next.link !== state.link) await keepScan(deps, step, next);
  return toOpenScan(deps, login, next);
}

async function followMovedScan(
  deps: ConnectDeps,
  step: Step,
  moved: ScanState & { movedToken: string },
): Promise<ScanCheck> {
  const { session, movedToken: token } = moved;
  const result = await deps.messenger.followScan({ session, token });
  return { state: 'settled', result: await storeStepResult(deps, step, moved, result) };
}

/** The code that was shown last; `expired` once the sign-in's time is over. */
function toOpenScan(deps: ConnectDeps, login: Login, { link, codeExpiresAt }: ScanState): OpenScan {
  if (login.expiresAt <= deps.clock.now()) return { state: 'expired' };
  return { state: 'waiting', link, codeExpiresAt: new Date(codeExpiresAt), endsAt: login.expiresAt };
}

async function keepScan(deps: ConnectDeps, step: Step, state: ScanState): Promise<void> {
  const key = scanKey(step);
  await logins.keepState(deps.db, key, sealLogin(deps, key.tokenHash, state));
}

const scanKey = ({ userId, authToken }: Step) => ({ userId, tokenHash: hashToken(authToken) });

/** A request is still at work on the sign-in; the job tries again. */
class ScanBusy extends Error {}

type EndScanDeps = Pick<ConnectDeps, 'db' | 'cipher' | 'messenger' | 'log'>;

/**
 * Closes an unfinished session of a shown code: someone may have scanned it and left, and Telegram would list an unused
 * device. Throws ClientError.
 */
export async function endScan(deps: EndScanDeps, { userId, tokenHash }: EndScan) {
  const key = { userId, tokenHash };
  if ((await logins.findLogin(deps.db, key))?.step !== 'scan') return;
  const { isHeld } = await withLease(deps, nameSignInLease(tokenHash), LEASE_SECONDS, async () => {
    const login = await logins.findLogin(deps.db, key);
    if (login?.step !== 'scan') return;
    const { session } = unsealLogin(deps, tokenHash, login.sealedState);
    await deps.messenger.logOut(session).catch(err => {
      if (!(err instanceof ClientError && err.kind === 'auth')) throw err;
    });
    await logins.deleteLogin(deps.db, key);
  });
  if (!isHeld) throw new ScanBusy('a scan is being checked');
}

const BUSY_TRIES = 10;
const BUSY_PAUSE_MS = 300;

/** Closes the sessions of all codes shown to a user, when the job would be too late. False if one is still open. */
export async function endScans(deps: EndScanDeps, { userId }: { userId: string }): Promise<boolean> {
  const scans = await logins.listScans(deps.db, userId);
  return (await Promise.all(scans.map(scan => endSoon(deps, scan)))).every(isEnded => isEnded);
}

async function endSoon(deps: EndScanDeps, scan: EndScan): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await endScan(deps, scan);
      return true;
    } catch (err) {
      if (!(err instanceof ScanBusy) || tries === BUSY_TRIES) {
        deps.log.warn({ err, userId: scan.userId }, 'session of a scanned code not closed');
        return false;
      }
      await sleep(BUSY_PAUSE_MS);
    }
  }
}
