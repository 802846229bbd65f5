import { type Crm, type CrmContact, SEARCH_LIMITS, type SearchField, type SearchFilter } from '../../clients/crm/types.ts';
import { NotFound } from '../../lib/errors.ts';
import { splitCompanyWords } from '../../lib/names/companyWords.ts';
import { compareNames } from '../../lib/names/compareNames.ts';
import { listVariants } from '../../lib/names/givenNames.ts';
import { type Reading, readName } from '../../lib/names/readings.ts';
import { isLatin, romanise, romanKey, toLatinLetters } from '../../lib/names/romanise.ts';
import { type CrmDeps, findCrm, requireCrm } from '../crm/service.ts';
import { getDialog } from '../messenger/dialogs/repo.ts';
import type { Dialog, MatchStatus } from '../messenger/dialogs/schema.ts';
import { callingCodes } from '../messenger/service.ts';
import { explainCrmError } from './createContact.ts';
import {
  compareWithContact,
  contactName,
  listEvidence,
  readContactName,
  readPerson,
} from './matching/compareWithContact.ts';
import { toPerson } from './matching/rules.ts';
import type { Evidence, MatchState } from './matching/schema.ts';
import { type ContactsDeps, type DecisionOutcome, decideMatch, type MatchChange } from './service.ts';

type PickRequest = { userId: string; dialogId: string; contactId: string };

/**
 * Links the conversation to a contact of the person's choice. The decision is theirs, whatever status they give it,
 * and no rule touches it again. With the CRM connected the contact must exist; without, it is stored as given.
 * Throws NotFound, Conflict `CRM_NOT_CONNECTED` when the CRM signs us out at this very moment, and ClientError.
 */
export async function pickContact(
  deps: ContactsDeps,
  { userId, dialogId, contactId, status }: PickRequest & { status: MatchStatus },
): Promise<DecisionOutcome> {
  await getDialog(deps.db, { userId, dialogId });
  const lookup = await lookUpContact(deps, { userId, contactId });
  const contact = lookup?.contact ?? { id: contactId };
  const decision = { userId, dialogId, action: 'pick', portalId: lookup?.portalId } as const;
  const codes = await callingCodes(deps, userId);
  return decideMatch(deps, decision, (state, dialog) => linkPickedContact(state, dialog, { status, contact, codes }));
}

/** Reads a contact, or the survivor of its merger, from the CRM. Undefined without a CRM. Throws NotFound, ClientError. */
async function lookUpContact(
  deps: ContactsDeps,
  { userId, contactId }: { userId: string; contactId: string },
): Promise<{ contact: CrmContact; portalId: string } | undefined> {
  try {
    const crmAccess = await findCrm(deps, { userId });
    if (!crmAccess) return undefined;
    const contact = (await crmAccess.crm.readContacts([contactId])).get(contactId);
    if (!contact) throw new NotFound('contact in the CRM');
    return { contact, portalId: crmAccess.connection.portalId };
  } catch (err) {
    throw explainCrmError(err, new NotFound('contact in the CRM'));
  }
}

type PickedContact = { status: MatchStatus; contact: CrmContact | { id: string }; codes: ReadonlyMap<string, string> };

function linkPickedContact(state: MatchState, dialog: Dialog, { status, contact, codes }: PickedContact): MatchChange {
  const crmContact = 'firstName' in contact ? contact : null;
  const linked = contact.id === state.contactId ? state : undefined;
  const suggestions = state.suggestions.filter(suggestion => suggestion.contact.id !== contact.id);
  const name = crmContact ? contactName(crmContact) : (linked?.contactName ?? null);
  return {
    link: { status, confidence: 1, contactId: contact.id, contactName: name },
    reasons: {
      rule: 'person',
      decidedBy: 'person',
      evidence: crmContact ? listPickEvidence(dialog, crmContact, codes) : (linked?.evidence ?? []),
      contact: crmContact ?? linked?.contact ?? null,
      runnerUp: null,
      suggestions,
      problem: null,
    },
  };
}

/** The evidence for and against the contact that the user chose. */
function listPickEvidence(dialog: Dialog, contact: CrmContact, codes: ReadonlyMap<string, string>): Evidence[] {
  if (dialog.peerType !== 'user') return [];
  const person = toPerson(dialog, codes);
  return listEvidence(person, compareWithContact(readPerson(person), contact));
}

/** Reads a contact from the CRM; undefined if it can't be read now. */
export async function readContact(
  deps: ContactsDeps,
  about: { userId: string; contactId: string },
): Promise<CrmContact | undefined> {
  try {
    return (await lookUpContact(deps, about))?.contact;
  } catch {
    return undefined;
  }
}

