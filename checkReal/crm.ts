import { randomBytes } from 'node:crypto';
import { createSdk } from '../src/clients/crm/hubspot/calls.ts';
import { createHubspotClient } from '../src/clients/crm/hubspot.ts';
import type { Crm } from '../src/clients/crm/types.ts';
import type { Config } from '../src/config.ts';
import { type Ask, type Check, type CleanUp, LeftOut } from './checks.ts';

const VENDOR_API = 'https://api.hubapi.com';
/** Far below what the CRM allows in ten seconds, so that nothing has to wait. */
const NO_THROTTLE = { takeTurn: async () => undefined, pause: async () => undefined };

type Deps = { config: Config; ask: Ask; cleanUp: CleanUp };
type Opened = { crm: Crm; accessToken: string };

/**
 * Our properties, and a note on a contact of its own. The permission that a person gives is revoked at the end; contact and
 * note are archived. The properties stay: every account that connects gets them.
 */
export function crmChecks({ config, ask, cleanUp }: Deps): { properties: Check; note: Check } {
  const { clientId, clientSecret, accessToken: key, apiUrl, appUrl } = config.crm;
  let opened: Opened | undefined;

  async function connect(): Promise<Opened> {
    if (key) return connectByKey(key);
    if (!clientId || !clientSecret) throw new LeftOut('CRM_CLIENT_ID and CRM_CLIENT_SECRET are not set');
    const client = createHubspotClient({ clientId, clientSecret, apiUrl, appUrl, report: () => undefined });
    const redirectUri = `${config.appUrl}/api/crm/callback`;
    const state = `check-${randomBytes(8).toString('hex')}`;
    const address = client.authorizationUrl({ redirectUri, state });
    const question = `Open this address, allow it for a test account, and paste the address you end up at (the page there may be an error):\n  ${address}\nAddress (Enter leaves the CRM out): `;
    const pasted = (await ask(question)).trim();
    if (pasted === '') throw new LeftOut('skipped');
    const query = URL.parse(pasted)?.searchParams;
    const code = query?.get('code');
    if (!code || query?.get('state') !== state) throw new Error('that address has no permission of this check in it');
    const { accessToken, refreshToken, account } = await client.exchangeCode({ code, redirectUri });
    cleanUp("the CRM's permission (HubSpot, Connected apps)", () => client.revokeTokens(refreshToken));
    const access = { portalId: account.portalId, accessToken: async () => accessToken, ...NO_THROTTLE };
    return { crm: client.open(access), accessToken };
  }

  async function connectByKey(key: string): Promise<Opened> {
    const client = createHubspotClient({ accessToken: key, apiUrl, appUrl, report: () => undefined });
    const { portalId } = await client.readAccount(key);
    return { crm: client.open({ portalId, accessToken: async () => key, ...NO_THROTTLE }), accessToken: key };
  }

  async function properties(): Promise<string> {
    opened = await connect();
    await opened.crm.ensureProperties();
    await opened.crm.ensureProperties();
    return 'they are there, and making them again does no harm';
  }

  async function note(): Promise<string> {
    if (!opened) throw new LeftOut('needs a CRM account');
    const { crm, accessToken } = opened;
    const mark = `check${randomBytes(6).toString('hex')}`;
    const details = { firstName: 'Forenoon', lastName: `Check ${mark}`, messengerUsername: mark };
    const contact = await crm.createContact(details);
    const contactsApi = createSdk({ accessToken, apiUrl: apiUrl ?? VENDOR_API }).crm.contacts.basicApi;
    cleanUp(`the CRM contact Forenoon Check ${mark}`, () => contactsApi.archive(contact.id));
    const bodyHtml = `<p>A check of Forenoon. ${mark}</p>`;
    const at = new Date();
    const { created, refused } = await crm.createNotes([{ marker: mark, contactId: contact.id, at, bodyHtml }]);
    const id = created.get(mark);
    if (!id) throw new Error(`the note was not taken (${refused.get(mark) ?? 'no reason'})`);
    cleanUp(`the CRM note ${id}`, () => crm.archiveNotes([id]));
    const found = await crm.findRecords('notes', [{ contactId: contact.id, marker: mark }]);
    if (found.get(mark) !== id) throw new Error('the note was taken, but is not found by its marker');
    const { gone } = await crm.updateNotes([{ id, at, bodyHtml: `${bodyHtml}<p>Changed.</p>` }]);
    if (gone.length > 0) throw new Error('the note was gone when it was to be changed');
    return 'created, found and changed on a contact of its own';
  }

  return { properties: { name: "the CRM's properties", run: properties }, note: { name: 'a note', run: note } };
}
