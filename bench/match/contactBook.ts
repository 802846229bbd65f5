import type { SeedContact } from '../../sandbox/crm/seed.ts';
import { COMPANIES, FIRST_NAMES, LAST_NAMES } from './names.ts';
import type { Random } from './random.ts';

/** A third of the other contacts share a first or a last name with people in conversations, never both. */
const SHARING = 3;

/** Fills a contact book with people without a conversation, from several hundred unused names. */
export function fillUp(contacts: readonly SeedContact[], size: number, random: Random): SeedContact[] {
  const firsts = distinct(contacts.map(({ firstname }) => String(firstname)));
  const lasts = distinct(contacts.map(({ lastname }) => String(lastname)));
  const used = new Set([...firsts, ...lasts].map(plain));
  const [newFirsts, newLasts] = [FIRST_NAMES, LAST_NAMES].map(names => names.filter(name => !used.has(plain(name))));
  if (!newFirsts || !newLasts) throw new Error('no names are left');
  const highest = Math.max(...contacts.map(({ id }) => Number(id)));
  const others = Array.from({ length: Math.max(0, size - contacts.length) }, (_, at) => {
    const shares = at % SHARING === 0 ? random.below(2) : undefined;
    const firstname = random.pick(shares === 0 ? firsts : newFirsts);
    const lastname = random.pick(shares === 1 ? lasts : newLasts);
    return other(highest + 1 + at, firstname, lastname, random);
  });
  return [...contacts, ...others];
}

function other(id: number, firstname: string, lastname: string, random: Random): SeedContact {
  const company = random.pick(COMPANIES);
  const email = `${plain(firstname)}.${plain(lastname)}${id}@other.example`;
  const phone = random.below(2) === 0 ? `+4930${String(10_000_000 + id)}` : null;
  return { id, firstname, lastname, email, company, phone };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter(name => name !== '');
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
