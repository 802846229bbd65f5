import type { IRouter } from 'express';
import { requireAdminKey } from '../../../http/adminKey.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { Metrics } from './createMetrics.ts';
import { getStatus, takeSnapshot } from './service.ts';

/** For the operator's programs: authenticated by a key, not by a session. */
export function adminApi(api: IRouter, deps: Timed & { adminKey: string | undefined; metrics: Metrics }): void {
  const operatorOnly = requireAdminKey(deps.adminKey);

  api.get('/api/admin/status', operatorOnly, async (_req, res) => {
    res.json(await getStatus(deps));
  });

  api.get('/metrics', operatorOnly, async (_req, res) => {
    const text = await deps.metrics.text(await takeSnapshot(deps));
    res.set('Content-Type', deps.metrics.contentType).send(text);
  });
}
