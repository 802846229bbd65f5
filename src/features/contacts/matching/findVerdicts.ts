import type { Crm, CrmContact } from '../../../clients/crm/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import { soundOf } from '../../../lib/nameKeys.ts';
import { readName, type Word } from '../../../lib/names/readings.ts';
import { listTypedNumbers } from '../../../lib/phone.ts';
import { plainUsername, readContactName } from './compareWithContact.ts';
import { LAST_DIGITS, planLooseSearches } from './looseSearches.ts';
import { matchPerson } from './matchPerson.ts';
import * as plan from './planSearches.ts';
import { AUTO_WRITE_CONFIDENCE } from './rules.ts';
import type { MatchVerdict, Person } from './schema.ts';

/** Search budget for matching all of a user's conversations, including second halves of full pages. */
export const MAX_SEARCHES = 25;
/** Searches held back for pages that turn out to be full. */
const RESERVED_SEARCHES = 3;
/** Searches for unusual spellings in one lookup: each finds about one person more, and takes a quarter of a second. */
const MAX_LOOSE_SEARCHES = 5;

export type PersonToMatch = { person: Person; rejected: ReadonlySet<string> };

/**
 * Looks people up in the CRM in few searches: first by id, username and phone, then by name for those still open, and, with
 * the searches that are left, by unusual spellings. Returns verdicts, by conversation, of those for whom every needed search
 * was made; the others, at the end of the list, come next time. `knownContacts` were read already. Throws ClientError.
 */
export async function findVerdicts(
  crm: Pick<Crm, 'searchContacts'>,
  sought: readonly PersonToMatch[],
  { knownContacts: known = [], signal }: { knownContacts?: readonly CrmContact[]; signal?: AbortSignal | undefined } = {},
): Promise<Map<string, MatchVerdict>> {
  const pool = createCandidatePool();
  pool.add(known);
  const lookup = createLookup(crm, pool, signal);
  const judgePerson = ({ person, rejected }: PersonToMatch) => matchPerson(person, pool.findFor(person), rejected);

  const byKeys = await lookup.run(sought, plan.idTerms, 0);
  const inDoubt = byKeys.filter(wanted => !isSureMatch(judgePerson(wanted)));
  const byNames = new Set(await lookup.run(inDoubt, plan.nameTerms, RESERVED_SEARCHES));
  await lookup.run(inDoubt, plan.rareIdTerms, 0);
  const open = inDoubt.filter(wanted => judgePerson(wanted).contact === null);
  const byFallback = new Set(await lookup.run(open, plan.fallbackTerms, 0));
  const unresolved = open.filter(wanted => judgePerson(wanted).contact === null);
  await lookup.spendRest(planLooseSearches(unresolved.map(({ person }) => person)));

  // A person found by an unusual form may have a namesake on a page that was not seen.
  const partlySearched = new Set(open.filter(wanted => !byFallback.has(wanted)));
  const isSettled = (wanted: PersonToMatch, verdict: MatchVerdict) =>
    isSureMatch(verdict) || (byNames.has(wanted) && (verdict.contact === null || !partlySearched.has(wanted)));
  const verdicts = byKeys.map(wanted => ({ wanted, verdict: judgePerson(wanted) }));
  const settled = verdicts.filter(({ wanted, verdict }) => isSettled(wanted, verdict));
  return new Map(settled.map(({ wanted, verdict }) => [wanted.person.dialogId, verdict]));
}

/** Whether the match is so sure that comparing names can't change it. */
export function isSureMatch({ rule, confidence }: MatchVerdict): boolean {
  return rule !== null && rule !== 'name' && confidence >= AUTO_WRITE_CONFIDENCE;
}

type ToTerms = (people: readonly Person[]) => plan.SearchTerm[];
type Lookup = {
  /** Searches within the budget. Returns the people whose searches were all made and whose results were all seen. */
  run(sought: readonly PersonToMatch[], toTerms: ToTerms, keepFree: number): Promise<PersonToMatch[]>;
  /** Makes a few of these searches with the rest of the budget. If HubSpot refuses their wildcards, they find nothing. */
  spendRest(searches: readonly plan.PlannedSearch[]): Promise<void>;
};

function createLookup(
  crm: Pick<Crm, 'searchContacts'>,
  pool: Pick<CandidatePool, 'add'>,
  signal: AbortSignal | undefined,
): Lookup {
  let remaining = MAX_SEARCHES;

  /** Runs searches and halves those with too many results. Returns conversations of which some results were not seen. */
  async function runSearches(searches: readonly plan.PlannedSearch[]): Promise<Set<string>> {
    const unseen = new Set<string>();
    const waiting = [...searches];
    for (let planned = waiting.shift(); planned; planned = waiting.shift()) {
      signal?.throwIfAborted();
      remaining -= 1;
      const { contacts, more } = await crm.searchContacts(planned.search);
      pool.add(contacts);
      if (!more) continue;
      const halves = plan.splitSearch(planned);
      // More namesakes would not help to tell them apart.
      if (!halves) continue;
      if (waiting.length + halves.length <= remaining) waiting.push(...halves);
      else for (const { dialogId } of planned.terms) unseen.add(dialogId);
    }
    return unseen;
  }

  return {
    async run(sought, toTerms, keepFree) {
      const { chosen, searches } = fitToBudget(sought, toTerms, Math.max(0, remaining - keepFree));
      const unseen = await runSearches(searches);
      return chosen.filter(({ person }) => !unseen.has(person.dialogId));
    },
    async spendRest(searches) {
      await runSearches(searches.slice(0, Math.min(remaining, MAX_LOOSE_SEARCHES))).catch(cause => {
        if (!(cause instanceof ClientError && cause.kind === 'permanent')) throw cause;
      });
    },
  };
}

/** Takes as many people from the head of the list as `most` searches can cover. */
function fitToBudget(sought: readonly PersonToMatch[], toTerms: ToTerms, most: number) {
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
    findFor(person: Person): CrmContact[] {
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
  const ends = phones.flatMap(listTypedNumbers).map(digits => digits.slice(-LAST_DIGITS));
  const handles = [id && `id ${id}`, plainUsername(username) && `@${plainUsername(username)}`];
  return new Set([...handles, ...ends, ...wholes, ...words].filter(trait => trait !== ''));
}
