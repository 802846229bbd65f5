import { MASK } from './mask.ts';

const DIGITS = /(?<![\p{Nd}+])(?:\p{Nd}[ -]?){13,}/gu;
const CARD = /^\p{Nd}{13,19}$/u;
/** The usual form of a card number, and the only one that is searched for among other numbers. */
const CARD_IN_FOURS = /^[2-6]\p{Nd}{3}(?:[ -]\p{Nd}{4}){3}$/u;
/** The length of Norway's. */
const MIN_IBAN_LENGTH = 15;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\p{Nd}{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu;

/** Masks the numbers of payment cards and bank accounts. */
export function maskAccounts(text: string): string {
  if (!/\p{Nd}/u.test(text)) return text;
  return text.replaceAll(IBAN, maskIban).replaceAll(DIGITS, (run, at: number, whole: string) =>
    // Digits of a longer word are part of that word.
    /\p{L}/u.test(whole.slice(Math.max(at - 1, 0), at) + (/\p{Nd}$/u.test(run) ? whole.charAt(at + run.length) : ''))
      ? run
      : maskCards(run),
  );
}

const maskIban = (found: string): string => (found.replaceAll(/[ -]/g, '').length < MIN_IBAN_LENGTH ? found : MASK);

/** Several numbers in a row may be one card number in groups, or contain one. */
function maskCards(found: string): string {
  const end = /[ -]$/.exec(found)?.[0] ?? '';
  const run = found.slice(0, found.length - end.length);
  if (isCardNumber(run)) return MASK + end;
  const groups = run.split(/([ -])/);
  for (let index = 0; index < groups.length; index += 2) {
    const four = groups.slice(index, index + 7);
    if (isCardNumber(groups[index] ?? '')) groups[index] = MASK;
    else if (CARD_IN_FOURS.test(four.join('')) && isCardNumber(four.join(''))) groups.splice(index, 7, MASK);
  }
  return groups.join('') + end;
}

/** Luhn's check, which every payment card number passes. Digits of any script. */
function isCardNumber(text: string): boolean {
  // 19 digits with a space between any two.
  if ([...text].length > 37) return false;
  const bare = text.replaceAll(/[ -]/g, '');
  if (!CARD.test(bare)) return false;
  // Mathematical digits of one style follow those of another, so plain ones are read.
  const digits = [...bare.normalize('NFKC')].map(digitValue);
  const sum = digits.reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}

/** Decimal digits are in runs of ten, zero first. */
function digitValue(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return /\d/.test(character) ? Number(character) : code - zero;
}
