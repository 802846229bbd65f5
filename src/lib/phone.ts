import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+49 171 3920012`, from E.164; what isn't a phone number stays as it is. */
export function readablePhone(phone: string): string {
  if (phone === '') return '';
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}
