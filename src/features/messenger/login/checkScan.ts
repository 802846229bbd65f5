import { ClientError } from '../../../clients/errors.ts';
import { hashToken } from '../../../lib/crypto.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { FAILURES } from '../../../lib/failures.ts';
import * as logins from './repo.ts';
import type { Login, ScanState } from './schema.ts';
import {
  CLAIM_SECONDS,
  type ConnectDeps,
  finished,
  inWords,
  type Step,
  type StepResult,
  scanStateOf,
  seal,
  settle,
  unknownToken,
  unseal,
} from './service.ts';

/** The pause between two questions to the messenger, however often a page asks. */
const PAUSE_SECONDS = 1;

/** A code that no one has scanned so far. */
export type OpenScan =
  | { state: 'waiting'; link: string; codeExpiresAt: Date; endsAt: Date; failure?: ClientError }
  | { state: 'expired'; failure?: ClientError };
export type ScanCheck = OpenScan | { state: 'settled'; result: StepResult };

/**
 * What became of a code that is shown: the current code, or the end of the sign-in. Only one request at a time asks the
 * messenger, at most once a second; other requests get its last answer. After two minutes it is asked only whether the
 * last code was scanned. While it can't be reached the code stays, with the failure.
 * Throws InvalidInput `AUTH_TOKEN_INVALID`, `CODE_EXPIRED` or `ACCOUNT_BANNED` if the sign-in can't go on, Conflict
 * `PLAN_LIMIT` if the account is one more than the plan includes, and ClientError.
 */
export async function checkScan(deps: ConnectDeps, step: Step): Promise<ScanCheck> {
  const key = keyOf(step);
  const isMine = await logins.claimLogin(deps.db, key, CLAIM_SECONDS);
  try {
    const login = await logins.findLogin(deps.db, key);
    if (!login) return { state: 'expired' };
    if (login.step === 'code') throw unknownToken();
    if (login.step === 'password') return { state: 'settled', result: { needs2FA: true } };
    if (login.accountId) return { state: 'settled', result: await finished(deps, step.userId, login.accountId) };
    const state = scanStateOf(unseal(deps, key.tokenHash, login.sealedState));
    return isMine ? await ask(deps, step, login, state) : stored(deps, login, state);
  } finally {
    if (isMine) await logins.restScan(deps.db, key, PAUSE_SECONDS);
  }
}

async function ask(deps: ConnectDeps, step: Step, login: Login, state: ScanState): Promise<ScanCheck> {
  try {
    const moved = state.movedToken ? { ...state, movedToken: state.movedToken } : undefined;
    return moved ? await follow(deps, step, moved) : await showNext(deps, step, login, state);
  } catch (err) {
    const shown = stored(deps, login, state);
    if (err instanceof ClientError && err.kind === 'temporary') return { ...shown, failure: err };
    return refuse(err);
  }
}

async function showNext(deps: ConnectDeps, step: Step, login: Login, state: ScanState): Promise<ScanCheck> {
  const answer = await deps.messenger.showScanCode(state.session);
  if (answer.state === 'scanned') {
    return { state: 'settled', result: await settle(deps, step, state, answer.signIn) };
  }
  if (answer.state === 'moved') {
    const moved = { ...state, session: answer.session, movedToken: answer.token };
    // Stored before it is used: whatever happens then, the session in the other data centre can be closed.
    await keep(deps, step, moved);
    await logins.prolongClaim(deps.db, keyOf(step), CLAIM_SECONDS);
    return follow(deps, step, moved);
  }
  const { session, link, expiresAt } = answer;
  const next = { session, link, codeExpiresAt: expiresAt.toISOString() };
  if (next.session !== state.session || next.link !== state.link) await keep(deps, step, next);
  return stored(deps, login, next);
}

async function follow(deps: ConnectDeps, step: Step, moved: ScanState & { movedToken: string }): Promise<ScanCheck> {
  const { session, movedToken: token } = moved;
  const result = await deps.messenger.followScan({ session, token });
  return { state: 'settled', result: await settle(deps, step, moved, result) };
}

/** What was shown last. */
function stored(deps: ConnectDeps, login: Login, { link, codeExpiresAt }: ScanState): OpenScan {
  if (login.expiresAt <= deps.clock.now()) return { state: 'expired' };
  return { state: 'waiting', link, codeExpiresAt: new Date(codeExpiresAt), endsAt: login.expiresAt };
}

async function keep(deps: ConnectDeps, step: Step, state: ScanState): Promise<void> {
  const key = keyOf(step);
  await logins.keepState(deps.db, key, seal(deps, key.tokenHash, state));
}

function keyOf({ userId, authToken }: Step) {
  return { userId, tokenHash: hashToken(authToken) };
}

/** A session that the messenger no longer knows, or an account it has closed: this sign-in is over. */
function refuse(err: unknown): never {
  if (err instanceof ClientError && err.code === 'SESSION_EXPIRED') throw unknownToken();
  if (err instanceof ClientError && err.code === 'ACCOUNT_BANNED') {
    throw new InvalidInput(FAILURES.ACCOUNT_BANNED.says, {}, 'ACCOUNT_BANNED');
  }
  return inWords(err);
}
