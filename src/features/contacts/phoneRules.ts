import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CrmContact } from '../../clients/crm/types.ts';

/**
 * A phone number as somebody typed it, in E.164; '' when it has no country code and so may be anybody's.
 * 00 and 011 in front count as +.
 */
export function toE164(typed: string): string {
  const digits = typed
    .normalize('NFKC')
    .replace(/^\s*tel:/i, '')
    .replace(/\(0\)/g, '')
    .replace(/(?:ext|x|#|;)[\s.:=]*\d+\s*$/i, '')
    .replace(/[^\d+]/g, '');
  const international = digits.replace(/^(?:00|011)(?=[1-9])/, '+');
  if (!international.startsWith('+')) return '';
  return parsePhoneNumberFromString(`+${international.replaceAll('+', '')}`)?.number ?? '';
}

/** Area code and number without the country code, as the CRM makes phones searchable; '' when it is no number. */
export function nationalNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.nationalNumber ?? '';
}

export type PhoneComparison = 'same' | 'differs' | 'unknown';

/** @param e164 the person's, or '' */
export function comparePhone(e164: string, contact: CrmContact): PhoneComparison {
  const theirs = phonesOf(contact);
  if (e164 === '' || theirs.length === 0) return 'unknown';
  return theirs.includes(e164) ? 'same' : 'differs';
}

const known = new WeakMap<CrmContact, string[]>();

/** Both numbers in E.164, those without a country code left out. */
export function phonesOf(contact: CrmContact): string[] {
  const phones = known.get(contact) ?? [contact.phone, contact.mobilePhone].map(toE164).filter(phone => phone !== '');
  known.set(contact, phones);
  return phones;
}

/** The number to show beside the person's: the equal one, else the first there is, as it was typed. */
export function phoneToShow(e164: string, { phone, mobilePhone }: CrmContact): string {
  const equal = [phone, mobilePhone].find(typed => e164 !== '' && toE164(typed) === e164);
  return equal ?? (phone || mobilePhone);
}
