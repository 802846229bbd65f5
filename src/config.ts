import { isIP } from 'node:net';
import { z } from 'zod';
import { addressProblems, addressWarnings } from './lib/deployment.ts';

export type Mode = 'production' | 'development' | 'test';
export type Config = z.infer<typeof environment> & {
  mode: Mode;
  /** What may be meant, but is dangerous: a sentence each, for the log. */
  warnings: readonly string[];
};

/** A configuration that can't be started with. The message names every variable that is missing or wrong, never a value. */
export class ConfigError extends Error {}

const optional = z.string().trim().min(1).optional();
const wholeNumber = (standard: number, min = 1, max = 1_000_000) =>
  z.coerce.number().int().min(min).max(max).default(standard);
const url = z.url({ protocol: /^https?$/ });

/** US dollars per million tokens. */
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

/** Who may say which address and protocol a request came with. Trusting every proxy is not supported. */
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

/** `Name <address>` or an address, of one line. */
const mailSender = z
  .string()
  .trim()
  .regex(/^([^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u, 'an address, or Name <address>');

/** Every variable the service reads, in the order of `.env.example`. */
const variables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  APP_URL: url.transform(address => new URL(address).origin),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters'),
  ENCRYPTION_KEY: encryptionKeys,

  MESSENGER_API_ID: z.coerce.number().int().positive(),
  MESSENGER_API_HASH: z.string().min(1),
  MESSENGER_SERVER: messengerServer.optional(),
  MESSENGER_SERVER_KEY: z.base64().optional(),

  CRM_CLIENT_ID: optional,
  CRM_CLIENT_SECRET: optional,
  CRM_API_URL: url.optional(),
  CRM_APP_URL: url.optional(),

  PAYMENT_SECRET_KEY: optional,
  PAYMENT_WEBHOOK_SECRET: optional,
  PAYMENT_STARTER_PRICE_ID: optional,
  PAYMENT_PRO_PRICE_ID: optional,
  PAYMENT_ENTERPRISE_PRICE_ID: optional,
  PAYMENT_API_URL: url.optional(),

  AI_API_KEY: optional,
  AI_MODEL: optional,
  AI_API_URL: url.optional(),
  AI_PART_TOKENS: wholeNumber(24_000, 1000, 1_000_000),
  AI_PRICE_INPUT: dollarsPerMillion,
  AI_PRICE_OUTPUT: dollarsPerMillion,

  MAIL_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: mailSender.optional(),

  ADMIN_API_KEY: optional,
  ADMIN_MESSENGER_BOT_TOKEN: optional,
  ADMIN_MESSENGER_CHAT_ID: optional,
  ADMIN_MESSENGER_API_URL: url.optional(),

  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  PORT: wholeNumber(3000, 0, 65_535),
  TRUST_PROXY: trustProxy,
  DATABASE_POOL: wholeNumber(8, 2, 100),
  SYNC_CONCURRENCY: wholeNumber(8, 1, 64),
  DIGEST_CONCURRENCY: wholeNumber(8, 1, 64),
  OUTAGE_PATIENCE: wholeNumber(300, 1, 3600),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMIT_API: wholeNumber(300),
  RATE_LIMIT_PAGES: wholeNumber(300),
  RATE_LIMIT_OPERATOR: wholeNumber(60),
  RATE_LIMIT_CONNECT: wholeNumber(5),
  RATE_LIMIT_CONNECT_USER: wholeNumber(5),
  RATE_LIMIT_CONNECT_IP: wholeNumber(20),
  RATE_LIMIT_VERIFY: wholeNumber(5),
  RATE_LIMIT_SUGGEST: wholeNumber(60),
  RATE_LIMIT_SIGNIN: wholeNumber(5),
  RATE_LIMIT_SIGNIN_IP: wholeNumber(20),
  RATE_LIMIT_REWRITE: wholeNumber(20),
  SANDBOX_URL: url.optional(),
  FORENOON_SUPERVISED: z.literal('1').optional(),
});

