import { Router } from 'express';
import type { Db } from '../lib/db.ts';

/** `/healthz`: this process answers. `/readyz`: it can do its work, which means the database answers too. */
export function healthRoutes(deps: { db: Db }): Router {
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.json({ ok: true });
  });
  routes.get('/readyz', async (_req, res) => {
    const ready = await deps.db
      .raw('select 1')
      .timeout(2000)
      .then(
        () => true,
        () => false,
      );
    res.status(ready ? 200 : 503).json({ ok: ready });
  });
  return routes;
}
