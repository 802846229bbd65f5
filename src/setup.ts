import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadEndpoints, problemsWith } from './config.ts';
import { createServiceChecks } from './deps.ts';
import { getSavedSettings } from './features/operator/setup/service.ts';
import { randomToken } from './lib/crypto.ts';
import { createLog } from './lib/log.ts';
import { exitWithParent, runTask } from './lib/process.ts';
import { createSetupApp } from './setupApp.ts';

/*
 * `npm start -- --setup`: node src/setup.ts SETTINGS_FILE PORT SERVICE_PORT. Serves the setup page on loopback until it
 * is done. The address with its token goes to standard output and into no log.
 */

const HOST = '127.0.0.1';
const LAST_REQUESTS_MS = 1000;

await runTask('setup', async () => {
  const [settingsFile = '', wantedPort = '', servicePort = wantedPort] = process.argv.slice(2);
  const { isSupervised, logLevel, ...endpoints } = loadEndpoints();
  if (isSupervised) exitWithParent();
  // An unreadable file is reported before a page is opened.
  getSavedSettings({ settingsFile });

  const port = Number(wantedPort);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const token = randomToken();
  const done = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => done.resolve());
  const app = createSetupApp({
    settingsFile,
    port,
    servicePort: Number(servicePort),
    token,
    problemsWith,
    say,
    // The browser may still request what the last page shows.
    finish: () => setTimeout(done.resolve, LAST_REQUESTS_MS),
    checks: createServiceChecks(endpoints),
    log: createLog({ level: logLevel, name: 'setup' }),
  });
  const server = createServer(app).listen(port, HOST);
  await once(server, 'listening');
  say(`Set up Forenoon in your browser: http://${HOST}:${port}/setup?token=${token}`);
  say('The address works once, on this machine only. Ctrl-C stops; what is saved stays.');
  await done.promise;
  server.close();
  server.closeAllConnections();
});
process.exit();
