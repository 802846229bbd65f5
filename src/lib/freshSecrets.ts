import { randomBytes } from 'node:crypto';

/** Secrets of one installation, by variable name. They are made once: a new one loses what the old one sealed. */
export function freshSecrets(): Record<'SESSION_SECRET' | 'ENCRYPTION_KEY' | 'ADMIN_API_KEY', string> {
  return {
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
  };
}
