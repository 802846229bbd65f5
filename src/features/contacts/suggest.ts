import type { Crm, CrmContact, SearchField, SearchFilter } from '../../clients/crm/types.ts';
import { SEARCH_LIMITS } from '../../clients/crm/types.ts';
import { type CrmDeps, requireCrm } from '../crm/service.ts';
import { crmTrouble } from './crmTrouble.ts';
import { folded, type SearchWords, searchWords } from './personName.ts';

const AT_MOST = 5;

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
    return best(found.flat(), words);
  } catch (err) {
    throw crmTrouble(err);
  }
}

/** Somebody with one name may be in the CRM by it as a last name. */
function lastNames({ first, others }: SearchWords): string[] {
  return others.length > 0 ? others : [first];
}

async function search(crm: Crm, field: SearchField, words: string[]): Promise<CrmContact[]> {
  // The CRM folds no accents: both ways to write a word are asked for.
  const spellings = new Set(words.flatMap(word => [word.toLowerCase(), folded(word)]));
  const groups = [...spellings].slice(0, SEARCH_LIMITS.groups).map((token): SearchFilter[] => [{ field, token }]);
  return (await crm.searchContacts({ groups })).contacts;
}

function best(found: CrmContact[], words: SearchWords): CrmContact[] {
  const distinct = [...new Map(found.map(contact => [contact.id, contact])).values()];
  const ranked = distinct.map(contact => ({ contact, fit: fitOf(contact, words) }));
  return ranked
    .sort((a, b) => b.fit - a.fit || a.contact.id.localeCompare(b.contact.id, 'en', { numeric: true }))
    .slice(0, AT_MOST)
    .map(({ contact }) => contact);
}

/** How many of the words stand in the contact's names, less the words it has beside them. */
function fitOf({ firstName, lastName }: CrmContact, { first, others }: SearchWords): number {
  const theirs = new Set(
    `${firstName} ${lastName}`
      .split(/[\s-]+/u)
      .filter(Boolean)
      .map(folded),
  );
  const ours = new Set([first, ...others].map(folded));
  const shared = ours.intersection(theirs).size;
  return shared - 0.1 * (theirs.size - shared);
}
