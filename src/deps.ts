import { fileURLToPath } from 'node:url';
import { createTelegramBot } from './clients/alertBot/telegramBot.ts';
import type { AlertBot } from './clients/alertBot/types.ts';
import { createHubspotClient } from './clients/crm/hubspot.ts';
import type { CrmClient, CrmReport } from './clients/crm/types.ts';
import type { ClientErrorKind } from './clients/errors.ts';
import { createSmtpMailer } from './clients/mailer/smtp.ts';
import type { Mailer } from './clients/mailer/types.ts';
import { createTelegramClient } from './clients/messenger/telegram.ts';
import type { MessengerClient } from './clients/messenger/types.ts';
import { createOllama, describeThisMachine } from './clients/modelStore/ollama.ts';
import type { Machine } from './clients/modelStore/types.ts';
import { checkAddress } from './clients/ownAddress/checkAddress.ts';
import { createStripeClient } from './clients/payments/stripe.ts';
import type { PaymentsClient } from './clients/payments/types.ts';
import { createBuiltInSummarizer } from './clients/summarizer/builtIn/summarizer.ts';
import { readTypedPromise } from './clients/summarizer/days/readTypedPromise.ts';
import { findModelServers, OLLAMA, readContextTokens } from './clients/summarizer/openai/findModelServers.ts';
import { DEMO_CONVERSATION, SAMPLE, trySummary } from './clients/summarizer/openai/trySummary.ts';
import { createOpenAiSummarizer } from './clients/summarizer/openai.ts';
import type { AiFormat, ReadTyped, Summarizer, SummarizerReport, SummaryRequest } from './clients/summarizer/types.ts';
import type { Config, Endpoints } from './config.ts';
import { createAiSlots } from './features/base/aiSlots/service.ts';
import { type Alerts, createAlerts, notify } from './features/base/alerts/service.ts';
import type { AiService } from './features/messenger/consent/schema.ts';
import {
  type Answering,
  createAnswering,
  createSummarizerChoice,
  type SummarizerFor,
} from './features/messenger/consent/service.ts';
import type { ModelService, ServiceChecks } from './features/operator/setup/schema.ts';
import { type Clock, createDatabaseClock, type DatabaseClock } from './lib/clock.ts';
import { createLimit } from './lib/createLimit.ts';
import { type Cipher, createCipher } from './lib/crypto.ts';
import { createDatabase, type Db } from './lib/db.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMailViews, type MailViews } from './lib/mailViews.ts';
import { createQueue, type Queue } from './lib/queue.ts';

/**
 * Everything a process of the service works with. Each function takes only the parts it needs. What may be undefined is
 * so where the operator did not configure it.
 */
export type Deps = ReturnType<typeof createLimits> & {
  config: Config;
  log: Log;
  /** Tells the database's time: that of this machine may be wrong. */
  clock: DatabaseClock;
  db: Db;
  /** For what may take long: reading or deleting all of a person's data, cleaning up. Has a few own connections. */
  slowDb: Db;
  queue: Queue;
  alerts: Alerts;
  alertBot: AlertBot | undefined;
  cipher: Cipher;
  messenger: MessengerClient;
  crm: CrmClient | undefined;
  /** Without it, there are no plans to buy. */
  payments: PaymentsClient | undefined;
  mailer: Mailer | undefined;
  /** Without it, the built-in summarizer writes everything. */
  aiService: AiService | undefined;
  /** The only way to a summarizer, so that none is reached without the person's consent. */
  summarizerFor: SummarizerFor;
  /** The only way to a model's answers. */
  answering: Answering | undefined;
  readTyped: ReadTyped;
  tokenPrices: Config['ai']['prices'];
  mailViews: MailViews;
  /** The service's own address, without a path. */
  appUrl: string;
  /** The operator's, for status and metrics. */
  adminKey: string | undefined;
  prices: Config['payments']['prices'];
  sessionSecret: string;
  /** The only address that may sign in. Undefined: any address may. */
  ownerEmail: string | undefined;
  verifyTries: number;
  digestConcurrency: number;
  outagePatienceSeconds: number;
  /** Releases the database and the queue; running jobs get `graceSeconds` to finish. */
  close(options?: { graceSeconds?: number }): Promise<void>;
};

export type Role = 'web' | 'worker';

/** Overrides for tests. `crmRetryMs`: the pause before the CRM client's first retry. */
export type TestOverrides = { crmRetryMs?: number };

