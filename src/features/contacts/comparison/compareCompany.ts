import type { CrmContact } from '../../../clients/crm/types.ts';
import { companyWords, compareCompanies, mayBeEmployer } from '../../../lib/names/companyWords.ts';
import { isGivenName } from '../../../lib/names/givenNames.ts';
import { romanise } from '../../../lib/names/romanise.ts';

/**
 * Whether what stands beside a person's name is where the contact works. `unknown`: nothing stands there, no company is
 * known for the contact, one can't be read, or it is no company, such as what friends call the person.
 */
export function compareCompany(extras: readonly string[], contact: CrmContact): 'same' | 'differs' | 'unknown' {
  const said = extras.filter(mayBeEmployer).map(companyWords);
  const employers = said.filter(words => !words.every(word => romanise(word).some(isGivenName)));
  const verdicts = employers.map(words => compareCompanies(words, companyWords(contact.company)));
  const domain = domainOf(contact.email);
  if (verdicts.includes('same') || employers.some(words => compareCompanies(words, domain) === 'same')) return 'same';
  return verdicts.includes('differs') ? 'differs' : 'unknown';
}

/** `anna@umbrellatrading.example` works at umbrellatrading. */
function domainOf(email: string): string[] {
  const own = email.split('@')[1]?.toLowerCase().split('.').at(-2);
  return own ? [own.replace(/[^a-z\d]/g, '')] : [];
}
