import { setTimeout as sleep } from 'node:timers/promises';
import type { IRouter } from 'express';
import type { Db } from '../lib/db.ts';
import { isUpToDate } from '../lib/migrations.ts';

const PATIENCE_MS = 2000;

/** `/healthz`: this process answers. `/readyz`: the database does, and its schema is not older than this code. */
export function healthRoutes(routes: IRouter, deps: { db: Db }): void {
  routes.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ ok: true });
  });
  routes.get('/readyz', async (_req, res) => {
    const ready = await isReady(deps.db);
    res
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ ok: ready });
  });
}

/** False after two seconds: the statement's own timeout starts only once it has a connection. */
async function isReady(db: Db): Promise<boolean> {
  const answer = isUpToDate(db).catch(() => false);
  return Promise.race([answer, sleep(PATIENCE_MS, false, { ref: false })]);
}
