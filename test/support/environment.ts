import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from '../../src/config.ts';

/** What every start needs. */
export const REQUIRED = {
  DATABASE_URL: 'postgres://forenoon@127.0.0.1/forenoon',
  APP_URL: 'https://forenoon.example/some/path?x=1',
  SESSION_SECRET: randomBytes(32).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  MESSENGER_API_ID: '12345',
  MESSENGER_API_HASH: 'abcdef',
};
export const MAIL = { MAIL_URL: 'smtps://user:pass@mail.example:465', MAIL_FROM: 'Forenoon <hello@forenoon.example>' };
export const production = { ...REQUIRED, ...MAIL };

/** What starting with this environment is refused with, '' when it is not. */
export function refusal(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
    return '';
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    return err.message;
  }
}
