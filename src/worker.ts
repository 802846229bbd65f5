import { loadConfig } from './config.ts';
import { createDeps } from './deps.ts';
import { reportCrash, startWorkerHeartbeat, watchClock } from './features/operator/admin/runHeartbeat.ts';
import { prepareQueues, registerJobs } from './jobs.ts';
import { exitWithParent, runProcess } from './lib/process.ts';

/** Shorter than the 30 seconds a PaaS grants after SIGTERM. */
const GRACE_SECONDS = 20;

await runProcess('worker', async () => {
  const config = loadConfig();
  if (config.isSupervised) exitWithParent();
  const deps = await createDeps(config, 'worker');
  await prepareQueues(deps.queue);
  const stopWatchingClock = await watchClock(deps, { process: 'worker' });
  await registerJobs(deps);
  const stopWorkerHeartbeat = await startWorkerHeartbeat(deps);
  deps.log.info('worker takes jobs');
  return {
    async stop() {
      stopWatchingClock();
      await stopWorkerHeartbeat();
      await deps.close({ graceSeconds: GRACE_SECONDS });
    },
    reportCrash: err => reportCrash(deps, err, { process: 'worker' }),
  };
});
