import type { CrmContact } from '../../../clients/crm/types.ts';
import { readName, type Word } from '../../../lib/names/readings.ts';
import { digitsOf } from '../../../lib/phone.ts';
import { filedNameOf } from '../comparison/contactName.ts';
import { plainUsername } from '../comparison/rules.ts';
import type { Person } from '../comparison/schema.ts';

/** Contacts that searches found, and which of them are worth comparing with a person. */
export type CandidatePool = ReturnType<typeof createCandidatePool>;

type Named = { words: readonly Word[] };

/** Numbers that end alike are compared, whatever stands in front. */
const LAST_DIGITS = 7;

export function createCandidatePool() {
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
    /** Those that share a word of the name, or a way to reach the person. */
    of(person: Person): CrmContact[] {
      const { messengerUserId, username, phone, name } = person;
      const traits = traitsOf([messengerUserId, username], [phone], readName(name, username));
      return [...new Set([...traits].flatMap(trait => byTrait.get(trait) ?? []))];
    },
  };
}

function traitsOfContact(contact: CrmContact): Set<string> {
  const { messengerUserId, messengerUsername, phone, mobilePhone } = contact;
  return traitsOf([messengerUserId, messengerUsername], [phone, mobilePhone], [filedNameOf(contact)]);
}

function traitsOf([id = '', username = '']: string[], phones: string[], names: Named[]): Set<string> {
  const wholes = names.map(({ words }) => words.map(({ forms }) => forms[0]).join(''));
  const words = names.flatMap(name => name.words.flatMap(({ forms, keys }) => [...forms, ...keys]));
  const ends = phones.map(phone => digitsOf(phone).slice(-LAST_DIGITS));
  const handles = [id && `id ${id}`, plainUsername(username) && `@${plainUsername(username)}`];
  return new Set([...handles, ...ends, ...wholes, ...words].filter(trait => trait !== ''));
}