/** Builds every client and starts the queue. @param testClock replaces the database's clock in tests */
export async function createDeps(
  config: Config,
  role: Role,
  testClock?: Clock,
  overrides: TestOverrides = {},
): Promise<Deps> {
  const log = createLog({ level: config.logLevel, name: role });
  for (const warning of config.warnings) log.warn(warning);
  const isWorker = role === 'worker';
  const db = createDatabase(config.databaseUrl, { pool: config.databasePool, patience: isWorker ? 'job' : 'page' });
  const slowDb = createDatabase(config.databaseUrl, { pool: 2, patience: isWorker ? 'long' : 'job' });
  const clock = testClock ? { ...testClock, refresh: async () => undefined } : await createDatabaseClock(db);
  const queue = createQueue({ url: config.databaseUrl, works: isWorker, pool: 3, log });
  await queue.start();
  const alerts = createAlerts({ db, queue, clock, log });
  const mailer = createMailer(config, alerts);
  const builtIn = createBuiltInSummarizer();
  const ai = createAiSummarizer(config, builtIn, { db, log, clock, alerts });
  const models = { db, builtIn, ai, aiService: aiServiceOf(config) };
  const messenger = createTelegramClient({
    ...config.messenger,
    report: ({ code, message }) => {
      log.warn({ code, about: message }, 'messenger client reports a failure');
      // The message is the library's and may quote anything, so the operator gets only the call's name.
      const [call = ''] = message.split(':');
      notify({ alerts }, { level: 'warn', source: 'messenger', kind: code, about: { call } });
    },
  });
  return {
    config,
    log,
    clock,
    db,
    slowDb,
    queue,
    alerts,
    alertBot: createAlertBot(config),
    messenger,
    crm: createCrmClient(config, alerts, overrides),
    payments: createPaymentsClient(config),
    mailer,
    cipher: createCipher(config.encryptionKeys),
    aiService: models.aiService,
    answering: createAnswering(models),
    summarizerFor: createSummarizerChoice(models),
    readTyped: readTypedPromise,
    tokenPrices: config.ai.prices,
    mailViews: createMailViews({
      viewsDir: fileURLToPath(new URL('../views', import.meta.url)),
      appName: 'Forenoon',
      appUrl: config.appUrl,
      cache: config.mode !== 'development',
      strict: config.mode !== 'production',
    }),
    appUrl: config.appUrl,
    adminKey: config.admin.apiKey,
    prices: config.payments.prices,
    sessionSecret: config.sessionSecret,
    ownerEmail: config.ownerEmail,
    ...createLimits(db, config),
    verifyTries: config.limits.verifyTries,
    digestConcurrency: config.digestConcurrency,
    outagePatienceSeconds: config.outagePatienceSeconds,
    async close({ graceSeconds = 0 } = {}) {
      await queue.stop({ graceful: graceSeconds > 0, timeout: graceSeconds * 1000 });
      mailer?.close();
      await alerts.close();
      await slowDb.destroy();
      await db.destroy();
    },
  };
}

/** How long a model may take for a sample, in milliseconds. */
const SAMPLE_MS = 45_000;
/** How long a model may take for a conversation of the demo: a model on this machine is loaded before it begins. */
const DEMO_MS = 300_000;
/** How long the messenger or a mail server may take to let us in, in milliseconds. */
const CHECK_MS = 10_000;

type CheckOptions = {
  /** Addresses searched for model servers; default: the usual local ports. */
  places?: Parameters<typeof findModelServers>[0];
  /** For how long, in milliseconds; default: briefly. */
  patienceMs?: number;
  /** Milliseconds that a download may be silent. */
  silenceMs?: number;
  machine?: Machine;
};

/** Checks the outside services with keys that are not saved yet. Failures are shown on the page, not reported. */
export function createServiceChecks(
  { messenger, crm }: Pick<Endpoints, 'messenger' | 'crm'>,
  { places, patienceMs, silenceMs, machine = describeThisMachine() }: CheckOptions = {},
): ServiceChecks {
  const report = () => undefined;
  const { apiUrl } = places?.find(({ name }) => name === OLLAMA.name) ?? OLLAMA;
  const tryModel = async (service: ModelService, request: SummaryRequest, signal: AbortSignal) => {
    const create = (format: AiFormat) => createOpenAiSummarizer({ ...service, format, callTimeoutMs: DEMO_MS, report });
    const { summary, format } = await trySummary(create, { request, signal });
    return { summary, fit: { format, contextTokens: await readContextTokens(service, patienceMs) } };
  };
  const times = { ...(patienceMs !== undefined && { patienceMs }), ...(silenceMs !== undefined && { silenceMs }) };
  return {
    messenger(keys) {
      const patience = { callTimeoutMs: CHECK_MS, connectTimeoutMs: CHECK_MS };
      return createTelegramClient({ ...keys, ...patience, server: messenger.server, report }).checkApiKeys();
    },
    async ai(service) {
      return (await tryModel(service, SAMPLE, AbortSignal.timeout(SAMPLE_MS))).fit;
    },
    async demo(service, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(DEMO_MS)]);
      if (service) return tryModel(service, DEMO_CONVERSATION, inTime);
      return { summary: await createBuiltInSummarizer().summarize(DEMO_CONVERSATION, { signal }) };
    },
    modelServers: () => findModelServers(places, patienceMs),
    modelStore: createOllama({ apiUrl, ...times }),
    machine,
    async crm(key) {
      return (await createHubspotClient({ ...crm, report }).readAccount(key)).portalId;
    },
    async mail(server) {
      const mailer = createSmtpMailer({ ...server, deadlineMs: CHECK_MS });
      await mailer.check().finally(() => mailer.close());
    },
    address: checkAddress,
  };
}

