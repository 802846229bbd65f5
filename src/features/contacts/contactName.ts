import type { CrmContact } from '../../clients/crm/types.ts';

/** How a contact is called in lists. Never empty: a record may have an e-mail address only, or not even that. */
export function nameOf(contact: Pick<CrmContact, 'firstName' | 'lastName' | 'email' | 'company'>): string {
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return name || contact.email || contact.company || 'Contact without a name';
}
