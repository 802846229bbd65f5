import { loadConfig } from './config.ts';
import { TERMINAL_LINK_MINUTES } from './features/base/users/rules.ts';
import { makeSignInLink } from './features/base/users/service.ts';
import { createDatabaseClock } from './lib/clock.ts';
import { createDatabase } from './lib/db.ts';
import { StartError } from './lib/errors.ts';
import { runTask } from './lib/process.ts';

/*
 * Prints a link that signs the owner of a one-person installation in. Whoever can run this can read the settings and the
 * database. The link goes to standard output and into no log.
 */

await runTask('sign-in-link', async () => {
  const { ownerEmail: email, appUrl, databaseUrl } = loadConfig();
  if (!email) throw new StartError('links in the terminal are for the owner of a one-person installation: set OWNER_EMAIL.');
  const db = createDatabase(databaseUrl, { pool: 1, patience: 'page' });
  try {
    const about = { email, callbackUrl: '/', minutes: TERMINAL_LINK_MINUTES };
    process.stdout.write(`${await makeSignInLink({ db, clock: await createDatabaseClock(db), appUrl }, about)}\n`);
  } catch (error) {
    // The error's own message may quote the address of the database.
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new StartError(`the database can’t be reached or isn’t up to date${code}. Is Forenoon running?`);
  } finally {
    await db.destroy();
  }
});
