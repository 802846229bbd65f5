import type { CrmContact } from '../../../clients/crm/types.ts';
import { isLegalForm } from '../../../lib/names/companyWords.ts';
import { wordsOf as nameWords } from '../../../lib/names/nameWords.ts';
import { isGivenName } from '../../../lib/names/nicknames.ts';
import { plainTokens } from '../../../lib/names/readings.ts';

const SHORTEST = 3;

/**
 * Whether what stands beside a person's name is where the contact works. `unknown`: nothing stands there, no company is
 * known for the contact, or it is a given name, such as what friends call the person.
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

/** As the CRM may store it, in lower case; '' when it isn't a company. */
export function companyValue(extra: string): string {
  return plainTokens(extra).join(' ');
}

function wordsOf(company: string): string[] {
  return nameWords(plainTokens(company))
    .map(word => word.forms[0] ?? word.text)
    .filter(word => !isLegalForm(word));
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
