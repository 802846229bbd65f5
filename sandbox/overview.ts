import express, { type Express, type Response } from 'express';
import { z } from 'zod';
import { type ChatSource, chatPages, dayOf, timeOf } from './chatPages.ts';
import { type Listening, listen } from './listen.ts';
import { STORY_ZONE } from './messenger/samples/calendar.ts';
import { createPages } from './pages/pages.ts';

export type PageAccount = {
  name: string;
  phone: string;
  password: string | null;
  worldKey: string;
  codes: { code: string; sentAt: Date }[];
};

export type Arrival = { conversations: number; messages: number };

/** The data and actions of the page, which the messenger sandbox provides. */
export type PageSource = Omit<ChatSource, 'accounts'> & {
  accounts(): PageAccount[];
  simulateNextDay(worldKey: string): Arrival | Promise<Arrival>;
  /** Scans the newest code that the service shows with a device of the account. Throws when there is none. */
  scan(worldKey: string): void;
};

const accountInput = z.object({ account: z.string().optional() });

/** The other servers that run beside the service on this machine. */
export type OtherSandboxes = {
  /** Where the CRM shows its contacts. */
  crmUrl?: string | undefined;
  /** Where the payment provider lists subscriptions. */
  paymentsUrl?: string | undefined;
  /** Where the mails can be read. */
  mailsUrl?: string | undefined;
  /** The messages in the operator's chat, oldest first. */
  alerts?: (() => readonly { at: string; text: string }[]) | undefined;
  /** The service's status page, with the key that opens it. */
  statusUrl?: string | undefined;
};

const ALERTS_SHOWN = 20;

/** The page with what the sandbox servers have for a person: phones, codes, new days, a scanner. On loopback only. */
export async function startSandboxPage(
  options: { port: number; appUrl: string; source: PageSource } & OtherSandboxes,
): Promise<Listening> {
  return await listen(createPage(options.source, options.appUrl, options), options.port);
}

export function createPage(source: PageSource, appUrl: string, others: OtherSandboxes = {}): Express {
  const { app: page, render, showProblem } = createPages('Sandbox of Forenoon', 'overview');
  let notice = '';
  page.get('/', (_req, res) => {
    const { crmUrl, paymentsUrl, mailsUrl, statusUrl } = others;
    const alerts = others.alerts?.().slice(-ALERTS_SHOWN).reverse();
    const shown = {
      accounts: source.accounts(),
      now: `${dayOf(new Date())}, ${timeOf(new Date())}`,
      zone: STORY_ZONE,
      appUrl,
      crmUrl,
      paymentsUrl,
      mailsUrl,
      statusUrl,
      alerts,
      notice,
    };
    res.send(render('index', shown));
    notice = '';
  });
  page.get('/own', (_req, res) => {
    res.send(render('own', { appUrl }));
  });
  const missing = (res: Response) => showProblem(res, 404, { problem: 'There is no such conversation.', back: 'Back' });
  page.use(chatPages({ source, render, missing }));
  page.get('/state', (_req, res) => {
    res.json({ accounts: source.accounts() });
  });
  page.post('/new-day', express.urlencoded({ extended: false }), express.json(), async (req, res) => {
    const account = chosenAccount(source, req.body);
    if (!account) {
      res.status(404).json({ error: 'There is no such account.' });
      return;
    }
    const arrival = await source.simulateNextDay(account.worldKey);
    if (!req.is('urlencoded')) {
      res.json(arrival);
      return;
    }
    const arrived =
      arrival.messages > 0
        ? `${arrival.messages} messages in ${arrival.conversations} conversations`
        : 'the sample’s story is over, nothing was written';
    notice = `A new day for ${account.name}: ${arrived}. A daily sync that is due now starts automatically; Sync now doesn’t wait for it.`;
    res.redirect(303, '/');
  });
  page.post('/scan', express.urlencoded({ extended: false }), (req, res) => {
    const account = chosenAccount(source, req.body);
    notice = account ? scanned(source, account) : 'There is no such account.';
    res.redirect(303, '/');
  });
  return page;
}

function scanned(source: PageSource, { name, worldKey }: PageAccount): string {
  try {
    source.scan(worldKey);
    return `${name} scanned the code. Forenoon goes on in a moment.`;
  } catch (error) {
    return `${name} couldn’t scan a code: ${error instanceof Error ? error.message : error}.`;
  }
}

function chosenAccount(source: PageSource, body: unknown): PageAccount | undefined {
  const wanted = accountInput.safeParse(body ?? {});
  if (!wanted.success) return undefined;
  const key = wanted.data.account;
  return source.accounts().find(account => key === undefined || account.worldKey === key);
}
