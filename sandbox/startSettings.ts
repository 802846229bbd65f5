import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { StartError } from '../src/lib/errors.ts';
import { isLoopback } from '../src/lib/hosts.ts';
import { findOwnInstallation } from './ownInstallation.ts';
import type { GivenPayments } from './payments.ts';

export const HELP = `Starts Forenoon with everything it needs on this machine.

  npm start                              our own sample conversations and contacts
  npm start -- --export result.json      your chats, from a Telegram Desktop export
  npm start -- --crm-contacts crm.json   these contacts in the CRM, instead of our own
  npm run dev                            the same, starting again when a file under src or views changes
  npm start -- --setup                   sets it up for your own accounts; npm start then runs that
  npm run sign-in-link                   a link to sign in to it, without a mail server

  --setup              a page on this machine that asks for keys, checks them and keeps them in .data/own/settings.env
  --demo               the demo, although there is an installation of your own

  --export FILE        an export in the format "Machine-readable JSON"; each file is an account of its own
  --crm-contacts FILE  a JSON list of contacts with id, firstname, lastname, email, company, phone, mobilephone,
                       messenger_username; each file is a CRM of its own
  --watch              start web and worker again when a file changes, and show all they log
  --help               this text

With NODE_ENV=production nothing is simulated: it serves with what the environment says, as npm run serve does.

Variables: PORT (3000), SANDBOX_PORT (3001), SANDBOX_CRM_PORT (3002), SANDBOX_PAYMENTS_PORT (3003),
SANDBOX_MAIL_PORT (3004), MESSENGER_PORT (20443, at most 32767), SANDBOX_EXPORT (as --export), SANDBOX_CRM_CONTACTS
(as --crm-contacts), FORENOON_DATA_DIR (.data), DATABASE_URL (a PostgreSQL of your own), MESSENGER_API_ID and
MESSENGER_API_HASH (the real Telegram instead of the sandbox), CRM_CLIENT_ID and CRM_CLIENT_SECRET, or CRM_ACCESS_TOKEN
and OWNER_EMAIL (the real HubSpot), PAYMENT_SECRET_KEY and the other PAYMENT_ variables (the real Stripe), MAIL_URL and
MAIL_FROM (a real mail server). Every other variable of .env.example is handed on.`;

export type StartSettings = {
  help: boolean;
  watch: boolean;
  exportFile: string | undefined;
  crmContactsFile: string | undefined;
  dataDir: string;
  ports: { web: number; page: number; messenger: number; crm: number; payments: number; mail: number };
  /** The settings of servers that the person provides. */
  given: {
    databaseUrl: string | undefined;
    appUrl: string | undefined;
    messengerKeys: boolean;
    crmKeys: boolean;
    paymentKeys: boolean;
    mail: boolean;
    alertBot: boolean;
    adminKey: string | undefined;
    /** Settings that the payment sandbox adopts: the secret that signs its events, and the price of each plan. */
    payments: GivenPayments;
  };
};

const port = (standard: number, highest = 65_535) => z.coerce.number().int().min(1).max(highest).default(standard);

const variables = z.object({
  PORT: port(3000),
  SANDBOX_PORT: port(3001),
  SANDBOX_CRM_PORT: port(3002),
  SANDBOX_PAYMENTS_PORT: port(3003),
  SANDBOX_MAIL_PORT: port(3004),
  // The messenger's library stores a server's port in a signed 16-bit number.
  MESSENGER_PORT: port(20_443, 32_767),
  SANDBOX_EXPORT: z.string().optional(),
  SANDBOX_CRM_CONTACTS: z.string().optional(),
  FORENOON_DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().optional(),
  APP_URL: z
    .string()
    .refine(address => isLoopback(URL.parse(address)?.hostname ?? ''), 'must be a loopback address, such as 127.0.0.1')
    .optional(),
  MESSENGER_API_ID: z.string().optional(),
  CRM_CLIENT_ID: z.string().optional(),
  CRM_ACCESS_TOKEN: z.string().optional(),
  PAYMENT_SECRET_KEY: z.string().optional(),
  PAYMENT_WEBHOOK_SECRET: z.string().optional(),
  PAYMENT_STARTER_PRICE_ID: z.string().optional(),
  PAYMENT_PRO_PRICE_ID: z.string().optional(),
  PAYMENT_ENTERPRISE_PRICE_ID: z.string().optional(),
  MAIL_URL: z.string().optional(),
  ADMIN_API_KEY: z.string().optional(),
  ADMIN_MESSENGER_BOT_TOKEN: z.string().optional(),
  INIT_CWD: z.string().optional(),
});

