import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrmSandbox, type CrmSandboxOptions, startCrmSandbox } from '../../sandbox/crm/server.ts';
import { type MessengerSandbox, startMessengerSandbox } from '../../sandbox/messenger/server.ts';
import { makeServerKey, type ServerKey } from '../../sandbox/messenger/serverKey.ts';
import type { World } from '../../sandbox/messenger/world.ts';
import { priceVariables, samplePrices } from '../../sandbox/payments/prices.ts';
import { type PaymentsSandbox, startPaymentsSandbox } from '../../sandbox/payments/server.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import { WEEK_MAILS_QUEUE } from '../../src/features/mail/weekly/schema.ts';
import { DAILY_SUMMARY_QUEUE, HEARTBEAT_QUEUE } from '../../src/features/operator/admin/schema.ts';
import { DAILY_SYNC_QUEUE } from '../../src/features/sync/schema.ts';
import { createShortLivedSessions } from '../../src/http/shortLivedSession.ts';
import { createWebServer } from '../../src/http/webServer.ts';
import { registerJobs } from '../../src/jobs.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { checkAnswers } from './checkedAnswers.ts';
import { testDatabase } from './database.ts';
import { speedUpPowers } from './fastPowers.ts';
import { freePort } from './freePort.ts';
import { startMail, type TestMail } from './mail.ts';

/** A clock that can be advanced; it keeps running from there. */
export type TestClock = Clock & { advance(milliseconds: number): void };

export type Service = {
  url: string;
  db: Db;
  databaseUrl: string;
  /** What another process of the same service would be started with. */
  env: Record<string, string>;
  clock: TestClock;
  sandbox: MessengerSandbox;
  /** Throws when the service was started without one. */
  readonly crm: CrmSandbox;
  /** Throws when the service was started without one. It delivers to the first web process. */
  readonly payments: PaymentsSandbox;
  /** Throws when the service was started without one. */
  readonly mail: TestMail;
  /** Another web process over the same database, with some variables of its own. */
  anotherWeb(env?: Record<string, string>): Promise<string>;
  startWorker(): Promise<Deps>;
  /** The worker that was started last. */
  worker(): Deps;
};

type Options = {
  worlds?: World[];
  worker?: boolean;
  env?: Record<string, string>;
  /** Starts a CRM: empty, with these contacts, or with these options. Its searches see changes at once. */
  crm?: true | NonNullable<CrmSandboxOptions['contacts']> | Partial<CrmSandboxOptions>;
  payments?: boolean;
  mail?: boolean;
  /**
   * Where the first web process listens, and what it takes for its own address: for browsers, which other servers lead
   * back.
   */
  port?: number;
};

/** The CRM client makes as many attempts as in production. */
const GIVEN = { crmRetryMs: 20 };
/** Creating a key takes longer than starting everything else. */
let serverKey: ServerKey | undefined;
const running: (() => Promise<void> | void)[] = [];
speedUpPowers();

/** The real service on free ports over a database of its own: web, by default a worker, and the messenger's sandbox. */
export async function startService(options: Options = {}): Promise<Service> {
  const { worlds = [] } = options;
  if (worlds.length > 0) await waitForOneDay();
  const { url: databaseUrl, db } = await testDatabase();
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-sandbox-'));
  running.push(() => rmSync(stateDir, { recursive: true, force: true }));
  serverKey ??= makeServerKey();
  const sandbox = await startMessengerSandbox({ port: await freePort(), stateDir, worlds, serverKey });
  running.push(() => sandbox.stop());
  const crm = options.crm && (await startCrm(options.crm));
  const payments = options.payments ? await startPayments() : undefined;
  const mail = options.mail ? await startMail() : undefined;
  if (mail) running.push(mail.mail.stop);
  const clock = testClock();
  const vendors = { ...(crm && crmVariables(crm)), ...(payments && paymentVariables(payments)), ...mail?.env };
  const own: Record<string, string> = options.port ? { APP_URL: `http://127.0.0.1:${options.port}` } : {};
  const env = { ...environment(databaseUrl, sandbox), ...vendors, ...own, ...options.env };
  const config = loadConfig(env);
  const startDeps = async (role: 'web' | 'worker', own = config) => {
    const deps = await createDeps(own, role, clock, GIVEN);
    running.push(() => deps.close());
    return deps;
  };
  const startWeb = async (own = {}, port = 0) => listen(await startDeps('web', loadConfig({ ...env, ...own })), port);
  let worker: Deps | undefined;
  const startWorker = async () => {
    const deps = await startDeps('worker');
    worker = deps;
    await registerJobs(deps);
    // Tests trigger these themselves; alerts of a quarter of an hour on a busy machine would be among those they expect.
    for (const { name } of [DAILY_SYNC_QUEUE, WEEK_MAILS_QUEUE, HEARTBEAT_QUEUE, DAILY_SUMMARY_QUEUE])
      await deps.queue.unschedule(name);
    return deps;
  };
  const url = await startWeb({}, options.port);
  payments?.deliverTo(`${url}/api/webhooks/payments`);
  if (options.worker ?? true) await startWorker();
  return {
    url,
    db,
    databaseUrl,
    env,
    clock,
    sandbox,
    get crm() {
      return crm ?? missing('CRM');
    },
    get payments() {
      return payments ?? missing('payment provider');
    },
    get mail() {
      return mail?.mail ?? missing('mail server');
    },
    anotherWeb: own => startWeb(own),
    startWorker,
    worker: () => worker ?? missing('worker'),
  };
}

