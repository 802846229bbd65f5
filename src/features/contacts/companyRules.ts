import type { CrmContact } from '../../clients/crm/types.ts';
import { readPlainName } from './nameParts.ts';
import { isGivenName } from './nicknames.ts';

const LEGAL_FORMS = new Set(
  `gmbh ag kg ug ohg mbh co inc incorporated corp corporation llc llp ltd limited plc company sa sas sarl sl srl spa bv
  nv ab as aps oy oyj sp zoo kft doo pty pte group holding ooo oao zao pao tov ip fop the and und et`.split(/\s+/),
);
const SHORTEST = 3;

/**
 * Whether what stood beside a person's name is where the contact works. `unknown`: nothing stood there, nothing is
 * known of the contact, or it is a given name, such as what friends call the person.
 */
export function compareCompany(extras: readonly string[], contact: CrmContact): 'same' | 'differs' | 'unknown' {
  const said = extras.map(wordsOf).filter(words => words.length > 0 && !words.every(isGivenName));
  if (said.length === 0) return 'unknown';
  if (said.some(ours => employersOf(contact).some(theirs => isOneCompany(ours, theirs)))) return 'same';
  return contact.company === '' ? 'unknown' : 'differs';
}

const employers = new WeakMap<CrmContact, string[][]>();

function employersOf(contact: CrmContact): string[][] {
  const known =
    employers.get(contact) ?? [wordsOf(contact.company), domainOf(contact.email)].filter(words => words.length > 0);
  employers.set(contact, known);
  return known;
}

/** As the CRM may hold it, small letters; '' when it is none. */
export function companyValue(extra: string): string {
  return readPlainName(extra).tokens.join(' ');
}

function wordsOf(company: string): string[] {
  return readPlainName(company)
    .words.map(word => word.forms[0] ?? word.text)
    .filter(word => !LEGAL_FORMS.has(word));
}

/** `anna@umbrellatrading.example` works at umbrellatrading. */
function domainOf(email: string): string[] {
  const labels = email.split('@')[1]?.toLowerCase().split('.') ?? [];
  const own = labels.length > 1 ? labels.at(-2) : undefined;
  return own ? [own.replace(/[^a-z]/g, '')] : [];
}

/** Written the same without spaces, or one is the beginning of the other: Umbrella and Umbrella Trading. */
function isOneCompany(a: readonly string[], b: readonly string[]): boolean {
  if (a.join('') === b.join('')) return a.join('').length >= SHORTEST;
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  return shorter.join('').length >= SHORTEST && shorter.every((word, at) => word === longer[at]);
}
