import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeedContact } from '../../sandbox/crm/seed.ts';
import { startCrmSandbox } from '../../sandbox/crm/server.ts';
import { createHubspotClient } from '../../src/clients/crm/hubspot.ts';
import type { Crm } from '../../src/clients/crm/types.ts';

const APP = { clientId: 'bench', clientSecret: 'bench' };
const redirectUri = 'http://127.0.0.1:3000/api/crm/callback';

/** The real client at a CRM of our own with these contacts. Its rate is not limited here: calls are counted. */
export async function withCrm<T>(
  contacts: readonly SeedContact[],
  use: (crm: Crm, countSearches: () => number) => Promise<T>,
): Promise<T> {
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-bench-crm-'));
  const limits = { callsPerTenSeconds: 1e6, searchesPerSecond: 1e6 };
  const sandbox = await startCrmSandbox({ port: 0, stateDir, ...APP, contacts, searchDelayMs: 0, limits });
  try {
    const client = createHubspotClient({ ...APP, apiUrl: sandbox.url, appUrl: sandbox.url, report: () => {} });
    const asked = new URL(client.authorizationUrl({ redirectUri, state: 'bench' }));
    const form = new URLSearchParams(asked.searchParams);
    form.set('account', sandbox.portals()[0]?.id ?? '');
    form.set('decision', 'allow');
    const answer = await fetch(asked, { method: 'POST', body: form, redirect: 'manual' });
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { accessToken, account } = await client.exchangeCode({ code, redirectUri });
    const crm = client.open({
      portalId: account.portalId,
      accessToken: async () => accessToken,
      takeTurn: async () => {},
      pause: async () => {},
    });
    await crm.ensureProperties();
    sandbox.resetCalls();
    return await use(crm, () => sandbox.calls()['contacts.search'] ?? 0);
  } finally {
    await sandbox.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
