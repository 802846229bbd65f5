import type { Crm, CrmContact } from '../../../clients/crm/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import { soundOf } from '../../../lib/nameKeys.ts';
import { readName, type Word } from '../../../lib/names/readings.ts';
import { numbersIn } from '../../../lib/phone.ts';
import { plainUsername, readContactName } from './compare.ts';
import { LAST_DIGITS, looseSearches } from './looseSearches.ts';
import { matchPerson } from './matchPerson.ts';
import * as plan from './planSearches.ts';
import { AUTO_WRITE_CONFIDENCE } from './rules.ts';
import type { MatchVerdict, Person } from './schema.ts';

/** Search budget for matching all of a user's conversations, including second halves of full pages. */
export const MAX_SEARCHES = 25;
/** Searches held back for pages that turn out to be full. */
const FOR_FULL_PAGES = 3;
/** Searches for unusual spellings in one lookup: each finds about one person more, and takes a quarter of a second. */
const MAX_LOOSE_SEARCHES = 5;

export type PersonToMatch = { person: Person; rejected: ReadonlySet<string> };

/**
 * Looks people up in the CRM in few searches: first by id, username and phone, then by name for those still open, and,
 * with the searches that are left, by unusual spellings of either. Returns verdicts for those for whom every needed
 * search was made; the others, at the end of the list, come next time. Throws ClientError.
 * @param known contacts that were read already
 */
export async function findCandidates(
  crm: Pick<Crm, 'searchContacts'>,
  sought: readonly PersonToMatch[],
  { known = [], signal }: { known?: readonly CrmContact[]; signal?: AbortSignal | undefined } = {},
): Promise<Map<string, MatchVerdict>> {
  const pool = createCandidatePool();
  pool.add(known);
  const lookup = createLookup(crm, pool, signal);
  const verdictOf = ({ person, rejected }: PersonToMatch) => matchPerson(person, pool.of(person), rejected);

  const byKeys = await lookup.run(sought, plan.keyTerms, 0);
  const unsure = byKeys.filter(wanted => !isSure(verdictOf(wanted)));
  const byNames = new Set(await lookup.run(unsure, plan.nameTerms, FOR_FULL_PAGES));
  await lookup.run(unsure, plan.rareKeyTerms, 0);
  const open = unsure.filter(wanted => verdictOf(wanted).contact === null);
  const byFallback = new Set(await lookup.run(open, plan.fallbackTerms, 0));
  const unresolved = open.filter(wanted => verdictOf(wanted).contact === null);
  await lookup.spendRest(looseSearches(unresolved.map(({ person }) => person)));

  // A person found by an unusual form may have a namesake on a page that was not seen.
  const partlySearched = new Set(open.filter(wanted => !byFallback.has(wanted)));
  const isSettled = (wanted: PersonToMatch, verdict: MatchVerdict) =>
    isSure(verdict) || (byNames.has(wanted) && (verdict.contact === null || !partlySearched.has(wanted)));
  const verdicts = byKeys.map(wanted => ({ wanted, verdict: verdictOf(wanted) }));
  const settled = verdicts.filter(({ wanted, verdict }) => isSettled(wanted, verdict));
  return new Map(settled.map(({ wanted, verdict }) => [wanted.person.dialogId, verdict]));
}

/** Sure enough that no name can change it. */
export function isSure({ rule, confidence }: MatchVerdict): boolean {
  return rule !== null && rule !== 'name' && confidence >= AUTO_WRITE_CONFIDENCE;
}

type ToTerms = (people: readonly Person[]) => plan.SearchTerm[];
type Lookup = {
  /** Returns those for whom everything was looked for, and every page of it seen. */
  run(sought: readonly PersonToMatch[], toTerms: ToTerms, keepFree: number): Promise<PersonToMatch[]>;
  /** A few of these searches, if some are left. HubSpot documents "*" at the ends of a word only; refused, they find none. */
  spendRest(searches: readonly plan.PlannedSearch[]): Promise<void>;
};

