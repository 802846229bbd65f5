import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../../src/config.ts';
import { createDeps, type Deps } from '../../../src/deps.ts';
import { prepareQueues } from '../../../src/jobs.ts';
import type { Service } from '../../support/service.ts';

/** Starts of daily syncs that are not spread over minutes. */
export const NO_SPREAD = { spreadSeconds: 0 };

/** What another process of the service works with; close it. */
export async function depsOf(service: Service): Promise<Deps> {
  const deps = await createDeps(loadConfig(service.env), 'web');
  await prepareQueues(deps.queue);
  return deps;
}

/** Users whose account can't be read, and whose time has just come. */
export async function addDueUsers({ db }: Service, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await db('users').insert(ids.map(id => ({ id, email: `${id}@example.com`, name: '' })));
  await db('messenger_accounts').insert(
    ids.map(id => ({
      user_id: id,
      messenger_user_id: id,
      status: 'active',
      credentials: 'sealed',
      connected_at: new Date(),
    })),
  );
  await db('sync_configs').insert(
    ids.map(id => ({
      user_id: id,
      sync_time: '18:00',
      timezone: 'UTC',
      include_groups: false,
      min_messages: 1,
      summary_style: 'BUSINESS',
      auto_create_contacts: false,
      next_sync_at: new Date(Date.now() - 1000),
      next_sync_day: '2026-11-01',
    })),
  );
}
