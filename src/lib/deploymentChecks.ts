import { isLoopback, isPrivate } from './hosts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables whose addresses must use https on the internet: they carry sessions, digests, messages or keys. */
const ENCRYPTED_VARIABLES = [
  'APP_URL',
  'AI_API_URL',
  'CRM_API_URL',
  'CRM_APP_URL',
  'PAYMENT_API_URL',
  'ADMIN_MESSENGER_API_URL',
] as const;

/** A sentence per unsafe address. Outside production APP_URL must be loopback, as an email address alone signs in. */
export function findAddressProblems(env: Environment, { isProduction }: { isProduction: boolean }): string[] {
  if (isProduction) {
    const open = ENCRYPTED_VARIABLES.filter(name => isPlain(env[name]) && !isPrivate(hostOf(env[name])));
    return open.map(name => `${name}: must be https for an address on the internet`);
  }
  const isOpen = env.APP_URL !== undefined && URL.canParse(env.APP_URL) && !isLoopback(hostOf(env.APP_URL));
  return isOpen ? ['APP_URL: must be a loopback address (127.0.0.1, localhost) unless NODE_ENV is production'] : [];
}

const MIN_ADMIN_KEY_LENGTH = 24;

/** Settings that production starts with but should not: one sentence each, for the log. */
export function findSettingWarnings(env: Environment): string[] {
  const plain = ENCRYPTED_VARIABLES.filter(name => isPlain(env[name]) && !staysOnMachine(name, env));
  const key = env.ADMIN_API_KEY;
  return [
    ...plain.map(name => `WARNING: ${name} is http: whoever is on the same network or machine can read along. Use https.`),
    ...(mayMailInTheClear(env.MAIL_URL)
      ? ['WARNING: MAIL_URL does not require TLS: sign-in links may cross the network in the clear. Use smtps://.']
      : []),
    ...(key && key.length < MIN_ADMIN_KEY_LENGTH
      ? [`WARNING: ADMIN_API_KEY is shorter than ${MIN_ADMIN_KEY_LENGTH} characters and can be guessed.`]
      : []),
  ];
}

/** Whether its traffic never leaves this machine: for pages only if no other machine may reach them either. */
function staysOnMachine(name: (typeof ENCRYPTED_VARIABLES)[number], env: Environment): boolean {
  const isHere = isLoopback(hostOf(env[name]));
  return name === 'APP_URL' ? isHere && isLoopback(hostOf(`http://${env.HOST}`)) : isHere;
}

const isPlain = (address: string | undefined): boolean => address !== undefined && URL.parse(address)?.protocol === 'http:';

const hostOf = (address: string | undefined): string => URL.parse(address ?? '')?.hostname ?? '';

/** smtp:// uses TLS if offered, which a man in the middle can prevent. The mailer requires it for a password. */
function mayMailInTheClear(address: string | undefined): boolean {
  const url = URL.parse(address ?? '');
  if (url?.protocol !== 'smtp:' || isLoopback(url.hostname)) return false;
  const requireTls = url.searchParams.get('requireTLS');
  return requireTls === null ? url.password === '' : requireTls !== 'true';
}
