import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeedContact } from '../../../sandbox/crm/seed.ts';
import { type CrmSandbox, startCrmSandbox } from '../../../sandbox/crm/server.ts';
import { createHubspotClient } from '../../../src/clients/crm/hubspot.ts';
import type { Crm, CrmAccess, CrmClient, CrmReport } from '../../../src/clients/crm/types.ts';

const APP = { clientId: 'app', clientSecret: 'very-secret' };
export const redirectUri = 'http://127.0.0.1:3000/api/crm/callback';

/** A sandbox with one account, the client, and that account opened without any waiting of ours. */
export type Account = {
  sandbox: CrmSandbox;
  client: CrmClient;
  crm: Crm;
  reports: CrmReport[];
  /** What the client asked of whoever keeps the connection. */
  turns: string[];
  pauses: { kind: string; seconds: number }[];
  refused: string[];
  accessToken: string;
  refreshToken: string;
  /** The account through a client that waits for an answer for so long. */
  within(deadlineMs: number): Crm;
  stop(): Promise<void>;
};

type Options = {
  portal?: { id: string; name: string };
  owners?: string[];
  contacts?: readonly SeedContact[];
  limits?: { callsPerTenSeconds: number; searchesPerSecond: number };
};

export async function openAccount(options: Options = {}): Promise<Account> {
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-crm-'));
  const sandbox = await startCrmSandbox({ port: 0, stateDir, ...APP, searchDelayMs: 0, ...options });
  const reports: CrmReport[] = [];
  const settings = {
    ...{ ...APP, apiUrl: sandbox.url, appUrl: sandbox.url, retryPauseMs: 5 },
    report: (sent: CrmReport) => reports.push(sent),
  };
  const client = createHubspotClient({ ...settings, deadlineMs: 30_000 });
  const tokens = await client.exchangeCode({ code: await allow(client, sandbox), redirectUri });
  const kept = keepAccess(client, tokens);
  const crm = client.open(kept.access);
  sandbox.resetCalls();
  return {
    ...{ sandbox, client, crm, reports, turns: kept.turns, pauses: kept.pauses, refused: kept.refused },
    ...{ accessToken: tokens.accessToken, refreshToken: tokens.refreshToken },
    within: deadlineMs => createHubspotClient({ ...settings, deadlineMs }).open(kept.access),
    async stop() {
      await sandbox.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

function keepAccess(
  client: CrmClient,
  tokens: { accessToken: string; refreshToken: string; account: { portalId: string } },
) {
  const [turns, pauses, refused] = [[] as string[], [] as Account['pauses'], [] as string[]];
  let { accessToken } = tokens;
  const access: CrmAccess = {
    portalId: tokens.account.portalId,
    async accessToken(token) {
      if (token !== undefined) refused.push(token);
      if (token === accessToken) accessToken = (await client.refreshTokens(tokens.refreshToken)).accessToken;
      return accessToken;
    },
    takeTurn: async kind => void turns.push(kind),
    pause: async (kind, seconds) => void pauses.push({ kind, seconds }),
  };
  return { access, turns, pauses, refused };
}

/** What a person does on the CRM's page: answers with the code. */
export async function allow(client: CrmClient, sandbox: CrmSandbox, state = 'state'): Promise<string> {
  const asked = new URL(client.authorizationUrl({ redirectUri, state }));
  const [portal] = sandbox.portals();
  const form = new URLSearchParams(asked.searchParams);
  form.set('account', portal?.id ?? '');
  form.set('decision', 'allow');
  const answer = await fetch(new URL(asked.pathname, asked), { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return back.searchParams.get('code') ?? '';
}

/** The error of a promise that must fail. */
export async function failureOf(doing: Promise<unknown>): Promise<Error & { code?: string; kind?: string }> {
  try {
    await doing;
  } catch (err) {
    if (err instanceof Error) return err;
  }
  throw new Error('this should have failed');
}

/** An account for all tests of a file, whose sandbox forgets faults and calls before each. */
export function sharedAccount(options: Options = {}): Account {
  const account = {} as Account;
  before(async () => void Object.assign(account, await openAccount(options)));
  beforeEach(() => {
    account.sandbox.faults.clear();
    account.sandbox.resetCalls();
    for (const list of [account.turns, account.pauses, account.reports, account.refused]) list.length = 0;
  });
  after(() => account.stop());
  return account;
}
