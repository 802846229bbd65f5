import { fileURLToPath } from 'node:url';
import { environmentOfChildren, loadConfig } from './config.ts';
import { createLog } from './lib/log.ts';
import { runTask } from './lib/process.ts';
import { runGroup } from './lib/supervisor.ts';

/*
 * `npm run serve`: migrations, then web and worker in one group of processes, on a given PostgreSQL. For hosts with one
 * container; larger ones run the Procfile's three lines separately.
 */

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

await runTask('serve', async () => {
  // A bad configuration is reported once, before anything starts.
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, name: 'serve' });
  const root = fileURLToPath(new URL('..', import.meta.url));
  const say = (line: string) => log.warn(line);
  process.exitCode = await runGroup({ root, env: environmentOfChildren(), stop: stop.signal, log: say });
});
process.exit();
