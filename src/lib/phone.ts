import { type PhoneNumber, parseIncompletePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

const LEAST_DIGITS = 6;
const MOST_DIGITS = 14;

/** Digits that a country added to its numbers, or no longer wants: numbers with and without them are in use. */
type Added = { digits: RegExp; choices: readonly string[]; at: number };
const ADDED: Record<string, Added> = {
  // Argentina's and Mexico's tokens of mobile numbers, Brazil's ninth digit.
  54: { digits: /^9(?=\d{10}$)/, choices: ['9'], at: 0 },
  52: { digits: /^1(?=\d{10}$)/, choices: ['1'], at: 0 },
  55: { digits: /(?<=^\d\d)9(?=[6-9]\d{7}$)/, choices: ['9'], at: 2 },
  // The operator, before the eight digits of Côte d'Ivoire until 2021 and of Benin until 2024.
  225: {
    digits:
      /^(?:01(?=[04-9][0-3])|05(?=[04-9][4-6])|07(?=[04-9][7-9])|21(?=2[0-3]8)|25(?=[23]\d0)|27(?=[23]\d[1-9]))(?=\d{8}$)/,
    choices: ['01', '05', '07', '21', '25', '27'],
    at: 0,
  },
  229: { digits: /^01(?=\d{8}$)/, choices: ['01'], at: 0 },
};

/** `+49 171 3920012`, from E.164; what isn't a phone number stays as it is. */
export function readablePhone(phone: string): string {
  if (phone === '') return '';
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** A number's calling code, such as `49`; '' when it is no number. */
export function callingCodeOf(e164: string): string {
  return parsePhoneNumberFromString(e164)?.countryCallingCode ?? '';
}

/**
 * Reads a number that was typed with its country code; undefined without one, since it is ambiguous then.
 * @param callingCode of the country it was typed in, '' when unknown: 011 leads abroad from +1 only
 */
export function readPhone(typed: string, callingCode = ''): PhoneNumber | undefined {
  const digits = digitsOf(typed);
  const abroad = callingCode === '1' ? /^(?:\+|00|011)(?=[1-9])/ : /^(?:\+|00)(?=[1-9])/;
  return abroad.test(digits) ? parsePhoneNumberFromString(digits.replace(abroad, '+')) : undefined;
}

/** Reads a number without a country code, as it is dialed in a country. */
export function readNationalPhone(typed: string, callingCode: string): PhoneNumber | undefined {
  if (callingCode === '' || !isNational(typed, callingCode)) return undefined;
  return parsePhoneNumberFromString(digitsOf(typed), { defaultCallingCode: callingCode });
}

/** Whether it has enough digits for a number, and no country code. */
export function isNational(typed: string, callingCode: string): boolean {
  const { length } = digitsOf(typed).replace('+', '');
  return length >= LEAST_DIGITS && length <= MOST_DIGITS && readPhone(typed, callingCode) === undefined;
}

/** What all ways to write one number share. */
export function phoneKey({ countryCallingCode, nationalNumber }: PhoneNumber): string {
  return `+${countryCallingCode}${shortForm(nationalNumber, ADDED[countryCallingCode])}`;
}

/** Area code and number without the country code, in all its forms; none when it is no number. */
export function nationalForms(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164);
  if (!number) return [];
  const added = ADDED[number.countryCallingCode];
  const short = shortForm(number.nationalNumber, added);
  const longer = (added?.choices ?? []).map(digits => short.slice(0, added?.at) + digits + short.slice(added?.at));
  return [...new Set([number.nationalNumber, short, ...longer.filter(form => shortForm(form, added) === short)])];
}

function shortForm(national: string, added: Added | undefined): string {
  return added ? national.replace(added.digits, '') : national;
}

/**
 * The digits of the first number in the text, in any script, with a + in front of it. A letter or a comma ends it:
 * what follows is an extension in some language.
 */
export function digitsOf(typed: string): string {
  const parts = typed.normalize('NFKC').split(/[\p{L},;#]+|(?=\+)/u);
  return parts.map(parseIncompletePhoneNumber).find(({ length }) => length >= LEAST_DIGITS) ?? '';
}
