import { randomUUID } from 'node:crypto';
import type { Scene } from './scene.ts';
import { ADMIN_KEY, PEOPLE, type Stage } from './stage.ts';

const who = PEOPLE.settled;
const conversation = async ({ service, idOf }: Stage) => {
  const of = { user_id: await idOf(who), peer_name: 'Agnieszka Wójcik' };
  return `/conversations/${(await service.db('dialogs').where(of).first('id')).id}`;
};
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
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

/** What only time brings: days behind the present one, and what was left open on them. */
export const monthScenes: Scene[] = [
  { name: 'A month, Today', who, path: '/today' },
  { name: 'A month, search', who, path: '/today?q=tender' },
  { name: 'A month, skipped', who, path: '/today?view=skipped' },
  { name: 'A month, still open', who, path: '/today?view=earlier' },
  { name: 'A month, as a table', who, path: '/today?view=table' },
  { name: 'A month, the day before', who, path: () => `/today?day=${yesterday()}` },
  { name: 'A month, conversation', who, path: conversation },
  { name: 'A month, conversation, older', who, path: async stage => `${await conversation(stage)}?page=2` },
  { name: 'Status, all is well', ...status, before: workers(0) },
  { name: 'Status, a worker is silent', ...status, before: workers(0, 5) },
];
