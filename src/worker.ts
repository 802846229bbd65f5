import { loadConfig } from './config.ts';
import { createDeps } from './deps.ts';
import { prepareQueues, registerJobs } from './jobs.ts';
import { runProcess } from './lib/runProcess.ts';

/** Shorter than the 30 seconds a PaaS grants after SIGTERM. */
const GRACE_SECONDS = 20;

await runProcess('worker', async () => {
  const deps = await createDeps(loadConfig(), 'worker');
  await prepareQueues(deps.queue);
  await registerJobs(deps);
  deps.log.info('worker takes jobs');
  return () => deps.close({ graceSeconds: GRACE_SECONDS });
});