/** What a test started beside its services is stopped after them, if it was not before. */
export function stopLater<T extends { stop(): Promise<void> }>(started: T): T {
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= started.stop();
    return stopped;
  };
  running.push(stop);
  return { ...started, stop };
}

/** Deletes all rows of some tables, in this order. */
export async function emptyTables({ db }: Pick<Service, 'db'>, ...tables: string[]): Promise<void> {
  for (const table of tables) await db(table).delete();
}

/** Call it in `after`. */
export async function stopServices(): Promise<void> {
  for (const stop of running.splice(0).reverse()) await stop();
}

async function listen(deps: Deps, port: number): Promise<string> {
  const sessions = await createShortLivedSessions(deps);
  const server: Server = createWebServer(checkAnswers(createApp(deps, sessions)));
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  running.push(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    await sessions.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function missing(what: string): never {
  throw new Error(`no ${what} was started`);
}

const DAY_MS = 86_400_000;
/** Longer than a file of tests takes, and shorter than the runner waits for a hook. */
const END_OF_DAY_MS = 120_000;

const CRM_APP = { clientId: 'test-app', clientSecret: 'test-secret' };

async function startCrm(wanted: NonNullable<Options['crm']>): Promise<CrmSandbox> {
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-crm-'));
  running.push(() => rmSync(stateDir, { recursive: true, force: true }));
  const own = wanted === true ? {} : 'length' in wanted ? { contacts: wanted } : wanted;
  const crm = await startCrmSandbox({ port: 0, stateDir, searchDelayMs: 0, ...CRM_APP, ...own });
  running.push(() => crm.stop());
  return crm;
}

function crmVariables(crm: CrmSandbox): Record<string, string> {
  return {
    CRM_CLIENT_ID: CRM_APP.clientId,
    CRM_CLIENT_SECRET: CRM_APP.clientSecret,
    CRM_API_URL: crm.url,
    CRM_APP_URL: crm.url,
  };
}

const PAYMENT_SECRETS = { secretKey: 'sk_test_1', webhookSecret: 'whsec_test' };

async function startPayments(): Promise<PaymentsSandbox> {
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-payments-'));
  running.push(() => rmSync(stateDir, { recursive: true, force: true }));
  const payments = await startPaymentsSandbox({ port: 0, stateDir, prices: samplePrices(), ...PAYMENT_SECRETS });
  running.push(() => payments.stop());
  return payments;
}

function paymentVariables(payments: PaymentsSandbox): Record<string, string> {
  return {
    PAYMENT_SECRET_KEY: PAYMENT_SECRETS.secretKey,
    PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRETS.webhookSecret,
    ...priceVariables(samplePrices()),
    PAYMENT_API_URL: payments.url,
  };
}

function environment(databaseUrl: string, sandbox: MessengerSandbox): Record<string, string> {
  return {
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    APP_URL: 'http://127.0.0.1:3000',
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MESSENGER_API_ID: '1',
    MESSENGER_API_HASH: 'sandbox',
    MESSENGER_SERVER: `${sandbox.host}:${sandbox.port}`,
    MESSENGER_SERVER_KEY: Buffer.from(sandbox.publicKeyPem).toString('base64'),
    RATE_LIMIT_API: '100000',
    RATE_LIMIT_TOKENS: '100000',
    RATE_LIMIT_CALENDAR: '100000',
    RATE_LIMIT_PAGES: '100000',
    RATE_LIMIT_OPERATOR: '100000',
    RATE_LIMIT_CONNECT_USER: '100000',
    RATE_LIMIT_CONNECT_IP: '100000',
    RATE_LIMIT_SIGNIN_IP: '100000',
    RATE_LIMIT_REWRITE: '100000',
    RATE_LIMIT_ANSWERS: '100000',
    OUTAGE_PATIENCE: '3',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  };
}

/** Syncs of one test are of one UTC day: a test that would begin at its very end waits for the next. */
async function waitForOneDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left >= END_OF_DAY_MS) return;
  process.stderr.write(`waiting ${Math.ceil(left / 1000)} s for the next UTC day\n`);
  await sleep(left);
}

function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: milliseconds => {
      ahead += milliseconds;
    },
  };
}
