import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readContactsFile, type SeedContact, sampleContacts } from './crm/seed.ts';
import { type CrmSandbox, startCrmSandbox } from './crm/server.ts';
import { portFor } from './ports.ts';

/** The CRM for a machine without keys. */
export type OpenCrm = {
  sandbox: CrmSandbox;
  /** The environment that leads the CRM client to it. */
  variables: Record<string, string>;
};

/**
 * The contacts of a new CRM, and the name of its state's folder: each file has its own, and each messenger account
 * without a file.
 */
export type CrmBook = { key: string; contacts: SeedContact[] };

const APP = { clientId: 'forenoon-sandbox', clientSecret: 'forenoon-sandbox-secret' };
const SAMPLE = 'sample';

/** Throws StartError when the file can't be used. */
export function readCrmBook(contactsFile: string): CrmBook {
  const contacts = readContactsFile(contactsFile);
  const hash = createHash('sha256').update(JSON.stringify(contacts)).digest('hex').slice(0, 12);
  return { key: `contacts-${hash}`, contacts };
}

/** Returns contacts for the sample conversations; exported conversations start with an empty CRM. */
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
