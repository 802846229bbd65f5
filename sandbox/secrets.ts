import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { createSecrets } from '../src/lib/crypto.ts';
import { readJsonFile } from './jsonFile.ts';

const secrets = z.object({ SESSION_SECRET: z.string(), ENCRYPTION_KEY: z.string(), ADMIN_API_KEY: z.string() });

/** Keys are the names of the environment variables. */
export type Secrets = z.infer<typeof secrets>;

const ADVICE = 'Bring it back, or remove it together with the folder around it to begin anew.';

/** The secrets of this checkout, created at the first start: later starts must be able to decrypt what they encrypted. */
export function keptSecrets(file: string): Secrets {
  if (existsSync(file)) return readJsonFile(file, secrets, ADVICE);
  const fresh: Secrets = createSecrets();
  // Renamed, so that a killed start never leaves half of them.
  writeFileSync(`${file}.new`, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return fresh;
}
