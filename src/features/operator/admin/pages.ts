import type { IRouter } from 'express';
import { requireAdminKey } from '../../../http/adminKey.ts';
import type { Renderer } from '../../../http/render.ts';
import type { Timed } from '../../../lib/clock.ts';
import { listAlerts } from '../../base/alerts/repo.ts';
import { presentStatus } from './present.ts';
import { takeSnapshot } from './service.ts';

const ALERTS_SHOWN = 20;
const POLL_SECONDS = 30;

/** The operator's page. It shows no user's name, no word of a message, and no link that carries the key. */
export function adminPages(pages: IRouter, deps: Timed & { render: Renderer; adminKey: string | undefined }): void {
  pages.get('/status', requireAdminKey(deps.adminKey), async (_req, res) => {
    const [snapshot, alerts] = await Promise.all([takeSnapshot(deps), listAlerts(deps.db, { limit: ALERTS_SHOWN })]);
    const shown = { ...presentStatus({ snapshot, alerts, uptimeSeconds: process.uptime() }), pollSeconds: POLL_SECONDS };
    deps.render.page(res, 'admin/index', shown, { title: 'Status', isWide: true, refreshSeconds: POLL_SECONDS });
  });
}
