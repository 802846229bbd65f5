import { fileURLToPath } from 'node:url';
import { raiseOffences } from './apiOffences.ts';
import { dropOpenDatabases } from './database.ts';
import { startTestServer, stopTestServer } from './server.ts';

process.env.NODE_ENV = 'test';
/** What one process has compiled is not compiled again by the next: mocha's workers and every process that a test starts. */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/** Once per run, before any test; not waited for, so that tests without a database don't pay for one. */
export function mochaGlobalSetup(): void {
  startTestServer();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServer();
}

export const mochaHooks = {
  afterEach: raiseOffences,

  /** With tests in parallel: after each file. */
  async afterAll(): Promise<void> {
    await dropOpenDatabases();
    raiseOffences();
  },
};
