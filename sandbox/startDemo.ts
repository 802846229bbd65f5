import { join } from 'node:path';
import { childEnvironment } from './childEnvironment.ts';
import type { OpenCrm } from './crm.ts';
import { countDigests, openDatabase } from './database.ts';
import { type DemoClock, openDemoClock } from './demoClock.ts';
import { doMainJob } from './firstRun.ts';
import { ownFolder } from './folders.ts';
import type { Listening } from './listen.ts';
import type { OpenMessenger } from './messenger.ts';
import { createNewDays, type NewDays } from './newDays.ts';
import { type OtherSandboxes, startSandboxPage } from './overview.ts';
import { portFor } from './ports.ts';
import { runService, type Starting } from './runService.ts';
import { keptSecrets } from './secrets.ts';
import { sentenceFrom } from './sentences.ts';
import { takeStartLock } from './startLock.ts';
import type { StartSettings } from './startSettings.ts';
import { watchFolders } from './watching.ts';

/*
 * The demo: PostgreSQL, migrations, a sandbox for whatever has no keys, then web and worker as child processes, exactly
 * the Procfile's two. Never part of a deployment: it alone sets NODE_ENV to development. Sandbox servers are imported
 * only when needed, since they use development dependencies.
 */

/** Starts everything, waits for the request to stop, and stops in the opposite order, however far the start got. */
export async function startDemo(settings: StartSettings, own: NodeJS.ProcessEnv, starting: Starting): Promise<void> {
  const { terminal, stopping, root } = starting;
  const { say } = terminal;
  const { dataDir: wantedDir, ports, given, watch, exportFile, crmContactsFile } = settings;
  await using started = new AsyncDisposableStack();
  const dataDir = ownFolder(wantedDir, say);
  started.defer(takeStartLock(join(dataDir, 'start.pid')));
  const clock = clockFor(settings, dataDir);
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
  const payments = given.paymentKeys ? undefined : await (await import('./payments.ts')).openPayments(paid, dataDir, say);
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
  const page = messenger && (await openPage({ wantedPort: ports.page, appUrl, messenger, clock, others, say }));
  if (page) started.defer(page.stop);

  const database = await openDatabase({ given: given.databaseUrl, dataDir, say });
  started.defer(database.stop);
  await clock?.setDatabase(database.url);
  stopping.signal.throwIfAborted();

  const env = childEnvironment({ ...secrets, NODE_COMPILE_CACHE: join(dataDir, 'compiled') }, own, {
    ...{ PORT: String(webPort), APP_URL: appUrl, DATABASE_URL: database.url },
    ...messenger?.variables,
    ...crm?.variables,
    ...payments?.variables,
    ...mail?.variables,
    ...alertBot?.variables,
    ...(page && { SANDBOX_URL: page.url }),
    ...clock?.variables(own),
  });
  const children = await runService({ env, dataDir, watch }, starting);
  started.defer(children.stop);
  if (watch) started.defer(watchFolders([join(root, 'src'), join(root, 'views')], children.restart));

  if (mail) say(`Emails, such as sign-in links: ${mail.sandbox.url}`);
  const job = { appUrl, databaseUrl: database.url, pageUrl: page?.url ?? '', crm, hasMailSandbox: mail !== undefined };
  if (messenger && page) {
    const firstRun = showMainJob({ ...job, messenger }, starting);
    page.days.follow({ children, databaseUrl: database.url, appUrl, firstRun, signal: stopping.signal });
    await firstRun;
  } else say(`ready: open ${appUrl}`);
  await stopping.requested;
}

/** A server that is not the demo's own keeps its time, and whatever talks to it must share that. */
function clockFor({ given }: StartSettings, dataDir: string): DemoClock | undefined {
  if (given.databaseUrl || given.messengerKeys || given.crmKeys || given.paymentKeys) return undefined;
  return openDemoClock(join(dataDir, 'sandbox', 'clock'));
}

async function openPage(page: {
  wantedPort: number;
  appUrl: string;
  messenger: OpenMessenger;
  clock: DemoClock | undefined;
  others: OtherSandboxes;
  say: (line: string) => void;
}): Promise<Listening & { days: NewDays }> {
  const { wantedPort, appUrl, messenger, clock, others, say } = page;
  const port = await portFor('the sandbox page', wantedPort, say);
  const days = createNewDays(clock, messenger.sandbox.simulateNextDay);
  const source = { ...messenger.sandbox, simulateNextDay: days.simulate };
  return { days, ...(await startSandboxPage({ port, appUrl, ...others, source })) };
}

type MainJob = {
  appUrl: string;
  databaseUrl: string;
  pageUrl: string;
  messenger: OpenMessenger;
  crm: OpenCrm | undefined;
  hasMailSandbox: boolean;
};

/** An error here is printed and the service keeps running, so that a person can look. */
async function showMainJob(job: MainJob, { terminal, stopping }: Starting): Promise<void> {
  const { appUrl, databaseUrl, pageUrl, messenger, crm, hasMailSandbox } = job;
  const { say } = terminal;
  const user = messenger.demoUser;
  const howToOpen = `open ${appUrl} and sign in as ${user.email}. Sign-in codes, and a button to simulate a new day: ${pageUrl}`;
  try {
    const { errors } = await doMainJob({
      ...{ appUrl, user, crm: crm?.sandbox, hasMailSandbox },
      ...{ show: terminal, signal: stopping.signal },
    });
    for (const { peerName, message } of errors) say(`  ${peerName ?? 'the sync'}: ${message}`);
    if (crm) say(`CRM contacts and notes: ${crm.sandbox.url}`);
    const notes = crm ? `, ${crm.sandbox.notes().length} notes` : '';
    say(`ready: ${await countDigests(databaseUrl, user.email)} digests${notes}. To read them ${howToOpen}`);
  } catch (error) {
    stopping.signal.throwIfAborted();
    say(`The first run did not finish: ${sentenceFrom(error)}. The service keeps running: ${howToOpen}`);
  }
}