/** Beside `NODE_ENV`. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape);

const environment = variables.transform(env => ({
  databaseUrl: env.DATABASE_URL,
  databasePool: env.DATABASE_POOL,
  appUrl: env.APP_URL,
  sessionSecret: env.SESSION_SECRET,
  encryptionKeys: env.ENCRYPTION_KEY,
  messenger: {
    apiId: env.MESSENGER_API_ID,
    apiHash: env.MESSENGER_API_HASH,
    server: env.MESSENGER_SERVER && {
      ...env.MESSENGER_SERVER,
      publicKeyPem: Buffer.from(env.MESSENGER_SERVER_KEY ?? '', 'base64').toString('utf8'),
    },
  },
  crm: {
    clientId: env.CRM_CLIENT_ID,
    clientSecret: env.CRM_CLIENT_SECRET,
    apiUrl: env.CRM_API_URL,
    appUrl: env.CRM_APP_URL,
  },
  payments: {
    secretKey: env.PAYMENT_SECRET_KEY,
    webhookSecret: env.PAYMENT_WEBHOOK_SECRET,
    prices: {
      STARTER: env.PAYMENT_STARTER_PRICE_ID,
      PRO: env.PAYMENT_PRO_PRICE_ID,
      ENTERPRISE: env.PAYMENT_ENTERPRISE_PRICE_ID,
    },
    apiUrl: env.PAYMENT_API_URL,
  },
  ai: {
    apiKey: env.AI_API_KEY,
    model: env.AI_MODEL,
    apiUrl: env.AI_API_URL,
    partTokens: env.AI_PART_TOKENS,
    /** Cost is told only where both are known. */
    prices: { input: env.AI_PRICE_INPUT, output: env.AI_PRICE_OUTPUT },
  },
  mail: { url: env.MAIL_URL, from: env.MAIL_FROM },
  admin: {
    apiKey: env.ADMIN_API_KEY,
    botToken: env.ADMIN_MESSENGER_BOT_TOKEN,
    chatId: env.ADMIN_MESSENGER_CHAT_ID,
    botApiUrl: env.ADMIN_MESSENGER_API_URL,
  },
  redisUrl: env.REDIS_URL,
  port: env.PORT,
  trustProxy: env.TRUST_PROXY,
  syncConcurrency: env.SYNC_CONCURRENCY,
  digestConcurrency: env.DIGEST_CONCURRENCY,
  outagePatienceSeconds: env.OUTAGE_PATIENCE,
  logLevel: env.LOG_LEVEL,
  limits: {
    apiPerMinute: env.RATE_LIMIT_API,
    /** Of pages, what changes something; of the operator, the status page and the metrics. */
    pagesPerMinute: env.RATE_LIMIT_PAGES,
    operatorPerMinute: env.RATE_LIMIT_OPERATOR,
    connectPerQuarterHour: {
      phone: env.RATE_LIMIT_CONNECT,
      user: env.RATE_LIMIT_CONNECT_USER,
      network: env.RATE_LIMIT_CONNECT_IP,
    },
    verifyTries: env.RATE_LIMIT_VERIFY,
    suggestPerMinute: env.RATE_LIMIT_SUGGEST,
    signInPerQuarterHour: { address: env.RATE_LIMIT_SIGNIN, network: env.RATE_LIMIT_SIGNIN_IP },
    rewritesPerHour: env.RATE_LIMIT_REWRITE,
  },
  sandboxUrl: env.SANDBOX_URL,
  isSupervised: env.FORENOON_SUPERVISED === '1',
}));

/** Nothing of the local servers may be reachable in production, and its mail is how people sign in. */
const PRODUCTION_REQUIRED = ['MAIL_URL', 'MAIL_FROM'] as const;
const DEVELOPMENT_ONLY = ['SANDBOX_URL', 'FORENOON_SUPERVISED'] as const;

/**
 * Reads the environment once. `NODE_ENV` unset means production.
 * Throws {@link ConfigError} listing everything that is missing or wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mode = z.enum(['production', 'development', 'test']).catch('production').parse(env.NODE_ENV);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${wordsFor(issue, given)}`);
  problems.push(
    ...productionProblems(mode, given),
    ...addressProblems(given, { isProduction: mode === 'production' }),
    ...pairProblems(given),
  );
  if (problems.length > 0 || !parsed.success) {
    throw new ConfigError(`Forenoon can't start with this configuration:\n  ${problems.join('\n  ')}`);
  }
  return deepFreeze({ ...parsed.data, mode, warnings: mode === 'production' ? addressWarnings(given) : [] });
}

function wordsFor(issue: z.core.$ZodIssue, given: NodeJS.ProcessEnv): string {
  if (given[issue.path.join('.')] === undefined) return 'is required';
  return issue.code === 'invalid_type' ? `must be a ${issue.expected === 'int' ? 'whole ' : ''}number` : issue.message;
}

function productionProblems(mode: Mode, env: NodeJS.ProcessEnv): string[] {
  if (mode !== 'production') return [];
  return [
    ...PRODUCTION_REQUIRED.filter(name => !env[name]).map(name => `${name}: is required`),
    ...DEVELOPMENT_ONLY.filter(name => env[name]).map(name => `${name}: exists in development only`),
  ];
}

function pairProblems(env: NodeJS.ProcessEnv): string[] {
  const pairs = [
    ['MESSENGER_SERVER', 'MESSENGER_SERVER_KEY'],
    ['CRM_CLIENT_ID', 'CRM_CLIENT_SECRET'],
    ['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET'],
    ['AI_API_KEY', 'AI_MODEL'],
    ['MAIL_URL', 'MAIL_FROM'],
    ['ADMIN_MESSENGER_BOT_TOKEN', 'ADMIN_MESSENGER_CHAT_ID'],
  ] as const;
  return pairs.filter(([a, b]) => Boolean(env[a]) !== Boolean(env[b])).map(([a, b]) => `${a} and ${b}: go together`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