/** Flags and variables of `npm start`. Throws {@link StartError} naming what it does not understand. */
export function readStartSettings(args: string[], env: NodeJS.ProcessEnv, root: string): StartSettings {
  const flags = readFlags(args);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = variables.safeParse(given);
  if (!data) throw new StartError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  // Relative to where the person typed it, since npm changes to the folder of package.json.
  const whereTyped = (file: string | undefined) => file && resolve(data.INIT_CWD ?? '.', file);
  return {
    help: flags.help ?? false,
    watch: flags.watch ?? false,
    exportFile: whereTyped(flags.export ?? data.SANDBOX_EXPORT),
    crmContactsFile: whereTyped(flags['crm-contacts'] ?? data.SANDBOX_CRM_CONTACTS),
    dataDir: resolve(root, data.FORENOON_DATA_DIR),
    ports: {
      web: data.PORT,
      page: data.SANDBOX_PORT,
      messenger: data.MESSENGER_PORT,
      crm: data.SANDBOX_CRM_PORT,
      payments: data.SANDBOX_PAYMENTS_PORT,
      mail: data.SANDBOX_MAIL_PORT,
    },
    given: {
      databaseUrl: data.DATABASE_URL,
      appUrl: data.APP_URL,
      messengerKeys: data.MESSENGER_API_ID !== undefined,
      crmKeys: data.CRM_CLIENT_ID !== undefined || data.CRM_ACCESS_TOKEN !== undefined,
      paymentKeys: data.PAYMENT_SECRET_KEY !== undefined,
      mail: data.MAIL_URL !== undefined,
      alertBot: data.ADMIN_MESSENGER_BOT_TOKEN !== undefined,
      adminKey: data.ADMIN_API_KEY,
      payments: {
        webhookSecret: data.PAYMENT_WEBHOOK_SECRET,
        prices: {
          starter: data.PAYMENT_STARTER_PRICE_ID,
          pro: data.PAYMENT_PRO_PRICE_ID,
          enterprise: data.PAYMENT_ENTERPRISE_PRICE_ID,
        },
      },
    },
  };
}

/** What `npm start` runs: the setup page, a self-hosted installation, the service of a deployment, or the demo. */
export type StartMode = 'setup' | 'own' | 'serve' | 'demo';

/** Flags that are about the demo alone. */
const DEMO_FLAGS = ['--demo', '--export', '--crm-contacts', '--watch'];

export function chooseMode(args: string[], env: NodeJS.ProcessEnv, root: string): StartMode {
  if (args.includes('--setup')) return 'setup';
  const isProduction = env.NODE_ENV === 'production';
  const wantsDemo =
    args.some(arg => DEMO_FLAGS.includes(arg.split('=')[0] ?? '')) || env.SANDBOX_EXPORT || env.SANDBOX_CRM_CONTACTS;
  if (wantsDemo) return isProduction ? 'serve' : 'demo';
  if (findOwnInstallation(env, root)) return 'own';
  return isProduction ? 'serve' : 'demo';
}

/** Throws {@link StartError} naming a flag it does not understand. */
export function readFlags(args: string[]) {
  try {
    const [text, yes] = [{ type: 'string' }, { type: 'boolean' }] as const;
    const options = { export: text, 'crm-contacts': text, watch: yes, help: yes, setup: yes, demo: yes };
    return parseArgs({ args, options }).values;
  } catch (error) {
    const words = error instanceof Error ? error.message.split('. ')[0] : 'Unknown options';
    throw new StartError(`${words}. Run npm start -- --help for a list.`);
  }
}
