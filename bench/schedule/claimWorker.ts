import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { startWorkerHeartbeat } from '../../src/features/operator/admin/startWorkerHeartbeat.ts';
import { dailySyncJob } from '../../src/features/sync/jobs.ts';
import { DAILY_SYNC_QUEUE } from '../../src/features/sync/schema.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { runProcess } from '../../src/lib/process.ts';
import { workOn } from '../../src/lib/queue.ts';

/*
 * A worker that queues daily syncs and does none: so only the queueing is measured.
 */

await runProcess('worker', async () => {
  const deps = await createDeps(loadConfig(), 'worker');
  await prepareQueues(deps.queue);
  await workOn(deps.queue, DAILY_SYNC_QUEUE, { concurrency: 1, handle: dailySyncJob(deps) });
  await startWorkerHeartbeat(deps);
  return { stop: () => deps.close(), reportCrash: async err => deps.log.fatal({ err }, 'ended') };
});
