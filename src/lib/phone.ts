import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+49 171 3920012`, of E.164; what is no phone number stays as it is. */
export function readablePhone(phone: string): string {
  if (phone === '') return '';
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}
