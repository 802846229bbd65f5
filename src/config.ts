import { isIP } from 'node:net';
import { delimiter, dirname } from 'node:path';
import { z } from 'zod';
import { findAddressProblems, findSettingWarnings } from './lib/deploymentChecks.ts';
import { combineSchemas, MAIL_SENDER, pickValues, readFileVariables, setting, type Values } from './lib/variables.ts';

type Mode = 'production' | 'development' | 'test';
export type Config = ReturnType<typeof completeValues> & {
  mode: Mode;
  /** Settings that may be intended but are dangerous: one sentence each, for the log. */
  warnings: readonly string[];
};

/** An unusable configuration. The message names every variable that is missing or wrong, but never a value. */
export class ConfigError extends Error {
  /** One line of the error message each. */
  readonly problems: readonly string[];

  constructor(problems: string[]) {
    super(`Forenoon can't start with this configuration:\n  ${problems.join('\n  ')}`);
    this.problems = problems;
  }
}

const optional = z.string().trim().min(1).optional();
const wholeNumber = (standard: number, min = 1, max = 1_000_000) =>
  z.coerce.number().int().min(min).max(max).default(standard);
const url = z.url({ protocol: /^https?$/ });

const origin = url.transform(address => new URL(address).origin);
const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info');

const dollarsPerMillion = z.coerce.number().nonnegative().optional();

const encryptionKeys = z
  .string()
  .transform(list => list.split(',').map(key => Buffer.from(key.trim(), 'base64')))
  .refine(keys => keys.every(key => key.length === 32), 'each key is 32 bytes in base64 (openssl rand -base64 32)');

const messengerServer = z
  .string()
  .regex(/^[^:\s]+:\d+$/, 'host:port')
  .transform(address => {
    const [host = '', port = ''] = address.split(':');
    return { host, port: Number(port) };
  });

/** Trusted proxies, which may set a request's address and protocol. Trusting every proxy is not supported. */
const trustProxy = z
  .string()
  .default('0')
  .refine(isTrustable, 'how many proxies are in front, or their addresses with commas between')
  .transform(value => (/^\d+$/.test(value) ? Number(value) : value));

function isTrustable(value: string): boolean {
  return /^\d{1,2}$/.test(value) || value.split(',').every(proxy => isProxyAddress(proxy.trim()));
}

function isProxyAddress(proxy: string): boolean {
  const [address = '', prefix = '1'] = proxy.split('/');
  const named = ['loopback', 'linklocal', 'uniquelocal'].includes(proxy);
  return named || (isIP(address) > 0 && /^([1-9]|[1-9]\d|1[01]\d|12[0-8])$/.test(prefix));
}

/** Normalized like the sign-in address, with which it is compared. */
const emailAddress = z.string().trim().toLowerCase().pipe(z.email('an email address, such as name@example.com'));

const mailSender = z.string().trim().regex(MAIL_SENDER, 'an address, or Name <address>');