function createLookup(
  crm: Pick<Crm, 'searchContacts'>,
  pool: Pick<CandidatePool, 'add'>,
  signal: AbortSignal | undefined,
): Lookup {
  let left = MAX_SEARCHES;

  /** Returns the conversations whose results were more than could be seen. */
  async function search(searches: readonly plan.PlannedSearch[]): Promise<Set<string>> {
    const unseen = new Set<string>();
    const waiting = [...searches];
    for (let planned = waiting.shift(); planned; planned = waiting.shift()) {
      signal?.throwIfAborted();
      left -= 1;
      const { contacts, more } = await crm.searchContacts(planned.search);
      pool.add(contacts);
      if (!more) continue;
      const halves = plan.halve(planned);
      // More namesakes would not help to tell them apart.
      if (!halves) continue;
      if (waiting.length + halves.length <= left) waiting.push(...halves);
      else for (const { dialogId } of planned.terms) unseen.add(dialogId);
    }
    return unseen;
  }

  return {
    async run(sought, toTerms, keepFree) {
      const { chosen, searches } = withinBudget(sought, toTerms, Math.max(0, left - keepFree));
      const unseen = await search(searches);
      return chosen.filter(({ person }) => !unseen.has(person.dialogId));
    },
    async spendRest(searches) {
      await search(searches.slice(0, Math.min(left, MAX_LOOSE_SEARCHES))).catch(cause => {
        if (!(cause instanceof ClientError && cause.kind === 'permanent')) throw cause;
      });
    },
  };
}

/** The longest head of the list that `most` searches can cover. */
function withinBudget(sought: readonly PersonToMatch[], toTerms: ToTerms, most: number) {
  let chosen = [...sought];
  for (;;) {
    const searches = plan.planSearches(toTerms(chosen.map(({ person }) => person)));
    if (searches.length <= most) return { chosen, searches };
    chosen = chosen.slice(0, Math.floor((chosen.length * most) / searches.length));
  }
}

/** Contacts that searches found, and which of them are worth comparing with a person. */
type CandidatePool = ReturnType<typeof createCandidatePool>;

type NameWords = { words: readonly Word[] };

function createCandidatePool() {
  const byId = new Map<string, CrmContact>();
  const byTrait = new Map<string, CrmContact[]>();
  return {
    add(contacts: readonly CrmContact[]): void {
      for (const contact of contacts.filter(({ id }) => !byId.has(id))) {
        byId.set(contact.id, contact);
        for (const trait of traitsOfContact(contact)) {
          byTrait.set(trait, byTrait.get(trait) ?? []);
          byTrait.get(trait)?.push(contact);
        }
      }
    },
    /** Contacts that share a word of the name, or a way to reach the person. */
    of(person: Person): CrmContact[] {
      const { messengerUserId, username, phone, name } = person;
      const traits = collectTraits([messengerUserId, username], [phone], readName(name, username));
      return [...new Set([...traits].flatMap(trait => byTrait.get(trait) ?? []))];
    },
  };
}

function traitsOfContact(contact: CrmContact): Set<string> {
  const { messengerUserId, messengerUsername, phone, mobilePhone } = contact;
  return collectTraits([messengerUserId, messengerUsername], [phone, mobilePhone], [readContactName(contact)]);
}

function collectTraits([id = '', username = '']: string[], phones: string[], names: NameWords[]): Set<string> {
  const parts = names.map(({ words }) => words.map(({ forms }) => forms[0]));
  const wholes = parts.flatMap(part => [part.join(''), part.toReversed().join('')]);
  const words = names.flatMap(name =>
    name.words.flatMap(({ forms, keys, text }) => [...forms, ...keys, soundOf(text).consonants]),
  );
  const ends = phones.flatMap(numbersIn).map(digits => digits.slice(-LAST_DIGITS));
  const handles = [id && `id ${id}`, plainUsername(username) && `@${plainUsername(username)}`];
  return new Set([...handles, ...ends, ...wholes, ...words].filter(trait => trait !== ''));
}
