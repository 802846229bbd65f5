import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import type { Db } from '../lib/db.ts';

const PATIENCE_MS = 2000;

/** `/healthz`: this process answers. `/readyz`: it can do its work, which means the database answers too. */
export function healthRoutes(deps: { db: Db }): Router {
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ ok: true });
  });
  routes.get('/readyz', async (_req, res) => {
    const ready = await databaseAnswers(deps.db);
    res
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ ok: ready });
  });
  return routes;
}

/** The statement's own time begins only when it has a connection, and that may never come. */
async function databaseAnswers(db: Db): Promise<boolean> {
  const answer = db
    .raw('select 1')
    .timeout(PATIENCE_MS)
    .then(
      () => true,
      () => false,
    );
  return Promise.race([answer, sleep(PATIENCE_MS, false, { ref: false })]);
}
