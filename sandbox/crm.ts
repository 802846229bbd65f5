import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readContactsFile, type SeedContact, sampleContacts } from './crm/seed.ts';
import { type CrmSandbox, startCrmSandbox } from './crm/server.ts';
import { portFor } from './ports.ts';

/** The CRM for a machine without keys. */
export type OpenCrm = {
  sandbox: CrmSandbox;
  /** Lead the CRM client to it. */
  variables: Record<string, string>;
};

/** What a CRM begins with, and the name its state is kept under: each file, and each messenger account without one, has its own. */
export type CrmBook = { key: string; contacts: SeedContact[] };

const APP = { clientId: 'forenoon-sandbox', clientSecret: 'forenoon-sandbox-secret' };
const SAMPLE = 'sample';

/** Throws StartError when the file can't be used. */
export function readCrmBook(contactsFile: string): CrmBook {
  const contacts = readContactsFile(contactsFile);
  const hash = createHash('sha256').update(JSON.stringify(contacts)).digest('hex').slice(0, 12);
  return { key: `contacts-${hash}`, contacts };
}

/** Contacts for the sample conversations; other people's conversations meet an empty CRM. */
export function bookFor(worldKey: string): CrmBook {
  return { key: worldKey, contacts: worldKey === SAMPLE ? sampleContacts() : [] };
}

export async function openCrm(
  book: CrmBook,
  wantedPort: number,
  dataDir: string,
  say: (line: string) => void,
): Promise<OpenCrm> {
  const sandbox = await startCrmSandbox({
    port: await portFor('the CRM sandbox', wantedPort, say),
    stateDir: join(dataDir, 'sandbox', 'crm', book.key),
    contacts: book.contacts,
    ...APP,
  });
  const { clientId, clientSecret } = APP;
  const variables = {
    CRM_CLIENT_ID: clientId,
    CRM_CLIENT_SECRET: clientSecret,
    CRM_API_URL: sandbox.url,
    CRM_APP_URL: sandbox.url,
  };
  return { sandbox, variables };
}
