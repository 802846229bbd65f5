import { randomBytes } from 'node:crypto';
import { Api } from 'telegram/tl/index.js';
import type { Account } from '../account.ts';
import { homeOf, type Sandbox } from '../sandbox.ts';
import type { AuthKey, LoginToken } from '../state.ts';
import { long } from '../tl.ts';
import { authorize, requireApp } from './auth.ts';
import { type Call, method, openMethod, RpcFailure } from './call.ts';

/*
 * Signing in by a code that another device scans, https://core.telegram.org/api/qr-login: the new device exports a token
 * and shows it, a device that is signed in accepts it, the new device asks again.
 */

const LIFETIME_MS = 30_000;
/** How long a scan can be followed. */
const ACCEPTED_LIFETIME_MS = 5 * 60_000;
const TOKEN_BYTES = 32;

export const loginTokenMethods = [
  openMethod(Api.auth.ExportLoginToken, exportLoginToken),
  openMethod(Api.auth.ImportLoginToken, importLoginToken),
  method(Api.auth.AcceptLoginToken, ({ sandbox, account }, { token }) => acceptLoginToken(sandbox, account, token)),
];

/** The same token as long as it is valid: clients ask every few seconds and draw a new code only for a new token. */
function exportLoginToken(call: Call, request: Api.auth.ExportLoginToken): Api.auth.TypeLoginToken {
  requireApp(request);
  const { key, sandbox } = call;
  const held = key.loginToken;
  if (held?.acceptedBy) return finish(call, held, held.acceptedBy);
  const token = held && held.expiresAt > Date.now() ? held : newToken();
  key.loginToken = token;
  sandbox.state.saveKey(key);
  return new Api.auth.LoginToken({ expires: Math.floor(token.expiresAt / 1000), token: bytesOf(token) });
}

function newToken(): LoginToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64');
  return { token, expiresAt: Date.now() + LIFETIME_MS, acceptedBy: null };
}

/** The key of this data centre takes over the token that the one of another data centre exported. */
function importLoginToken(call: Call, request: Api.auth.ImportLoginToken): Api.auth.TypeLoginToken {
  const { key, sandbox } = call;
  const { exporter, token } = exported(sandbox, request.token);
  if (!token.acceptedBy) throw new RpcFailure(400, 'AUTH_TOKEN_INVALID');
  if (exporter !== key) {
    Object.assign(key, { loginToken: token });
    Object.assign(exporter, { loginToken: null });
    for (const changed of [key, exporter]) sandbox.state.saveKey(changed);
  }
  return finish(call, token, token.acceptedBy);
}

/** Called again, it answers the same. */
function finish(call: Call, token: LoginToken, worldKey: string): Api.auth.TypeLoginToken {
  const { sandbox, key } = call;
  const account = sandbox.accounts.get(worldKey);
  if (!account) throw new RpcFailure(401, 'AUTH_KEY_UNREGISTERED');
  if (sandbox.faults.deactivated.has(account.phone)) throw new RpcFailure(401, 'USER_DEACTIVATED');
  const home = homeOf(sandbox, account);
  if (home !== key.dc) return new Api.auth.LoginTokenMigrateTo({ dcId: home, token: bytesOf(token) });
  if (account.password !== null && key.account !== worldKey) {
    Object.assign(key, { account: null, passwordPending: worldKey, refusal: null });
    sandbox.state.saveKey(key);
    throw new RpcFailure(401, 'SESSION_PASSWORD_NEEDED');
  }
  return new Api.auth.LoginTokenSuccess({ authorization: authorize(call, worldKey) });
}

/**
 * Accepts a token that a device signed in to the account has scanned. From then on the account lists the new device,
 * unless it has a password or another home: whoever exported the token and never asks again stays signed in.
 * Throws RpcFailure for a token that is unknown, too old or already accepted.
 */
export function acceptLoginToken(sandbox: Sandbox, account: Account, bytes: Buffer): Api.Authorization {
  const { exporter: key, token } = exported(sandbox, bytes);
  if (token.acceptedBy) throw new RpcFailure(400, 'AUTH_TOKEN_ALREADY_ACCEPTED');
  key.loginToken = { ...token, acceptedBy: account.key, expiresAt: Date.now() + ACCEPTED_LIFETIME_MS };
  if (account.password === null && homeOf(sandbox, account) === key.dc) authorize({ sandbox, key }, account.key);
  sandbox.state.saveKey(key);
  const date = Math.floor(Date.now() / 1000);
  sandbox.updates.publishToKey(key.id, new Api.UpdateShort({ update: new Api.UpdateLoginToken(), date }));
  return newDevice(key, date, account.password !== null);
}

/** The token and the key that exported it. */
function exported(sandbox: Sandbox, bytes: Buffer): { exporter: AuthKey; token: LoginToken } {
  const wanted = Buffer.from(bytes).toString('base64');
  const exporter = [...sandbox.state.keys.values()].find(({ loginToken }) => loginToken?.token === wanted);
  const token = exporter?.loginToken;
  if (!exporter || !token) throw new RpcFailure(400, 'AUTH_TOKEN_INVALID');
  if (token.expiresAt <= Date.now()) throw new RpcFailure(400, 'AUTH_TOKEN_EXPIRED');
  return { exporter, token };
}

function bytesOf({ token }: LoginToken): Buffer {
  return Buffer.from(token, 'base64');
}

function newDevice({ id }: AuthKey, date: number, passwordPending: boolean): Api.Authorization {
  return new Api.Authorization({
    passwordPending,
    hash: long(Buffer.from(id, 'hex').readBigInt64LE()),
    deviceModel: 'Sandbox',
    platform: '',
    systemVersion: '',
    apiId: 1,
    appName: 'Sandbox',
    appVersion: '1.0',
    dateCreated: date,
    dateActive: date,
    ip: '127.0.0.1',
    country: '',
    region: '',
  });
}
