import type { CrmContact } from '../../../clients/crm/types.ts';
import { phoneKey, readNationalPhone, readPhone } from '../../../lib/phone.ts';
import type { Person } from './schema.ts';

type Verdict = 'same' | 'differs' | 'unknown';
type Called = Pick<Person, 'phone' | 'callingCode'>;

/** A number of a contact, with its key where it has a country code, or where it is dialed in the account's country. */
type Typed = { typed: string; key: string; dialedKey: string };

export type PhoneComparison = {
  phone: Verdict;
  /** On numbers without a country code: only a hint, as the same digits may be a number elsewhere. */
  nationalPhone: Verdict;
  /** The contact's equal number, else one that may be equal, else the first. */
  phoneToShow: string;
};

export function comparePhone({ phone, callingCode }: Called, contact: CrmContact): PhoneComparison {
  const number = readPhone(phone);
  const own = number ? phoneKey(number) : '';
  const both = typedBy(contact, callingCode);
  const [keys, dialedKeys] = [both.map(({ key }) => key), both.map(({ dialedKey }) => dialedKey)];
  const dialed = verdictOn(own, dialedKeys);
  const isAbroad = number?.countryCallingCode !== callingCode;
  const equal = both[keys.indexOf(own)] ?? both[dialedKeys.indexOf(own)];
  return {
    phone: verdictOn(own, keys),
    nationalPhone: dialed === 'differs' && isAbroad ? 'unknown' : dialed,
    phoneToShow: (own !== '' && equal ? equal : both[0])?.typed ?? '',
  };
}

function verdictOn(own: string, keys: readonly string[]): Verdict {
  const theirs = keys.filter(key => key !== '');
  if (own === '' || theirs.length === 0) return 'unknown';
  return theirs.includes(own) ? 'same' : 'differs';
}

const known = new WeakMap<CrmContact, Map<string, Typed[]>>();

/** Parsed once for each contact that is compared, and each country of an account. */
function typedBy(contact: CrmContact, callingCode: string): Typed[] {
  const byCountry = known.get(contact) ?? new Map<string, Typed[]>();
  known.set(contact, byCountry);
  const before = byCountry.get(callingCode);
  if (before) return before;
  const typed = [contact.phone, contact.mobilePhone].filter(phone => phone !== '');
  const read = typed.map(phone => {
    const [number, dialed] = [readPhone(phone, callingCode), readNationalPhone(phone, callingCode)];
    return { typed: phone, key: number ? phoneKey(number) : '', dialedKey: dialed ? phoneKey(dialed) : '' };
  });
  byCountry.set(callingCode, read);
  return read;
}
