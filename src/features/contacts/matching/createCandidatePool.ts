import type { CrmContact } from '../../../clients/crm/types.ts';
import type { Word } from '../../../lib/names/nameWords.ts';
import { readName } from '../../../lib/names/readings.ts';
import { skeletonOf } from '../../../lib/names/soundings.ts';
import { digitsOf } from '../../../lib/phone.ts';
import { filedNameOf } from '../comparison/contactName.ts';
import { plainUsername } from '../comparison/plainUsername.ts';
import type { Person } from '../comparison/schema.ts';

/** Contacts that searches found, and which of them are worth comparing with a person. */
export type CandidatePool = {
  add(contacts: readonly CrmContact[]): void;
  /** Those that share a word of the name, or a way to reach the person. */
  of(person: Person): CrmContact[];
};

export function createCandidatePool(): CandidatePool {
  const byId = new Map<string, CrmContact>();
  const byTrait = new Map<string, CrmContact[]>();

  return {
    add(contacts) {
      for (const contact of contacts) {
        if (byId.has(contact.id)) continue;
        byId.set(contact.id, contact);
        for (const trait of traitsOfContact(contact)) {
          const sharing = byTrait.get(trait);
          if (sharing) sharing.push(contact);
          else byTrait.set(trait, [contact]);
        }
      }
    },
    of(person) {
      return [...new Set([...traitsOfPerson(person)].flatMap(trait => byTrait.get(trait) ?? []))];
    },
  };
}

function traitsOfContact(contact: CrmContact): Set<string> {
  const { messengerUserId, messengerUsername, phone, mobilePhone } = contact;
  const handles = handlesOf(messengerUserId, messengerUsername, [phone, mobilePhone]);
  const filedName = filedNameOf(contact).words;
  return new Set([...handles, ...traitsOfName(filedName), ...filedName.flatMap(skeletonsOf)]);
}

function traitsOfPerson({ messengerUserId, username, phone, name }: Person): Set<string> {
  const names = readName(name).flatMap(({ words, soundings }) => [
    ...traitsOfName(words),
    ...soundings.flatMap(({ forms, skeleton }) => [...forms, ...(skeleton === '' ? [] : [skeletonTrait(skeleton)])]),
  ]);
  return new Set([...handlesOf(messengerUserId, username, [phone]), ...names]);
}

function skeletonsOf({ forms: [first = ''], isLatin }: Word): string[] {
  return isLatin ? [skeletonTrait(skeletonOf(first))] : [];
}

function skeletonTrait(skeleton: string): string {
  return `consonants ${skeleton}`;
}

/** Numbers that end alike are compared, whatever stands in front. */
const LAST_DIGITS = 7;

function handlesOf(messengerUserId: string, username: string, phones: readonly string[]): string[] {
  const ends = phones.map(phone => digitsOf(phone).slice(-LAST_DIGITS));
  const handles = [...ends, plainUsername(username) && `@${plainUsername(username)}`];
  return [...handles, messengerUserId && `id ${messengerUserId}`].filter(handle => handle !== '');
}

function traitsOfName(words: readonly Word[]): string[] {
  const whole = words.map(word => word.forms[0] ?? '').join('');
  return [whole, ...words.flatMap(({ forms, keys }) => [...forms, ...keys])];
}
