import { randomUUID } from 'node:crypto';
import type { Scene } from './scene.ts';
import { ADMIN_KEY, type Stage } from './stage.ts';

/** Workers by how many minutes ago they were heard of. */
const workers =
  (...minutes: number[]) =>
  async ({ service }: Stage) => {
    const now = service.clock.now();
    const heard = (ago: number) => new Date(now.getTime() - ago * 60_000);
    const rows = minutes.map(ago => ({ id: randomUUID(), started_at: now, beat_at: heard(ago) }));
    await service.db('worker_heartbeats').insert(rows);
  };
const noWorkers = ({ service }: Stage) => service.db('worker_heartbeats').del();
const status = { who: null, path: `/status?key=${encodeURIComponent(ADMIN_KEY)}`, after: noWorkers };

/** What the operator sees, by what the workers let hear of themselves. */
export const statusScenes: Scene[] = [
  { name: 'Status, all is well', ...status, before: workers(0) },
  { name: 'Status, a worker is silent', ...status, before: workers(0, 5) },
];
