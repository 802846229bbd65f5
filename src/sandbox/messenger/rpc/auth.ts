import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Api } from 'telegram/tl/index.js';
import { digitsOf, SERVICE_USER_ID } from '../account.ts';
import { accountByPhone, HOME_DC, type Sandbox, signOut } from '../sandbox.ts';
import type { AuthKey, SentCode } from '../state.ts';
import { tlUser } from '../tlPeers.ts';
import { receiveMessages } from '../updates.ts';
import { type Call, method, openMethod, RpcFailure } from './call.ts';

const CODE_DIGITS = 5;
const CODE_LIFETIME_MS = 10 * 60 * 1000;
const WRONG_TRIES = 5;
/** Nobody reads this phone's messages: the code is the data centre's number repeated, as on the messenger's test servers. */
const CODE_OF_STRANGERS = String(HOME_DC).repeat(CODE_DIGITS);
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
  if (request.apiId <= 0 || request.apiHash === '') throw new RpcFailure(400, 'API_ID_INVALID');
  if (!/^[1-9]\d{6,14}$/.test(phone)) throw new RpcFailure(400, 'PHONE_NUMBER_INVALID');
  if (call.sandbox.faults.deactivated.has(phone)) throw new RpcFailure(400, 'PHONE_NUMBER_BANNED');
  const known = accountByPhone(call.sandbox, phone) !== undefined;
  const digits = known ? String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0') : CODE_OF_STRANGERS;
  return deliver(call, phone, digits);
}

/** The same digits under a new hash, as the real server does when the first message got lost. */
function resendCode(call: Call, request: Api.auth.ResendCode): Api.auth.SentCode {
  const code = pendingCode(call.key, request);
  return deliver(call, code.phone, code.digits);
}

function cancelCode({ sandbox, key }: Call, request: Api.auth.CancelCode): boolean {
  pendingCode(key, request);
  key.code = null;
  sandbox.state.saveKey(key);
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

/** An ordinary message in the service chat: whoever reads the conversations must leave this one out. */
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
  const code = pendingCode(key, request);
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

/** The code this key was sent and may still use. With another key, or too late, there is none. */
function pendingCode(key: AuthKey, request: { phoneNumber: string; phoneCodeHash: string }): SentCode {
  const { code } = key;
  const usable =
    code !== null &&
    code.hash === request.phoneCodeHash &&
    code.phone === digitsOf(request.phoneNumber) &&
    code.expiresAt > Date.now() &&
    code.wrongTries < WRONG_TRIES;
  if (!usable) throw new RpcFailure(400, 'PHONE_CODE_EXPIRED');
  return code;
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
