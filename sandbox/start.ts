import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithFiles } from '../src/config.ts';
import { lineNamed, type ProcessLine, readProcfile } from '../src/lib/procfile.ts';
import { StartError } from '../src/lib/startError.ts';
import { runToEnd, type Surroundings, supervise } from '../src/lib/supervisor.ts';
import { childEnvironment } from './childEnvironment.ts';
import { keepChildOutput } from './childOutput.ts';
import type { OpenCrm } from './crm.ts';
import { countDigests, openDatabase } from './database.ts';
import { doMainJob } from './firstRun.ts';
import { ownFolder } from './folders.ts';
import type { Listening } from './listen.ts';
import type { OpenMessenger } from './messenger.ts';
import { type OtherSandboxes, startSandboxPage } from './overview.ts';
import { portFor } from './ports.ts';
import { keptSecrets } from './secrets.ts';
import { sentenceFrom } from './sentences.ts';
import { takeStartLock } from './startLock.ts';
import { HELP, readStartSettings, type StartSettings } from './startSettings.ts';
import { listenForStop } from './stopping.ts';
import { createTerminal } from './terminal.ts';
import { watchFolders } from './watching.ts';

/*
 * `npm start` on a bare machine: PostgreSQL, migrations, a sandbox for whatever has no keys, then web and worker as
 * child processes, exactly the Procfile's two. Never part of a deployment: it alone sets NODE_ENV to development. A
 * sandbox server is imported when it is needed, since these use development dependencies.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GRACE_MS = 25_000;

// A platform that knows of no other command starts this: there it serves, or says what is missing.
if (process.env.NODE_ENV === 'production') await import('../src/serve.ts');

const terminal = createTerminal(process.stdout);
const { say } = terminal;
const stopping = listenForStop(say);

try {
  const own = environmentWithFiles();
  const settings = readStartSettings(process.argv.slice(2), own, ROOT);
  if (settings.help) say(HELP);
  else await run(settings, own);
} catch (error) {
  if (!stopping.signal.aborted) {
    say(sentenceFrom(error));
    process.exitCode = 1;
  }
}
process.exit();

/** Starts everything, waits for the request to stop, and stops in the opposite order, however far the start got. */
async function run(settings: StartSettings, own: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir: wantedDir, ports, given, watch, exportFile, crmContactsFile } = settings;
  await using started = new AsyncDisposableStack();
  const dataDir = ownFolder(wantedDir, say);
  started.defer(takeStartLock(join(dataDir, 'start.pid')));
  const messengerModule = given.messengerKeys ? undefined : await import('./messenger.ts');
  const crmModule = given.crmKeys ? undefined : await import('./crm.ts');
  const ownBook = crmContactsFile === undefined ? undefined : crmModule?.readCrmBook(crmContactsFile);
  const messenger = await messengerModule?.openMessenger({ exportFile, ports }, dataDir, say);
  if (messenger) started.defer(messenger.stop);
  const book = ownBook ?? crmModule?.bookFor(messenger?.worldKey ?? 'messenger');
  const crm = book && (await crmModule?.openCrm(book, ports.crm, dataDir, say));
  if (crm) started.defer(crm.sandbox.stop);

  const webPort = await portFor('Forenoon', ports.web, say);
  const appUrl = given.appUrl ?? `http://127.0.0.1:${webPort}`;
  const paid = { port: ports.payments, webPort, given: given.payments };
  const payments = given.paymentKeys
    ? undefined
    : await (await import('./payments.ts')).openPayments(paid, dataDir, say);
  if (payments) started.defer(payments.sandbox.stop);
  const mail = given.mail ? undefined : await (await import('./mail.ts')).openMail(ports.mail, dataDir, say);
  if (mail) started.defer(mail.sandbox.stop);
  const alertBot = given.alertBot ? undefined : await (await import('./alertBot.ts')).openAlertBot(dataDir);
  if (alertBot) started.defer(alertBot.sandbox.stop);
  const secrets = keptSecrets(join(dataDir, 'secrets.json'));
  const others = {
    crmUrl: crm?.sandbox.url,
    paymentsUrl: payments?.sandbox.url,
    mailsUrl: mail?.sandbox.url,
    alerts: alertBot?.sandbox.messages,
    statusUrl: `${appUrl}/status?key=${encodeURIComponent(given.adminKey ?? secrets.ADMIN_API_KEY)}`,
  };
  const page = messenger && (await openPage(ports.page, appUrl, messenger, others));
  if (page) started.defer(page.stop);

  const database = await openDatabase({ given: given.databaseUrl, dataDir, say });
  started.defer(database.stop);
  stopping.signal.throwIfAborted();

  const env = childEnvironment(secrets, own, {
    ...{ PORT: String(webPort), APP_URL: appUrl, DATABASE_URL: database.url },
    ...messenger?.variables,
    ...crm?.variables,
    ...payments?.variables,
    ...mail?.variables,
    ...alertBot?.variables,
    ...(page && { SANDBOX_URL: page.url }),
  });
  const output = keepChildOutput(join(dataDir, 'logs'), say, watch);
  const processes = readProcfile(join(ROOT, 'Procfile'));
  const around: Surroundings = { cwd: ROOT, env, log: say, output };
  await migrate(lineNamed(processes, 'release'), around);

  const children = supervise([lineNamed(processes, 'web'), lineNamed(processes, 'worker')], around);
  started.defer(() => children.stop(GRACE_MS));
  stopping.onSecondRequest(children.kill);
  if (watch) started.defer(watchFolders([join(ROOT, 'src'), join(ROOT, 'views')], children.restart));

  if (mail) say(`Emails, such as sign-in links: ${mail.sandbox.url}`);
  if (messenger) await showMainJob({ appUrl, databaseUrl: database.url, pageUrl: page?.url ?? '', messenger, crm });
  else say(`ready: open ${appUrl}`);
  await stopping.requested;
}

