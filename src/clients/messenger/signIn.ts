import { Api, password } from 'telegram';
import { visibleName } from '../../lib/visibleText.ts';
import type { Connection } from './connection.ts';
import type { ConnectionOptions } from './libraryClient.ts';
import { phoneOf, usernameOf } from './peers.ts';
import { asksForPassword, createMessengerError, toClientError } from './telegramErrors.ts';
import type { ScanResult, SentCode, SignInResult } from './types.ts';

const DELIVERIES: Record<string, SentCode['delivery']> = {
  'auth.SentCodeTypeApp': 'app',
  'auth.SentCodeTypeSms': 'sms',
  'auth.SentCodeTypeSmsWord': 'sms',
  'auth.SentCodeTypeSmsPhrase': 'sms',
  'auth.SentCodeTypeCall': 'call',
  'auth.SentCodeTypeFlashCall': 'call',
  'auth.SentCodeTypeMissedCall': 'call',
};

export async function sendCode(connection: Connection, app: ConnectionOptions, phone: string): Promise<SentCode> {
  const { apiId, apiHash } = app;
  const settings = new Api.CodeSettings({});
  const sent = await connection.call(new Api.auth.SendCode({ phoneNumber: phone, apiId, apiHash, settings }));
  if (sent instanceof Api.auth.SentCodePaymentRequired) throw createMessengerError('permanent', 'CODE_COSTS');
  // The other answer signs in without a code.
  if (!(sent instanceof Api.auth.SentCode)) throw createMessengerError('permanent', 'UNEXPECTED', sent.className);
  return {
    session: connection.session(),
    codeHash: sent.phoneCodeHash,
    delivery: DELIVERIES[sent.type.className] ?? 'other',
  };
}

export async function signIn(
  connection: Connection,
  step: { phone: string; codeHash: string; code: string },
): Promise<SignInResult> {
  const { phone: phoneNumber, codeHash: phoneCodeHash, code: phoneCode } = step;
  return catchPasswordRequest(connection, async () =>
    toSignInResult(connection, await connection.call(new Api.auth.SignIn({ phoneNumber, phoneCodeHash, phoneCode }))),
  );
}

/** Returns what `ask` returns, or that the account asks for its password as well. */
async function catchPasswordRequest<T>(
  connection: Connection,
  ask: () => Promise<T>,
): Promise<T | Extract<SignInResult, { needsPassword: true }>> {
  try {
    return await ask();
  } catch (error) {
    if (!asksForPassword(error)) throw error;
    return { session: connection.session(), needsPassword: true };
  }
}

export async function checkPassword(connection: Connection, secret: string): Promise<SignInResult> {
  const challenge = await connection.call(new Api.account.GetPassword());
  const proof = await runInTurn(() => password.computeCheck(challenge, secret)).catch(error => {
    throw toClientError(error);
  });
  return toSignInResult(connection, await connection.call(new Api.auth.CheckPassword({ password: proof })));
}

function toSignInResult(connection: Connection, authorization: Api.auth.TypeAuthorization): SignInResult {
  if (!(authorization instanceof Api.auth.Authorization)) throw createMessengerError('permanent', 'PHONE_UNKNOWN');
  const { user } = authorization;
  if (!(user instanceof Api.User)) throw createMessengerError('permanent', 'UNEXPECTED', user.className);
  return {
    session: connection.session(),
    needsPassword: false,
    user: {
      id: user.id.toString(),
      firstName: visibleName(user.firstName ?? ''),
      lastName: visibleName(user.lastName ?? ''),
      username: usernameOf(user),
      phone: phoneOf(user),
    },
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Serializes password checks, each of which blocks the event loop for some 200 ms. */
function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

type App = { apiId: number; apiHash: string };

/** https://core.telegram.org/api/qr-login. The answer is the same code until it expires or someone scans it. */
export async function showScanCode(connection: Connection, { apiId, apiHash }: App): Promise<ScanResult> {
  const request = catchPasswordRequest(connection, async () => {
    const answer = await connection.call(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
    return answer instanceof Api.auth.LoginTokenSuccess ? toSignInResult(connection, answer.authorization) : answer;
  });
  const answer = await request;
  if (answer instanceof Api.auth.LoginToken) {
    const link = `tg://login?token=${answer.token.toString('base64url')}`;
    return { state: 'waiting', session: connection.session(), link, expiresAt: new Date(answer.expires * 1000) };
  }
  if (answer instanceof Api.auth.LoginTokenMigrateTo) {
    await connection.switchTo(answer.dcId);
    return { state: 'moved', session: connection.session(), token: answer.token.toString('base64url') };
  }
  return { state: 'scanned', signIn: answer };
}

/** Continues in the data centre of the account, with the session that was made there. */
export async function followScan(connection: Connection, token: string): Promise<SignInResult> {
  return catchPasswordRequest(connection, async () => {
    const request = new Api.auth.ImportLoginToken({ token: Buffer.from(token, 'base64url') });
    const answer = await connection.call(request);
    if (!(answer instanceof Api.auth.LoginTokenSuccess))
      throw createMessengerError('permanent', 'UNEXPECTED', answer.className);
    return toSignInResult(connection, answer.authorization);
  });
}
