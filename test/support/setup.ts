import { throwOnMismatch } from './apiMismatches.ts';
import { dropOpenDatabases } from './database.ts';
import { startTestServer, stopTestServer } from './server.ts';

process.env.NODE_ENV = 'test';

/** Starts the database once per run without waiting, so that tests without a database need not wait for it. */
export function mochaGlobalSetup(): void {
  startTestServer();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServer();
}

export const mochaHooks = {
  afterEach: throwOnMismatch,

  /** With parallel tests this runs after each file. */
  async afterAll(): Promise<void> {
    await dropOpenDatabases();
    throwOnMismatch();
  },
};