const MAX_CHOICES = 5;
const MAX_NAME_FORMS = 20;
/** Weight of a shared word outside the person's name, such as the company's, relative to one of the name. */
const COMPANY_SHARE = 0.5;

export type SuggestDeps = CrmDeps & {
  /** Counts one try of this user. Throws TooManyRequests when there were too many. */
  limitSuggest(userId: string): Promise<void>;
};

/**
 * Contacts a person of this name could be, best first, at most five. First and last name are searched for
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
    const results = await Promise.all([
      searchByField(crm, 'firstName', [words.first, ...words.extraWords]),
      // The CRM may have someone with only one name by it as a last name.
      searchByField(crm, 'lastName', [...(words.others.length > 0 ? words.others : [words.first]), ...words.extraWords]),
    ]);
    return rankContacts(results.flat(), name, words);
  } catch (err) {
    throw explainCrmError(err);
  }
}

/** Searches a field for the words as written, and for Latin forms of words in other alphabets. */
async function searchByField(crm: Crm, field: SearchField, words: string[]): Promise<CrmContact[]> {
  // The CRM doesn't fold accents: both spellings of a word are searched for. Those beyond the limit on words are
  // searched for as whole values.
  const spellings = [...new Set(words.flatMap(word => [word, foldWord(word)]))];
  const asWords = spellings.slice(0, SEARCH_LIMITS.groups - 1);
  const others = [...spellings.slice(asWords.length), ...words.flatMap(romanizeWord)];
  const asWhole = [...new Set(others)].filter(word => !asWords.includes(word)).slice(0, MAX_NAME_FORMS);
  const tokens = asWords.map((token): SearchFilter[] => [{ field, token }]);
  const groups = asWhole.length > 0 ? [...tokens, [{ field, any: asWhole }]] : tokens;
  return (await crm.searchContacts({ groups })).contacts;
}

function romanizeWord(word: string): string[] {
  const ways = romanise(word);
  return isLatin(word) ? [] : [...ways, ...ways.flatMap(way => listVariants(romanKey(way))), toLatinLetters(word)];
}

function rankContacts(contacts: CrmContact[], name: string, words: SearchWords): CrmContact[] {
  const all = [words.first, ...words.others, ...words.extraWords].join(' ');
  const readings = [...readName(name), ...readName(all)];
  const distinct = [...new Map(contacts.map(contact => [contact.id, contact])).values()];
  const ranked = distinct.map(contact => ({ contact, fit: scoreFit(contact, readings, words) }));
  ranked.sort((a, b) => b.fit - a.fit || a.contact.id.localeCompare(b.contact.id, 'en', { numeric: true }));
  return ranked.slice(0, MAX_CHOICES).map(({ contact }) => contact);
}

/** Scores a contact by the similarity of the names, then by how many words both have and only the contact has. */
function scoreFit(contact: CrmContact, readings: Reading[], { first, others, extraWords }: SearchWords): number {
  const theirs = readContactName(contact);
  const score = Math.max(0, ...readings.map(reading => compareNames(reading, theirs).score));
  const theirWords = `${contact.firstName} ${contact.lastName}`.split(/[\s-]+/u).filter(Boolean);
  const contactWords = new Set(theirWords.map(foldWord));
  const shared = new Set([first, ...others].map(foldWord)).intersection(contactWords).size;
  const sharedCompany = new Set(extraWords.map(foldWord)).intersection(contactWords).size;
  return 10 * score + shared + COMPANY_SHARE * sharedCompany - 0.1 * (contactWords.size - shared - sharedCompany);
}

type SearchWords = {
  /** From the person's part of the name; '' if unusable for a search. */
  first: string;
  others: string[];
  /** From the rest of the name: a company, or another name after `|`. */
  extraWords: string[];
};

/** Lower-case words of a name as people write it in a messenger, split at `|`, `/` and every hyphen. */
export function searchWords(name: string): SearchWords {
  const [reading] = readName(name);
  const [first = '', ...others] = (reading?.tokens ?? []).flatMap(splitAtHyphens);
  const beside = (reading?.extras ?? []).flatMap(splitCompanyWords);
  return { first, others, extraWords: [...new Set(beside)].filter(word => word !== first && !others.includes(word)) };
}

/** Returns the word in lower case without accents, for comparison and searches. */
export const foldWord = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();

const splitAtHyphens = (token: string): string[] => token.split('-').filter(word => /\p{L}/u.test(word));
