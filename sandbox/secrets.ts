import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { StartError } from '../src/lib/startError.ts';

const secrets = z.object({ SESSION_SECRET: z.string(), ENCRYPTION_KEY: z.string(), ADMIN_API_KEY: z.string() });

/** Named like the variables they stand in for. */
export type Secrets = z.infer<typeof secrets>;

/** The secrets of this checkout, made at the first start: what they encrypted must be readable at the next. */
export async function keptSecrets(file: string): Promise<Secrets> {
  if (existsSync(file)) return readSecrets(file);
  const fresh: Secrets = {
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
  };
  await writeFileAtomic(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
  return fresh;
}

function readSecrets(file: string): Secrets {
  try {
    return secrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(
      `${file} can't be read. Bring it back, or remove it together with the folder around it to begin anew.`,
    );
  }
}
