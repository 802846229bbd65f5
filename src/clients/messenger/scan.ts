import { Api } from 'telegram';
import type { Connection } from './connection.ts';
import { signedIn, unlessPassword } from './signIn.ts';
import { failure } from './telegramErrors.ts';
import type { ScanResult, SignInResult } from './types.ts';

type App = { apiId: number; apiHash: string };

/** https://core.telegram.org/api/qr-login. The answer is the same code until it expires or someone scans it. */
export async function showScanCode(connection: Connection, { apiId, apiHash }: App): Promise<ScanResult> {
  const asked = unlessPassword(connection, async () => {
    const answer = await connection.call(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
    return answer instanceof Api.auth.LoginTokenSuccess ? signedIn(connection, answer.authorization) : answer;
  });
  const answer = await asked;
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
  return unlessPassword(connection, async () => {
    const request = new Api.auth.ImportLoginToken({ token: Buffer.from(token, 'base64url') });
    const answer = await connection.call(request);
    if (!(answer instanceof Api.auth.LoginTokenSuccess)) throw failure('permanent', 'UNEXPECTED', answer.className);
    return signedIn(connection, answer.authorization);
  });
}
