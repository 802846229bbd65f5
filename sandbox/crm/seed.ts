import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartError } from '../../src/lib/errors.ts';
import { withValues } from './contacts.ts';
import type { Property } from './records.ts';
import type { CrmState, Portal } from './state.ts';

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform(given => given ?? '');

/** One contact of a file. Anything but the id may be missing or null. */
const seedContactSchema = z.object({
  id: z.union([z.string().regex(/^[1-9]\d{0,14}$/, 'must be digits'), z.int().positive().transform(String)]),
  firstname: text,
  lastname: text,
  email: text,
  company: text,
  phone: text,
  mobilephone: text,
  messenger_username: text,
});
export type SeedContact = z.input<typeof seedContactSchema>;

const SAMPLE = new URL('./samples/contacts.json', import.meta.url);

/** Properties the customer created before Forenoon was connected. */
const USERNAME_PROPERTY: Property = {
  name: 'messenger_username',
  label: 'Telegram username',
  type: 'string',
  fieldType: 'text',
  groupName: 'contactinformation',
  description: '',
  options: [],
  hasUniqueValue: false,
  isReadOnly: false,
};

/** Contacts that fit the sample conversations. */
export function sampleContacts(): SeedContact[] {
  return readContactsFile(SAMPLE);
}

/** A list of contacts as JSON. Throws {@link StartError} that says where it is malformed, without quoting it. */
export function readContactsFile(file: string | URL): SeedContact[] {
  const name = typeof file === 'string' ? file : 'the sample contacts';
  const contacts = z.array(seedContactSchema).safeParse(parseFile(file, name));
  if (!contacts.success) {
    const [issue] = contacts.error.issues;
    const place = issue?.path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') ?? '';
    throw new StartError(`${name} is not a list of CRM contacts: ${place || 'the whole'} ${issue?.message ?? ''}`.trim());
  }
  requireDifferent(contacts.data, name);
  return contacts.data;
}

function parseFile(file: string | URL, name: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new StartError(`${name} can’t be read.`);
  }
  try {
    return JSON.parse(content);
  } catch {
    throw new StartError(`${name} is not JSON.`);
  }
}

function requireDifferent(contacts: z.output<typeof seedContactSchema>[], name: string): void {
  const seen = new Set<string>();
  for (const [index, { id, email }] of contacts.entries()) {
    for (const key of [`id ${id}`, ...(email ? [email.toLowerCase()] : [])]) {
      if (seen.has(key)) throw new StartError(`${name}: [${index}] has the id or the email address of an earlier contact.`);
      seen.add(key);
    }
  }
}

/** Adds the contacts to the account under their own ids. Searches see them at once. */
export function seedContacts(state: CrmState, portal: Portal, contacts: readonly SeedContact[]): void {
  const seeds = contacts.map(contact => seedContactSchema.parse(contact));
  const isCustom = seeds.some(({ messenger_username: username }) => username !== '');
  if (isCustom && !portal.properties.contacts.has(USERNAME_PROPERTY.name)) {
    state.saveProperty(portal, 'contacts', USERNAME_PROPERTY);
  }
  const now = state.now();
  const about = { portalId: portal.id, type: 'contacts', createdAt: now, updatedAt: now } as const;
  const nothing = { archivedAt: null, mergedInto: null, contactIds: [], properties: {} };
  const records = seeds.map(({ id, email, ...values }) =>
    withValues({ ...about, ...nothing, id }, { ...values, email: email.toLowerCase() }, now),
  );
  state.save(records, { visibleAt: 0 });
}