/** Limits in Postgres, shared by all processes. */
function createLimits(db: Db, { limits }: Config) {
  const limit = (name: string, tries: number, seconds: number) => createLimit(db, { name, tries, seconds });
  const { connectPerQuarterHour: connect, signInPerQuarterHour: signIn } = limits;
  return {
    limitConnect: {
      phone: limit('connect', connect.phone, 900),
      user: limit('connect-user', connect.user, 900),
      network: limit('connect-network', connect.network, 900),
    },
    limitSignIn: { address: limit('sign-in', signIn.address, 900), network: limit('sign-in-network', signIn.network, 900) },
    limitSuggest: limit('suggest', limits.suggestPerMinute, 60),
    limitRewrite: limit('rewrite', limits.rewritesPerHour, 3600),
    limitAnswer: limit('answer', limits.answersPerDay, 86_400),
  };
}

function createAlertBot({ admin }: Config): AlertBot | undefined {
  const { botToken: token, chatId, botApiUrl: apiUrl } = admin;
  return token && chatId ? createTelegramBot({ token, chatId, apiUrl }) : undefined;
}

const MAIL_ALERTS = {
  temporary: { level: 'error', alert: 'MAIL_UNAVAILABLE' },
  rateLimited: { level: 'warn', alert: 'MAIL_UNAVAILABLE' },
  auth: { level: 'error', alert: 'MAIL_LOGIN_REFUSED' },
  permanent: { level: 'warn', alert: 'MAIL_REFUSED' },
} as const;

/** A timeout is typical of a host that blocks mail ports. */
const MAIL_UNREACHABLE = { level: 'error', alert: 'MAIL_UNREACHABLE' } as const;

function createMailer({ mail }: Config, alerts: Alerts): Mailer | undefined {
  const { url, from } = mail;
  if (!url || !from) return undefined;
  const report = ({ kind, code }: { kind: ClientErrorKind; code: string }) => {
    const { level, alert } = ['TIMEOUT', 'UNREACHABLE'].includes(code) ? MAIL_UNREACHABLE : MAIL_ALERTS[kind];
    notify({ alerts }, { level, source: 'mailer', kind: alert, about: { code } });
  };
  return createSmtpMailer({ url, from, report });
}

function createCrmClient({ crm }: Config, alerts: Alerts, { crmRetryMs }: TestOverrides): CrmClient | undefined {
  const { clientId, clientSecret, accessToken, apiUrl, appUrl } = crm;
  if (!accessToken && !(clientId && clientSecret)) return undefined;
  const report = ({ code, message }: CrmReport) => {
    const level = code === 'CRM_RATE_LIMIT' ? 'warn' : 'error';
    notify({ alerts }, { level, source: 'crm', kind: code, about: { message } });
  };
  const pause = crmRetryMs === undefined ? {} : { retryPauseMs: crmRetryMs };
  return createHubspotClient({
    ...(clientId && clientSecret && { clientId, clientSecret }),
    accessToken,
    apiUrl,
    appUrl,
    report,
    ...pause,
  });
}

function createPaymentsClient({ payments }: Config): PaymentsClient | undefined {
  const { secretKey, webhookSecret, apiUrl } = payments;
  return secretKey && webhookSecret ? createStripeClient({ secretKey, webhookSecret, apiUrl }) : undefined;
}

function aiServiceOf({ ai }: Config): AiService | undefined {
  const { apiKey, model, apiUrl } = ai;
  return model && (apiKey || apiUrl) ? { model, host: apiUrl ? new URL(apiUrl).host : 'api.openai.com' } : undefined;
}

/** The summarizer that asks a model; undefined where the operator configured none. */
function createAiSummarizer(
  { ai }: Config,
  builtIn: Summarizer,
  { db, log, clock, alerts }: Pick<Deps, 'db' | 'log' | 'clock' | 'alerts'>,
): Summarizer | undefined {
  const { apiKey, model, apiUrl, contextTokens, format, timeoutSeconds, concurrency } = ai;
  if (!model || !(apiKey || apiUrl)) return undefined;
  const report = ({ code, message }: SummarizerReport) =>
    notify({ alerts }, { level: 'error', source: 'summarizer', kind: code, about: { message } });
  return createOpenAiSummarizer({
    apiKey,
    model,
    contextTokens,
    format,
    clock,
    report,
    builtIn,
    callTimeoutMs: timeoutSeconds * 1000,
    ...(apiUrl && { apiUrl }),
    ...(concurrency !== undefined && { inSlot: createAiSlots({ db, log, maxSlots: concurrency }) }),
  });
}