async function openPage(
  wantedPort: number,
  appUrl: string,
  messenger: OpenMessenger,
  others: OtherSandboxes,
): Promise<Listening> {
  const port = await portFor('the sandbox page', wantedPort, say);
  return await startSandboxPage({ port, appUrl, ...others, source: messenger.sandbox });
}

async function migrate(line: ProcessLine, around: Surroundings): Promise<void> {
  const code = await runToEnd(line, around);
  stopping.signal.throwIfAborted();
  if (code !== 0) throw new StartError('The database migrations failed: the lines above say why.');
}

type MainJob = {
  appUrl: string;
  databaseUrl: string;
  pageUrl: string;
  messenger: OpenMessenger;
  crm: OpenCrm | undefined;
};

/** An error here is printed and the service keeps running, so that a person can look. */
async function showMainJob({ appUrl, databaseUrl, pageUrl, messenger, crm }: MainJob): Promise<void> {
  const user = messenger.demoUser;
  const howToOpen = `open ${appUrl} and sign in as ${user.email}. Sign-in codes, and a button to simulate a new day: ${pageUrl}`;
  try {
    const { errors } = await doMainJob({ appUrl, user, crm: crm?.sandbox, show: terminal, signal: stopping.signal });
    for (const { peerName, message } of errors) say(`  ${peerName ?? 'the sync'}: ${message}`);
    if (crm) say(`CRM contacts and notes: ${crm.sandbox.url}`);
    const notes = crm ? `, ${crm.sandbox.notes().length} notes` : '';
    say(`ready: ${await countDigests(databaseUrl, user.email)} digests${notes}. To read them ${howToOpen}`);
  } catch (error) {
    stopping.signal.throwIfAborted();
    say(`The first run did not finish: ${sentenceFrom(error)}. The service keeps running: ${howToOpen}`);
  }
}
