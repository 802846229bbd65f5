import { loadConfig } from './config.ts';
import { createDeps } from './deps.ts';
import { startBeating } from './features/admin/startBeating.ts';
import { tellCrash } from './features/admin/tellCrash.ts';
import { prepareQueues, registerJobs } from './jobs.ts';
import { exitWithParent, runProcess } from './lib/process.ts';

/** Shorter than the 30 seconds a PaaS grants after SIGTERM. */
const GRACE_SECONDS = 20;

await runProcess('worker', async () => {
  const config = loadConfig();
  if (config.isSupervised) exitWithParent();
  const deps = await createDeps(config, 'worker');
  await prepareQueues(deps.queue);
  await registerJobs(deps);
  const stopBeating = await startBeating(deps);
  deps.log.info('worker takes jobs');
  return {
    async stop() {
      await stopBeating();
      await deps.close({ graceSeconds: GRACE_SECONDS });
    },
    tellCrash: err => tellCrash(deps, err, { process: 'worker' }),
  };
});
