import anyAscii from 'any-ascii';
import { type PhoneNumber, parseIncompletePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

const MAY_BE_NUMBER = /\d{6}/;
const WHOLE = String.raw`\d(?:[\s().-]{0,3}\d){6}`;
/**
 * What separates numbers in a text. A letter does, as it begins the word for an extension in some language. After the digits
 * of a whole number, a bracket does, too, and a slash in front of another number.
 */
const SEPARATORS = new RegExp(
  `[\\p{L},;&#|\\n]+|(?=\\+)|(?<=${WHOLE}\\s?)(?:\\(|/(?=\\s?(?:\\(?0|${WHOLE}[\\s.-]?\\d\\d)))`,
  'u',
);
/** Prefixes that people in Poland, Ukraine, Argentina and Mexico still write, though the library no longer knows them. */
const TRUNKS = ['0', '80', '9', '01', '044', '045'];
/** Vietnam's mobile codes until 2018, each with the two digits that replaced it. */
const NEW_MOBILE_CODES = new Map(
  `12070 12179 12277 12676 12878 12383 12484 12585 12781 12982 16232 16333 16434 16535 16636 16737 16838 16939 18656 18858
  19959`
    .split(/\s+/)
    .map(pair => [pair.slice(0, 3), pair.slice(3)] as const),
);

/** Digits that a country added to its numbers, or no longer wants: numbers with and without them are in use. */
type OptionalDigits = { digits: RegExp; choices: readonly string[]; at: number };
const OPTIONAL_DIGITS: Record<string, OptionalDigits> = {
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
export function formatPhone(phone: string): string {
  if (phone === '') return '';
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** A number's calling code, such as `49`; '' when it is no number. */
export const findCallingCode = (e164: string): string => parsePhoneNumberFromString(e164)?.countryCallingCode ?? '';

/** A number in a text, with the following text as its extension; `isDialed`: without a country code. */
type TypedPhone = { number: PhoneNumber; isDialed: boolean };

/**
 * Reads all numbers in a text. Without a country code, a number is of the same country as the one in front of it, or else
 * read as it is dialed where the calling code is.
 * @param callingCode of the country it was typed in, '' when unknown: 011 leads abroad from +1 only
 */
export function readPhones(typed: string, callingCode = ''): TypedPhone[] {
  const abroad = callingCode === '1' ? /^(?:\+|00|011)(?=[1-9])/ : /^(?:\+|00)(?=[1-9])/;
  const parts = digitsIn(typed);
  let before: PhoneNumber | undefined;
  return parts.flatMap((digits, at) => {
    if (!MAY_BE_NUMBER.test(digits)) return [];
    const isDialed = !abroad.test(digits) && before === undefined;
    const number = parseNumber(digits.replace(abroad, '+'), before?.countryCallingCode ?? callingCode);
    if (!number) return [];
    if (!isDialed) before = number;
    const [behind = ''] = parts.slice(at + 1);
    if (/^\d{1,5}$/.test(behind)) number.setExt(behind);
    return [{ number, isDialed }];
  });
}

/** The first number that was typed with its country code; undefined without one, since it is ambiguous then. */
export function readPhone(typed: string, callingCode = ''): PhoneNumber | undefined {
  return readPhones(typed, callingCode).find(({ isDialed }) => !isDialed)?.number;
}

/** Parses a number. An invalid one may be valid without its trunk prefix, or with an Italian number's leading zero. */
function parseNumber(digits: string, defaultCallingCode: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(digits, { defaultCallingCode });
  if (!number || number.isValid()) return number;
  const { countryCallingCode: code, nationalNumber: national } = number;
  const shorter = TRUNKS.filter(trunk => national.startsWith(trunk)).map(trunk => national.slice(trunk.length));
  const others = [...shorter, `0${national}`].map(other => parsePhoneNumberFromString(`+${code}${other}`));
  return others.find(other => other?.isValid()) ?? number;
}

/** A key that is the same for all ways to write one number. */
export function phoneKey({ countryCallingCode, nationalNumber }: PhoneNumber): string {
  return `+${countryCallingCode}${dropOptionalDigits(nationalNumber, countryCallingCode)}`;
}

/** Area code and number without the country code, in all its forms; none when it is no number. */
export function listNationalForms(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164);
  if (!number) return [];
  const { countryCallingCode: code, nationalNumber: national } = number;
  const short = dropOptionalDigits(national, code);
  const { choices = [], at = 0 } = OPTIONAL_DIGITS[code] ?? {};
  const longer = choices.map(digits => short.slice(0, at) + digits + short.slice(at));
  const older = code === '84' ? [...NEW_MOBILE_CODES].map(([before, newCode]) => short.replace(newCode, before)) : [];
  return [...new Set([national, short, ...[...longer, ...older].filter(form => dropOptionalDigits(form, code) === short)])];
}

function dropOptionalDigits(national: string, code: string): string {
  if (code === '84') return national.replace(/^1\d\d(?=\d{7}$)/, before => NEW_MOBILE_CODES.get(before) ?? before);
  return national.replace(OPTIONAL_DIGITS[code]?.digits ?? '', '');
}

/** The digits of each part of a text, in any script, with a + in front of those that have one. */
function digitsIn(typed: string): string[] {
  const text = typed.normalize('NFKC').replace(/\p{Nd}/gu, anyAscii);
  return text
    .split(SEPARATORS)
    .map(parseIncompletePhoneNumber)
    .filter(digits => /\d/.test(digits));
}

export const findNumbers = (typed: string): string[] => digitsIn(typed).filter(digits => MAY_BE_NUMBER.test(digits));
