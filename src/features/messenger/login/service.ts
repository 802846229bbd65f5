import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../clients/errors.ts';
import type { MessengerUser, SentCode, SignInResult } from '../../../clients/messenger/types.ts';
import { secondsAfter } from '../../../lib/clock.ts';
import { hashToken, keyedHash, randomToken } from '../../../lib/crypto.ts';
import { InvalidInput, TooManyRequests } from '../../../lib/errors.ts';
import { withLease } from '../../../lib/lease.ts';
import type { Queue } from '../../../lib/queue.ts';
import type { NewChoice } from '../consent/schema.ts';
import { type ConnectedUser, findConnectedUser } from '../repo.ts';
import { refuseOverPlan, storeAccount } from '../service.ts';
import type { MessengerDeps } from '../withAccount.ts';
import * as logins from './repo.ts';
import { END_SCAN_QUEUE, type EndScan, type Login, type LoginState, loginState, type ScanState } from './schema.ts';

const LOGIN_LIFETIME_SECONDS = 600;
/** Longer than a step may take: connecting and two calls. */
const LEASE_SECONDS = 60;
/** A request waits this long for its turn: less than the 30 seconds after which proxies give up. */
const TURN_SECONDS = 25;

export type ConnectDeps = MessengerDeps & {
  queue: Queue;
  /** The key for hashing a phone number and a network in the table of limits. */
  sessionSecret: string;
  limitConnect: Record<'phone' | 'user' | 'network', (key: string) => Promise<void>>;
  verifyTries: number;
};

export type ConnectStarted = { authToken: string; phone: string; delivery: SentCode['delivery']; expiresAt: Date };
export type StepResult = { needs2FA: true } | { needs2FA: false; accountId: string; messengerUser: ConnectedUser };

/**
 * First step: the messenger sends a code to the phone. The token returned ties the steps together for 10 minutes.
 * Throws TooManyRequests: codes are counted for the user, for the network they are asked from, and for the phone.
 */
export async function startConnect(
  deps: ConnectDeps,
  { userId, phone, network }: { userId: string; phone: string; network: string },
): Promise<ConnectStarted> {
  await deps.limitConnect.user(userId);
  await deps.limitConnect.network(keyedHash(deps.sessionSecret, network));
  await deps.limitConnect.phone(keyedHash(deps.sessionSecret, phone));
  const sent = await deps.messenger.sendCode(phone).catch(rethrowInWords);
  const authToken = randomToken();
  const tokenHash = hashToken(authToken);
  const expiresAt = secondsAfter(deps.clock, LOGIN_LIFETIME_SECONDS);
  const sealedState = sealLogin(deps, tokenHash, { session: sent.session, phone, codeHash: sent.codeHash });
  await logins.insertLogin(deps.db, { userId, tokenHash, sealedState, expiresAt, step: 'code' });
  return { authToken, phone, delivery: sent.delivery, expiresAt };
}

export type Step = {
  userId: string;
  authToken: string;
  /** Writer of the account's digests; undefined if no model was available. */
  choice: NewChoice | undefined;
};

/** Second step. Wrong code: InvalidInput `CODE_INVALID`, and the step stays open. */
export async function verifyCode(deps: ConnectDeps, step: Step & { code: string }): Promise<StepResult> {
  return takeStep(deps, step, async (login, state) => {
    if (login.step === 'password') return { needs2FA: true };
    if (!('phone' in state)) throw createUnknownTokenError();
    const { session, phone, codeHash } = state;
    const result = await deps.messenger.signIn({ session, phone, codeHash, code: step.code });
    return storeStepResult(deps, step, state, result);
  });
}

/** Third step, only if the second answered `needs2FA`. Wrong password: InvalidInput `PASSWORD_INVALID`. */
export async function verifyPassword(deps: ConnectDeps, step: Step & { password: string }): Promise<StepResult> {
  return takeStep(deps, step, async (login, state) => {
    if (login.step !== 'password') throw new InvalidInput('Enter the code first.', {}, 'CODE_REQUIRED');
    const result = await deps.messenger.checkPassword({ session: state.session, password: step.password });
    return storeStepResult(deps, step, state, result);
  });
}

type Act = (login: Login, state: LoginState) => Promise<StepResult>;

/**
 * Serializes requests of one sign-in; a repeated submit gets the first answer. Counts wrong attempts. Throws ClientError
 * `TIMEOUT` when another request keeps its turn.
 */
async function takeStep(deps: ConnectDeps, { userId, authToken }: Step, act: Act): Promise<StepResult> {
  const key = { userId, tokenHash: hashToken(authToken) };
  const take = async () => {
    try {
      const login = await openLogin(deps, key);
      if (login.accountId) return await describeConnected(deps, userId, login.accountId);
      return await act(login, unsealLogin(deps, key.tokenHash, login.sealedState));
    } catch (err) {
      const isWrongTry = err instanceof ClientError && (err.code === 'CODE_INVALID' || err.code === 'PASSWORD_INVALID');
      if (isWrongTry) await logins.countWrongTry(deps.db, key);
      return rethrowInWords(err);
    }
  };
  const deadline = secondsAfter(deps.clock, TURN_SECONDS);
  for (;;) {
    const turn = await withLease(deps, nameSignInLease(key.tokenHash), LEASE_SECONDS, take);
    if (turn.isHeld) return turn.result;
    if (deps.clock.now() > deadline) throw new ClientError({ service: 'messenger', kind: 'temporary', code: 'TIMEOUT' });
    await sleep(150);
  }
}

