import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createDeps } from './deps.ts';
import { reportCrash, watchClock } from './features/operator/admin/runHeartbeat.ts';
import { createShortLivedSessions } from './http/shortLivedSession.ts';
import { createWebServer, stopServing } from './http/webServer.ts';
import { prepareQueues, registerWatches } from './jobs.ts';
import { exitWithParent, runProcess } from './lib/process.ts';

/** Longer than a worker's interval, so that workers come first as long as there are any. */
const WATCH_SECONDS = 20;

await runProcess('web', async () => {
  const config = loadConfig();
  if (config.isSupervised) exitWithParent();
  const deps = await createDeps(config, 'web');
  await prepareQueues(deps.queue);
  const sessions = await createShortLivedSessions(deps);
  const server = createWebServer(createApp(deps, sessions));
  // Other machines may reach it only in production: any other mode runs on a person's own machine.
  const host = config.mode === 'production' ? config.host : '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, host, resolve);
  });
  deps.log.info({ port: config.port }, 'web listens');
  await registerWatches(deps, WATCH_SECONDS);
  const stopWatchingClock = await watchClock(deps, { process: 'web' });

  return {
    async stop() {
      stopWatchingClock();
      await stopServing(server);
      await sessions.close();
      await deps.close();
    },
    reportCrash: err => reportCrash(deps, err, { process: 'web' }),
  };
});