/** Every variable the service reads, in the order of `.env.example`, under the name that the code reads it by. */
const settings = {
  databaseUrl: setting('DATABASE_URL', z.url({ protocol: /^postgres(ql)?$/ })),
  appUrl: setting('APP_URL', origin),
  ownerEmail: setting('OWNER_EMAIL', emailAddress.optional()),
  sessionSecret: setting('SESSION_SECRET', z.string().min(32, 'at least 32 characters')),
  encryptionKeys: setting('ENCRYPTION_KEY', encryptionKeys),
  messenger: {
    apiId: setting('MESSENGER_API_ID', z.coerce.number().int().positive()),
    apiHash: setting('MESSENGER_API_HASH', z.string().min(1)),
    server: setting('MESSENGER_SERVER', messengerServer.optional()),
    serverKey: setting('MESSENGER_SERVER_KEY', z.base64().optional()),
  },
  crm: {
    clientId: setting('CRM_CLIENT_ID', optional),
    clientSecret: setting('CRM_CLIENT_SECRET', optional),
    accessToken: setting('CRM_ACCESS_TOKEN', optional),
    apiUrl: setting('CRM_API_URL', url.optional()),
    appUrl: setting('CRM_APP_URL', url.optional()),
  },
  payments: {
    secretKey: setting('PAYMENT_SECRET_KEY', optional),
    webhookSecret: setting('PAYMENT_WEBHOOK_SECRET', optional),
    prices: {
      STARTER: setting('PAYMENT_STARTER_PRICE_ID', optional),
      PRO: setting('PAYMENT_PRO_PRICE_ID', optional),
      ENTERPRISE: setting('PAYMENT_ENTERPRISE_PRICE_ID', optional),
    },
    apiUrl: setting('PAYMENT_API_URL', url.optional()),
  },
  ai: {
    apiKey: setting('AI_API_KEY', optional),
    model: setting('AI_MODEL', optional),
    apiUrl: setting('AI_API_URL', url.optional()),
    contextTokens: setting('AI_CONTEXT_TOKENS', wholeNumber(16_384, 4096, 2_000_000)),
    format: setting('AI_FORMAT', z.enum(['json_schema', 'json_object', 'text']).default('json_schema')),
    timeoutSeconds: setting('AI_TIMEOUT', wholeNumber(60, 1, 3600)),
    /** Undefined: no limit on concurrent requests. */
    concurrency: setting('AI_CONCURRENCY', z.coerce.number().int().min(1).max(1000).optional()),
    /** The cost is shown only when both are known. */
    prices: { input: setting('AI_PRICE_INPUT', dollarsPerMillion), output: setting('AI_PRICE_OUTPUT', dollarsPerMillion) },
  },
  mail: {
    url: setting('MAIL_URL', z.url({ protocol: /^smtps?$/ }).optional()),
    from: setting('MAIL_FROM', mailSender.optional()),
  },
  admin: {
    apiKey: setting('ADMIN_API_KEY', optional),
    botToken: setting('ADMIN_MESSENGER_BOT_TOKEN', optional),
    chatId: setting('ADMIN_MESSENGER_CHAT_ID', optional),
    botApiUrl: setting('ADMIN_MESSENGER_API_URL', url.optional()),
  },
  redisUrl: setting('REDIS_URL', z.url({ protocol: /^rediss?$/ }).optional()),
  /** If undefined, production listens on all interfaces. Ignored outside production. */
  host: setting('HOST', optional),
  port: setting('PORT', wholeNumber(3000, 0, 65_535)),
  trustProxy: setting('TRUST_PROXY', trustProxy),
  databasePool: setting('DATABASE_POOL', wholeNumber(8, 2, 100)),
  syncConcurrency: setting('SYNC_CONCURRENCY', wholeNumber(8, 1, 64)),
  digestConcurrency: setting('DIGEST_CONCURRENCY', wholeNumber(8, 1, 64)),
  outagePatienceSeconds: setting('OUTAGE_PATIENCE', wholeNumber(300, 1, 3600)),
  logLevel: setting('LOG_LEVEL', logLevel),
  limits: {
    apiPerMinute: setting('RATE_LIMIT_API', wholeNumber(300)),
    tokensPerMinute: setting('RATE_LIMIT_TOKENS', wholeNumber(300)),
    calendarPerMinute: setting('RATE_LIMIT_CALENDAR', wholeNumber(60)),
    /** Of pages that change or search something, of questions and briefs. */
    pagesPerMinute: setting('RATE_LIMIT_PAGES', wholeNumber(300)),
    /** Of the status page and the metrics. */
    operatorPerMinute: setting('RATE_LIMIT_OPERATOR', wholeNumber(60)),
    connectPerQuarterHour: {
      phone: setting('RATE_LIMIT_CONNECT', wholeNumber(5)),
      user: setting('RATE_LIMIT_CONNECT_USER', wholeNumber(5)),
      network: setting('RATE_LIMIT_CONNECT_IP', wholeNumber(20)),
    },
    verifyTries: setting('RATE_LIMIT_VERIFY', wholeNumber(5)),
    suggestPerMinute: setting('RATE_LIMIT_SUGGEST', wholeNumber(60)),
    signInPerQuarterHour: {
      address: setting('RATE_LIMIT_SIGNIN', wholeNumber(5)),
      network: setting('RATE_LIMIT_SIGNIN_IP', wholeNumber(20)),
    },
    rewritesPerHour: setting('RATE_LIMIT_REWRITE', wholeNumber(20)),
    answersPerDay: setting('RATE_LIMIT_ANSWERS', wholeNumber(100)),
  },
  sandboxUrl: setting('SANDBOX_URL', url.optional()),
  supervised: setting('FORENOON_SUPERVISED', z.literal('1').optional()),
};
const { messenger: messengerSettings, crm: crmSettings } = settings;
const endpoints = {
  messenger: { server: messengerSettings.server, serverKey: messengerSettings.serverKey },
  crm: { apiUrl: crmSettings.apiUrl, appUrl: crmSettings.appUrl },
  logLevel: settings.logLevel,
  supervised: settings.supervised,
};
const variables = combineSchemas(settings);

/** Every variable except `NODE_ENV`. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape);

/** Mail is how people sign in. The owner of a one-person installation can do without: `npm run sign-in-link`. */
const PRODUCTION_REQUIRED = ['MAIL_URL', 'MAIL_FROM'] as const;
/** Sandbox settings, refused in production. */
const DEVELOPMENT_ONLY = ['SANDBOX_URL'] as const;

/**
 * The environment with the value of each variable that was given as a file, `NAME_FILE` instead of `NAME`. An empty
 * variable counts as not set. Throws {@link ConfigError} naming each file that can't be used.
 */