/** The lease of a sign-in: only one request at a time works on it. */
export const nameSignInLease = (tokenHash: string) => `sign-in ${tokenHash}`;

async function openLogin(deps: ConnectDeps, key: { userId: string; tokenHash: string }): Promise<Login> {
  const login = await logins.findLogin(deps.db, key);
  if (!login) throw createUnknownTokenError();
  const secondsLeft = (login.expiresAt.getTime() - deps.clock.now().getTime()) / 1000;
  if (secondsLeft <= 0) throw new InvalidInput('This took too long. Ask for a new code.', {}, 'CODE_EXPIRED');
  if (login.wrongTries >= deps.verifyTries) {
    throw new TooManyRequests(secondsLeft, 'Too many failed attempts. Start again with a new code.');
  }
  return login;
}

/** Stores the messenger's answer to a step: the account, or that its password is needed. */
export async function storeStepResult(
  deps: ConnectDeps,
  step: Step,
  state: LoginState,
  result: SignInResult,
): Promise<StepResult> {
  const key = { userId: step.userId, tokenHash: hashToken(step.authToken) };
  const isScan = 'link' in state;
  if (result.needsPassword) {
    const sealedState = sealLogin(deps, key.tokenHash, { ...state, session: result.session });
    const expiresAt = secondsAfter(deps.clock, LOGIN_LIFETIME_SECONDS);
    await logins.moveLoginToPassword(deps.db, key, { sealedState, ...(isScan && { expiresAt }) });
    return { needs2FA: true };
  }
  const { session, user } = result;
  const { userId, choice } = step;
  if (isScan) await refuseScanOverPlan(deps, key, { ...state, session }, user);
  const accountId = await storeAccount(deps, { userId, choice, session, messengerUser: user }, (trx, id) =>
    logins.finishLogin(trx, key, id),
  );
  return describeConnected(deps, userId, accountId);
}

/** Only now is it known whose account was scanned. It is signed out again at once if the plan has no room for it. */
async function refuseScanOverPlan(deps: ConnectDeps, key: EndScan, state: ScanState, { phone }: MessengerUser) {
  try {
    await refuseOverPlan(deps, { userId: key.userId, phone });
  } catch (refusal) {
    // The state is kept until it is signed out: if the messenger can't be reached now, the job signs it out later.
    await logins.expireUntilClosed(deps.db, key, {
      sealedState: sealLogin(deps, key.tokenHash, state),
      now: deps.clock.now(),
    });
    try {
      await deps.messenger.logOut(state.session);
      await logins.deleteLogin(deps.db, key);
    } catch (err) {
      deps.log.warn({ err }, 'messenger session not revoked yet');
      await deps.queue.send(END_SCAN_QUEUE.name, key);
    }
    throw refusal;
  }
}

export async function describeConnected(
  { db }: Pick<ConnectDeps, 'db'>,
  userId: string,
  accountId: string,
): Promise<StepResult> {
  return { needs2FA: false, accountId, messengerUser: await findConnectedUser(db, userId, accountId) };
}

export function sealLogin(deps: Pick<ConnectDeps, 'cipher'>, tokenHash: string, state: LoginState): string {
  return deps.cipher.encrypt(JSON.stringify(state), `messenger login ${tokenHash}`);
}

export function unsealLogin(deps: Pick<ConnectDeps, 'cipher'>, tokenHash: string, sealed: string | null): LoginState {
  return loginState.parse(JSON.parse(deps.cipher.decrypt(sealed ?? '', `messenger login ${tokenHash}`)));
}

export function createUnknownTokenError(): InvalidInput {
  return new InvalidInput('This sign-in is no longer valid. Start again.', {}, 'AUTH_TOKEN_INVALID');
}

const REFUSALS: Record<string, [field: string, sentence: string]> = {
  PHONE_INVALID: ['phone', 'Telegram doesn’t recognize this number. Check it, including the country code.'],
  PHONE_BANNED: ['phone', 'Telegram has banned this number.'],
  CODE_UNAVAILABLE: [
    'phone',
    'Telegram can’t send another code to this number right now. Scan a code instead, or try again later.',
  ],
  CODE_COSTS: ['phone', 'Telegram wants to be paid for a code to this number. Scan a code instead.'],
  APP_OUTDATED: ['phone', 'Telegram wants a newer version of Forenoon. Whoever runs this server has to update it.'],
  PHONE_UNKNOWN: ['phone', 'There is no Telegram account with this number.'],
  CODE_INVALID: ['code', 'That code isn’t right. Check the latest message from Telegram.'],
  CODE_EXPIRED: ['code', 'This code has expired. You can request a new one.'],
  PASSWORD_INVALID: [
    'password',
    'That isn’t your two-step verification password. It’s the one you chose in Telegram, not the code.',
  ],
};

/** Throws a refusal that the person can correct as InvalidInput with its field, and every other error unchanged. */
export function rethrowInWords(err: unknown): never {
  const refusal = err instanceof ClientError ? REFUSALS[err.code] : undefined;
  if (!refusal || !(err instanceof ClientError)) throw err;
  const [field, sentence] = refusal;
  throw new InvalidInput(sentence, { [field]: sentence }, err.code);
}
