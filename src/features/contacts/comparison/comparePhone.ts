import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CrmContact } from '../../../clients/crm/types.ts';

/**
 * Converts a typed phone number to E.164; '' without a country code, since it is ambiguous then. A leading 00 or 011
 * counts as +.
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

/** Digits of a whole national number; fewer are an extension. */
const LEAST_DIGITS = 6;
const MOST_DIGITS = 14;

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

/** A number's calling code, such as `49`; '' when it is no number. */
export function callingCodeOf(e164: string): string {
  return parsePhoneNumberFromString(e164)?.countryCallingCode ?? '';
}

/**
 * Compares with the contact's numbers that have no country code, as they are dialed in one country: only a hint, as the
 * same digits may be a number in another country. `unknown` when the contact has no such number, or none that can be
 * dialed there.
 * @param callingCode the country's, such as `49`; '' when unknown
 */
export function compareNationalPhone(e164: string, contact: CrmContact, callingCode: string): PhoneComparison {
  const typed = [contact.phone, contact.mobilePhone].filter(isNational);
  const theirs = typed.flatMap(number => dialedIn(number, callingCode) || []);
  if (e164 === '' || theirs.length === 0) return 'unknown';
  return theirs.includes(e164) ? 'same' : 'differs';
}

/** Whether it has enough digits for a number, and no country code. */
export function isNational(typed: string): boolean {
  const digits = typed.normalize('NFKC').replace(/\D/g, '');
  return toE164(typed) === '' && digits.length >= LEAST_DIGITS && digits.length <= MOST_DIGITS;
}

/** The digits of national numbers without leading zeros: people and contacts find each other by them. */
export function nationalDigitsOf({ phone, mobilePhone }: CrmContact): string[] {
  return [phone, mobilePhone].filter(isNational).map(typed =>
    typed
      .normalize('NFKC')
      .replace(/\D/g, '')
      .replace(/^0{1,3}/, ''),
  );
}

function dialedIn(typed: string, callingCode: string): string {
  if (callingCode === '') return '';
  return parsePhoneNumberFromString(typed, { defaultCallingCode: callingCode })?.number ?? '';
}

/** The number to show beside the person's, as typed: the equal one, else one that may be equal, else the first. */
export function phoneToShow(e164: string, { phone, mobilePhone }: CrmContact, callingCode: string): string {
  const both = [phone, mobilePhone];
  const equal = both.find(typed => e164 !== '' && toE164(typed) === e164);
  const dialed = both.find(typed => e164 !== '' && isNational(typed) && dialedIn(typed, callingCode) === e164);
  return equal ?? dialed ?? (phone || mobilePhone);
}
