import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';

/** The country of a number without a country code. */
const COUNTRY: CountryCode = 'DE';

/** Area code and local number, no country code: how the vendor makes phones searchable. */
export function searchablePhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone, COUNTRY);
  return parsed?.nationalNumber ?? phone.replace(/\D/g, '');
}
