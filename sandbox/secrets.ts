import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readJsonFile } from './jsonFile.ts';

const secrets = z.object({ SESSION_SECRET: z.string(), ENCRYPTION_KEY: z.string(), ADMIN_API_KEY: z.string() });

/** Named like the variables they stand in for. */
export type Secrets = z.infer<typeof secrets>;

const ADVICE = 'Bring it back, or remove it together with the folder around it to begin anew.';

/** The secrets of this checkout, made at the first start: what they encrypted must be readable at the next. */
export function keptSecrets(file: string): Secrets {
  if (existsSync(file)) return readJsonFile(file, secrets, ADVICE);
  const fresh: Secrets = {
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
  };
  // Renamed, so that a killed start never leaves half of them.
  writeFileSync(`${file}.new`, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return fresh;
}