export function environmentWithFiles(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { values, problems } = readFileVariables(VARIABLE_NAMES, env);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** The environment of the service's processes. The Procfile's `node` must be the version that runs this. */
export function environmentOfChildren(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, PATH: [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter) };
}

/** Reads the environment once; without `NODE_ENV`, production. Throws {@link ConfigError} listing all that is wrong. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mode = z.enum(['production', 'development', 'test']).catch('production').parse(env.NODE_ENV);
  const environment = environmentWithFiles(env);
  const parsed = variables.safeParse(environment);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${wordsFor(issue, environment)}`);
  problems.push(
    ...productionProblems(mode, environment),
    ...findAddressProblems(environment, { isProduction: mode === 'production' }),
    ...pairProblems(environment),
  );
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  const values = completeValues(pickValues(settings, parsed.data));
  return deepFreeze({ ...values, mode, warnings: mode === 'production' ? findSettingWarnings(environment) : [] });
}

function completeValues({ supervised, messenger, ...values }: Values<typeof settings>) {
  return { ...values, isSupervised: supervised === '1', messenger: withServerKey(messenger) };
}

type Redirected = Values<(typeof endpoints)['messenger']>;

function withServerKey<T extends Redirected>({ server, serverKey = '', ...messenger }: T) {
  const publicKeyPem = Buffer.from(serverKey, 'base64').toString('utf8');
  return { ...messenger, server: server && { ...server, publicKeyPem } };
}

/** Read before there is a configuration: addresses of outside services that replace the vendors'. */
export type Endpoints = ReturnType<typeof loadEndpoints>;

/** For the setup page, which checks keys before saving them. Throws {@link ConfigError}. */
export function loadEndpoints(env: NodeJS.ProcessEnv = process.env) {
  const parsed = combineSchemas(endpoints).safeParse(environmentWithFiles(env));
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  const { supervised, messenger, ...values } = pickValues(endpoints, parsed.data);
  return deepFreeze({ ...values, isSupervised: supervised === '1', messenger: withServerKey(messenger) });
}

/** Why a self-hosted installation can't start with these values over this environment: a sentence for each problem. */
export function problemsWith(values: Record<string, string>, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const set = Object.entries(values).filter(([, value]) => value !== '');
  const brought = { DATABASE_URL: 'postgres://127.0.0.1/none', APP_URL: 'http://localhost:3000' };
  try {
    loadConfig({ ...brought, ...env, ...Object.fromEntries(set), NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

function wordsFor(issue: z.core.$ZodIssue, values: NodeJS.ProcessEnv): string {
  if (values[issue.path.join('.')] === undefined) return 'is required';
  return issue.code === 'invalid_type' ? `must be a ${issue.expected === 'int' ? 'whole ' : ''}number` : issue.message;
}

function productionProblems(mode: Mode, env: NodeJS.ProcessEnv): string[] {
  if (mode !== 'production') return [];
  return [
    ...PRODUCTION_REQUIRED.filter(name => !env[name] && !env.OWNER_EMAIL).map(name => `${name}: is required`),
    ...DEVELOPMENT_ONLY.filter(name => env[name]).map(name => `${name}: exists in development only`),
  ];
}

function pairProblems(env: NodeJS.ProcessEnv): string[] {
  const pairs = [
    ['MESSENGER_SERVER', 'MESSENGER_SERVER_KEY'],
    ['CRM_CLIENT_ID', 'CRM_CLIENT_SECRET'],
    ['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET'],
    ['MAIL_URL', 'MAIL_FROM'],
    ['ADMIN_MESSENGER_BOT_TOKEN', 'ADMIN_MESSENGER_CHAT_ID'],
  ] as const;
  const halves = pairs.filter(([a, b]) => Boolean(env[a]) !== Boolean(env[b])).map(([a, b]) => `${a} and ${b}: go together`);
  return [...halves, ...aiProblems(env), ...crmProblems(env)];
}

/** A key opens one CRM account to whoever is signed in, so that may be only one person. */
function crmProblems({ CRM_ACCESS_TOKEN: key, CRM_CLIENT_ID: app, OWNER_EMAIL: owner }: NodeJS.ProcessEnv): string[] {
  if (!key) return [];
  if (app) return ['CRM_ACCESS_TOKEN and CRM_CLIENT_ID: set one of them'];
  return owner ? [] : ['CRM_ACCESS_TOKEN: needs OWNER_EMAIL, the one person whose account it is for'];
}

/** A self-hosted server may need no key; the vendor's does. */
function aiProblems({ AI_API_KEY: key, AI_MODEL: model, AI_API_URL: url }: NodeJS.ProcessEnv): string[] {
  if (key && !model) return ['AI_API_KEY and AI_MODEL: go together'];
  return model && !key && !url ? ['AI_MODEL: needs AI_API_KEY, or AI_API_URL of a server that takes none'] : [];
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
