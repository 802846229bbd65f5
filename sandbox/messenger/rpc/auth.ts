import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Api } from 'telegram/tl/index.js';
import { digitsOf, SERVICE_USER_ID } from '../account.ts';
import { accountByPhone, homeOf, type Sandbox, signOut } from '../sandbox.ts';
import type { SentCode } from '../state.ts';
import { tlUser } from '../tlPeers.ts';
import { receiveMessages } from '../updates.ts';
import { type Call, method, openMethod, RpcFailure } from './call.ts';

const CODE_DIGITS = 5;
const CODE_LIFETIME_MS = 10 * 60 * 1000;
const WRONG_TRIES = 5;
/** A hash that belongs to no application. Every other is accepted. */
const UNKNOWN_HASH = '0'.repeat(32);
const RESEND_SECONDS = 60;

export const authMethods = [
  openMethod(Api.auth.SendCode, sendCode),
  openMethod(Api.auth.ResendCode, resendCode),
  openMethod(Api.auth.CancelCode, cancelCode),
  openMethod(Api.auth.SignIn, signIn),
  method(Api.auth.LogOut, call => {
    signOut(call.sandbox, call.key, null);
    return new Api.auth.LoggedOut({});
  }),
];

function sendCode(call: Call, request: Api.auth.SendCode): Api.auth.SentCode {
  const phone = digitsOf(request.phoneNumber);
  requireApp(request);
  if (!/^[1-9]\d{6,14}$/.test(phone)) throw new RpcFailure(400, 'PHONE_NUMBER_INVALID');
  if (call.sandbox.faults.deactivated.has(phone)) throw new RpcFailure(400, 'PHONE_NUMBER_BANNED');
  return deliver(call, phone, newCode(call, phone));
}

/** Throws RpcFailure for keys that belong to no application. */
export function requireApp({ apiId, apiHash }: { apiId: number; apiHash: string }): void {
  if (apiId <= 0 || apiHash === '' || apiHash === UNKNOWN_HASH) throw new RpcFailure(400, 'API_ID_INVALID');
}

function newCode({ sandbox, key }: Call, phone: string): string {
  const account = accountByPhone(sandbox, phone);
  // Test phones get no message: their code is the data centre's number repeated, as on the messenger's test servers.
  if (!account) return String(key.dc).repeat(CODE_DIGITS);
  const home = homeOf(sandbox, account);
  if (home !== key.dc) throw new RpcFailure(303, `PHONE_MIGRATE_${home}`);
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Sends the same digits under a new hash, as the real server does when the first message was lost. */
function resendCode(call: Call, request: Api.auth.ResendCode): Api.auth.SentCode {
  const code = pendingCode(call, request);
  return deliver(call, code.phone, code.digits);
}

function cancelCode(call: Call, request: Api.auth.CancelCode): boolean {
  pendingCode(call, request);
  call.key.code = null;
  call.sandbox.state.saveKey(call.key);
  return true;
}

function deliver({ sandbox, key }: Call, phone: string, digits: string): Api.auth.SentCode {
  const sentAt = Date.now();
  const hash = randomBytes(9).toString('hex');
  key.code = { phone, hash, digits, sentAt, expiresAt: sentAt + CODE_LIFETIME_MS, wrongTries: 0 };
  sandbox.state.saveKey(key);
  const inApp = tellOtherDevices(sandbox, phone, digits);
  return new Api.auth.SentCode({
    type: inApp
      ? new Api.auth.SentCodeTypeApp({ length: CODE_DIGITS })
      : new Api.auth.SentCodeTypeSms({ length: CODE_DIGITS }),
    phoneCodeHash: hash,
    nextType: new Api.auth.CodeTypeSms(),
    timeout: RESEND_SECONDS,
  });
}

/** The code arrives as an ordinary message in the service chat, which readers of conversations must skip. */
function tellOtherDevices(sandbox: Sandbox, phone: string, digits: string): boolean {
  const account = accountByPhone(sandbox, phone);
  if (!account) return false;
  const text =
    `Login code: ${digits}. Do not give this code to anyone, even if they say they are from Telegram!\n\n` +
    "If you didn't request this code by trying to log in on another device, simply ignore this message.";
  const message = { from: SERVICE_USER_ID, text };
  receiveMessages(sandbox, account, [{ dialogKey: `user:${SERVICE_USER_ID}`, message }]);
  return true;
}

function signIn(call: Call, request: Api.auth.SignIn): Api.auth.TypeAuthorization {
  const { sandbox, key } = call;
  const code = pendingCode(call, request);
  if (!request.phoneCode) throw new RpcFailure(400, 'PHONE_CODE_EMPTY');
  if (!sameDigits(code.digits, request.phoneCode)) throw wrongCode(call, code);
  const account = accountByPhone(sandbox, code.phone);
  if (!account) return new Api.auth.AuthorizationSignUpRequired({});
  if (account.password === null) return authorize(call, account.key);
  // The code is used up only with the password.
  Object.assign(key, { account: null, passwordPending: account.key, refusal: null });
  sandbox.state.saveKey(key);
  throw new RpcFailure(401, 'SESSION_PASSWORD_NEEDED');
}

/** The code that was sent to this key and is still valid, if any. */
function pendingCode(call: Call, request: { phoneNumber: string; phoneCodeHash: string }): SentCode {
  followAccount(call, request);
  const { code } = call.key;
  const usable =
    code !== null &&
    code.hash === request.phoneCodeHash &&
    code.phone === digitsOf(request.phoneNumber) &&
    code.expiresAt > Date.now() &&
    code.wrongTries < WRONG_TRIES;
  if (!usable) throw new RpcFailure(400, 'PHONE_CODE_EXPIRED');
  return code;
}

/**
 * When the account moved since the code was sent, the client is redirected and its key in the new data centre takes the
 * code over.
 */
function followAccount({ sandbox, key }: Call, request: { phoneNumber: string; phoneCodeHash: string }): void {
  const account = accountByPhone(sandbox, request.phoneNumber);
  if (!account) return;
  const home = homeOf(sandbox, account);
  if (home !== key.dc) throw new RpcFailure(303, `USER_MIGRATE_${home}`);
  const former = [...sandbox.state.keys.values()].find(other => other.code?.hash === request.phoneCodeHash);
  if (!former || former.dc === key.dc) return;
  Object.assign(key, { code: former.code });
  former.code = null;
  for (const changed of [key, former]) sandbox.state.saveKey(changed);
}

function wrongCode({ sandbox, key }: Call, code: SentCode): RpcFailure {
  code.wrongTries += 1;
  sandbox.state.saveKey(key);
  return new RpcFailure(400, 'PHONE_CODE_INVALID');
}

function sameDigits(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Ties the auth key to an account. */
export function authorize({ sandbox, key }: Call, worldKey: string): Api.auth.Authorization {
  const account = sandbox.accounts.get(worldKey);
  if (!account) throw new RpcFailure(401, 'AUTH_KEY_UNREGISTERED');
  Object.assign(key, { account: worldKey, passwordPending: null, code: null, refusal: null });
  sandbox.state.saveKey(key);
  return new Api.auth.Authorization({ user: tlUser(sandbox.state, account, account.owner) });
}
