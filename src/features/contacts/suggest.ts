import type { Crm, CrmContact, SearchField, SearchFilter } from '../../clients/crm/types.ts';
import { SEARCH_LIMITS } from '../../clients/crm/types.ts';
import { type CrmDeps, requireCrm } from '../crm/service.ts';
import { crmTrouble } from './crmTrouble.ts';
import { romanisedForms } from './nameForms.ts';
import { contactName, type Reading, readName } from './nameParts.ts';
import { compareNames } from './nameRules.ts';
import { folded, type SearchWords, searchWords } from './personName.ts';
import { isLatin, romanise } from './romanise.ts';

const AT_MOST = 5;
const MOST_FORMS = 20;

export type SuggestDeps = CrmDeps & {
  /** Counts one try of this user. Throws TooManyRequests when there were too many. */
  limitSuggest(userId: string): Promise<void>;
};

/**
 * Contacts somebody of this name could be, best first, at most five. First and last name are searched for
 * independently: two searches at most, none for an empty name and for "Unknown". Throws TooManyRequests,
 * Conflict `CRM_NOT_CONNECTED`, ClientError.
 */
export async function suggestContacts(
  deps: SuggestDeps,
  { userId, name }: { userId: string; name: string },
): Promise<CrmContact[]> {
  const words = searchWords(name);
  if (name.trim() === 'Unknown' || words.first === '') return [];
  await deps.limitSuggest(userId);
  try {
    const { crm } = await requireCrm(deps, { userId });
    const found = await Promise.all([
      search(crm, 'firstName', [words.first]),
      search(crm, 'lastName', lastNames(words)),
    ]);
    return best(found.flat(), name, words);
  } catch (err) {
    throw crmTrouble(err);
  }
}

/** Somebody with one name may be in the CRM by it as a last name. */
function lastNames({ first, others }: SearchWords): string[] {
  return others.length > 0 ? others : [first];
}

/** In words of the field as they are written, and in the names that other alphabets make of them. */
async function search(crm: Crm, field: SearchField, words: string[]): Promise<CrmContact[]> {
  // The CRM folds no accents: both ways to write a word are asked for.
  const spellings = new Set(words.flatMap(word => [word.toLowerCase(), folded(word)]));
  const tokens = [...spellings].slice(0, SEARCH_LIMITS.groups - 1).map((token): SearchFilter[] => [{ field, token }]);
  const romanised = [...new Set(words.flatMap(romanisedOf))].filter(word => !spellings.has(word)).slice(0, MOST_FORMS);
  const groups = romanised.length > 0 ? [...tokens, [{ field, any: romanised }]] : tokens;
  return (await crm.searchContacts({ groups })).contacts;
}

function romanisedOf(word: string): string[] {
  const ways = romanise(word.toLowerCase());
  return isLatin(word) ? [] : [...ways, ...ways.flatMap(romanisedForms)];
}

function best(found: CrmContact[], name: string, words: SearchWords): CrmContact[] {
  const readings = readName(name);
  const distinct = [...new Map(found.map(contact => [contact.id, contact])).values()];
  const ranked = distinct.map(contact => ({ contact, fit: fitOf(contact, readings, words) }));
  return ranked
    .sort((a, b) => b.fit - a.fit || a.contact.id.localeCompare(b.contact.id, 'en', { numeric: true }))
    .slice(0, AT_MOST)
    .map(({ contact }) => contact);
}

/** How well the names go together; where that says nothing, how many words they share and how many they don't. */
function fitOf(contact: CrmContact, readings: Reading[], { first, others }: SearchWords): number {
  const theirs = contactName(contact);
  const score = Math.max(0, ...readings.map(reading => compareNames(reading, theirs).score));
  const theirWords = `${contact.firstName} ${contact.lastName}`.split(/[\s-]+/u).filter(Boolean);
  const unlike = new Set(theirWords.map(folded));
  const shared = new Set([first, ...others].map(folded)).intersection(unlike).size;
  return 10 * score + shared - 0.1 * (unlike.size - shared);
}
