import type { CrmContact } from '../../../clients/crm/types.ts';
import { mayBeEmployer } from '../../../lib/names/companyWords.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { type FiledName, readFiledName } from '../../../lib/names/readings.ts';

/** Characters a form accepts for one name. */
const LONGEST_FIELD = 100;

/** What a contact is called in lists. Never empty: a record may have an email address only, or not even that. */
export function contactName(contact: Pick<CrmContact, 'firstName' | 'lastName' | 'email' | 'company'>): string {
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return name || contact.email || contact.company || 'Contact without a name';
}

const known = new WeakMap<CrmContact, FiledName>();

/** A contact's name, parsed once for each contact that is compared. */
export function filedNameOf(contact: CrmContact): FiledName {
  const name = known.get(contact) ?? readFiledName(contact.firstName, contact.lastName);
  known.set(contact, name);
  return name;
}

type NameFields = { firstname: string; lastname: string; company: string };

/** What a messenger name says for the fields of a new contact. A company's alone goes into `firstname` as well. */
export function namesForContact(messengerName: string): NameFields {
  const { given, family, suffix, display, company } = readPersonName(messengerName);
  const lastname = [family, suffix].filter(Boolean).join(' ').slice(0, LONGEST_FIELD);
  const firstname = given || (lastname === '' ? display : '');
  return { firstname, lastname, company: mayBeEmployer(company) ? company : '' };
}
