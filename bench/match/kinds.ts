import type { Maker } from './maker.ts';
import {
  COMPANIES,
  CYRILLIC_FIRST,
  CYRILLIC_LAST,
  EMOJI,
  GREEK,
  MANY_PART,
  NEARLY,
  NICKNAMED,
  SAINTS,
  TWO_FAMILIES,
} from './names.ts';

/*
 * One function for each difficulty in identifying a person: it adds a conversation, the contacts that
 * belong to it or mislead, and the truth.
 */

/** Leaving it open is not wrong. */
const OPEN = [null];

export function username(maker: Maker): void {
  const { first, last } = maker.fresh();
  const handle = `${plain(first)}_${plain(last)}${maker.random.below(99)}`.slice(0, 30);
  const noted = maker.random.pick([handle, `@${handle}`, `@${handle.toUpperCase()}`, `https://t.me/${handle}`]);
  const id = maker.addContact({ firstname: first, lastname: last, messenger_username: noted });
  const name = maker.random.pick([`${first} ${last}`, maker.random.pick(EMOJI), 'boss']);
  maker.addChat('username', { name, username: handle }, id);
}

export function name(maker: Maker): void {
  const { first, last } = maker.fresh();
  maker.addChat('name', { name: `${first} ${last}` }, maker.addContact({ firstname: first, lastname: last }));
}

export function cyrillic(maker: Maker): void {
  const [[ownFirst, ...firsts], [ownLast, ...lasts]] = freeOf(maker, CYRILLIC_FIRST, CYRILLIC_LAST);
  const [firstname, lastname] = [maker.random.pick(firsts), maker.random.pick(lasts)];
  maker.addChat('cyrillic', { name: `${ownFirst} ${ownLast}` }, maker.addContact({ firstname, lastname }));
}

/** Both in Latin letters, each from another office. */
export function romanised(maker: Maker): void {
  const [[, ...firsts], [, ...lasts]] = freeOf(maker, CYRILLIC_FIRST, CYRILLIC_LAST);
  const { pick } = maker.random;
  const id = maker.addContact({ firstname: pick(firsts), lastname: pick(lasts) });
  maker.addChat('romanised', { name: `${pick(firsts)} ${pick(lasts)}` }, id, OPEN);
}

export function toCyrillic(maker: Maker): void {
  const [[ownFirst, ...firsts], [ownLast, ...lasts]] = freeOf(maker, CYRILLIC_FIRST, CYRILLIC_LAST);
  const id = maker.addContact({ firstname: ownFirst, lastname: ownLast });
  const { pick } = maker.random;
  maker.addChat('to cyrillic', { name: `${pick(firsts)} ${pick(lasts)}` }, id, OPEN);
}

export function greek(maker: Maker): void {
  const left = GREEK.filter(([, first, last]) => maker.claim(first, last));
  const [own] = left;
  if (!own) return;
  const [written, firstname, lastname] = own;
  maker.addChat('greek', { name: written }, maker.addContact({ firstname, lastname }));
}

export function nickname(maker: Maker): void {
  const [short, full] = maker.random.pick(NICKNAMED);
  const { last } = maker.fresh();
  if (!maker.claim(full, last)) return;
  maker.addChat('nickname', { name: `${short} ${last}` }, maker.addContact({ firstname: full, lastname: last }), OPEN);
}

/** The saint of a family's name is written in three ways. */
export function saint(maker: Maker): void {
  const { first } = maker.fresh();
  const [last, ...ways] = maker.random.pick(SAINTS);
  if (!maker.claim(first, last)) return;
  const [own, theirs] = maker.random.shuffled([last, ...ways]);
  const id = maker.addContact({ firstname: first, lastname: theirs ?? last });
  maker.addChat('saint', { name: `${first} ${own ?? last}` }, id);
}

/** People leave out one of two family names; another person may have only that one. */
export function twoFamilies(maker: Maker): void {
  const { first } = maker.fresh();
  const [one, other] = maker.random.pick(TWO_FAMILIES);
  if (!maker.claim(first, `${one} ${other}`) || !maker.claim(first, one)) return;
  const isWholeInCrm = maker.random.below(2) === 0;
  const id = maker.addContact({ firstname: first, lastname: isWholeInCrm ? `${one} ${other}` : one });
  maker.addChat('two families', { name: isWholeInCrm ? `${first} ${one}` : `${first} ${one} ${other}` }, id, OPEN);
}

/** The CRM's number has no country code: a hint only. */
/** The same digits in another country are another person's number. */
export function swapped(maker: Maker): void {
  const { first, last } = maker.fresh();
  const written = maker.random.pick([`${last} ${first}`, `${last}, ${first}`]);
  maker.addChat('swapped', { name: written }, maker.addContact({ firstname: first, lastname: last }));
}

export function company(maker: Maker): void {
  const { first, last } = maker.fresh();
  const employer = maker.random.pick(COMPANIES);
  const id = maker.addContact({ firstname: first, lastname: last, company: employer });
  const person = `${first} ${last}`;
  const written = maker.random.pick([
    `${person} | ${employer}`,
    `${person} (${employer})`,
    `${person} - ${employer}`,
    `${person} @ ${employer}`,
    `${person} / ${employer}`,
    `${employer} | ${person}`,
    `${person}, ${employer}`,
    `${person} • ${employer.split(' ')[0]}`,
  ]);
  maker.addChat('company', { name: written }, id);
}

/** Two people of one name, whom the company distinguishes. */
export function namesakeAtCompany(maker: Maker): void {
  const { first: firstname, last: lastname } = maker.fresh();
  const [one = '', other = ''] = maker.random.shuffled(COMPANIES);
  const id = maker.addContact({ firstname, lastname, company: one });
  maker.addContact({ firstname, lastname, company: other });
  maker.addChat('namesakes, company', { name: `${firstname} ${lastname} | ${one}` }, id, OPEN);
}

/** The only contact of that name works elsewhere. */
export function otherCompany(maker: Maker): void {
  const { first: firstname, last: lastname } = maker.fresh();
  const [one = '', other = ''] = maker.random.shuffled(COMPANIES);
  maker.addContact({ firstname, lastname, company: other });
  maker.addChat('other company', { name: `${firstname} ${lastname} (${one})` }, null);
}

export function emoji(maker: Maker): void {
  const { first, last } = maker.fresh();
  const { pick } = maker.random;
  const written = pick([
    `${pick(EMOJI)} ${first} ${last} ${pick(EMOJI)}`,
    `${first} ${pick(EMOJI)} ${last}`,
    `${first} ${last}${pick(EMOJI)}`,
    `★ ${first.toUpperCase()} ${last.toUpperCase()} ★`,
  ]);
  maker.addChat('emoji', { name: written }, maker.addContact({ firstname: first, lastname: last }));
}

export function collision(maker: Maker): void {
  const { first: firstname, last: lastname } = maker.fresh();
  const [one, other] = maker.random.shuffled(COMPANIES);
  maker.addContact({ firstname, lastname, company: one });
  maker.addContact({ firstname, lastname, company: other });
  maker.addChat('collision', { name: `${firstname} ${lastname}` }, null);
}

export function twiceInMessenger(maker: Maker): void {
  const { first: firstname, last: lastname } = maker.fresh();
  maker.addContact({ firstname, lastname });
  maker.addChat('two people, one contact', { name: `${firstname} ${lastname}` }, null);
  maker.addChat('two people, one contact', { name: `${lastname} ${firstname}` }, null);
}

/** A family's number under one name only. */
export function absent(maker: Maker): void {
  const { first, last } = maker.fresh();
  const handles = { phone: maker.phone(), username: `${plain(first)}_${maker.random.below(9999)}_x` };
  maker.addChat('absent', { name: `${first} ${last}`, ...(maker.random.below(2) === 0 ? handles : {}) }, null);
}

export function firstOnly(maker: Maker): void {
  const { first, last } = maker.fresh();
  maker.addContact({ firstname: first, lastname: last });
  maker.addChat('first name only', { name: maker.random.pick([first, `${first} ${maker.random.pick(EMOJI)}`]) }, null);
}

export function initials(maker: Maker): void {
  const { first, last } = maker.fresh();
  maker.addContact({ firstname: first, lastname: last });
  maker.addChat('initials', { name: maker.random.pick([`${first[0]}. ${last}`, `${first} ${last[0]}.`]) }, null);
}

export function diacritics(maker: Maker): void {
  const pool: [string, string][] = [
    ['José', 'Núñez'],
    ['Zoë', 'Müller'],
    ['Jürgen', 'Größ'],
    ['Łukasz', 'Wiśniewski'],
    ['Søren', 'Jørgensen'],
    ['Chloé', 'Lefèvre'],
    ['Gökhan', 'Yıldırım'],
    ['Tomáš', 'Dvořák'],
    ['Inês', 'Gonçalves'],
    ['Björn', 'Sjöberg'],
    ['Mónica', 'Hernández'],
    ['Günther', 'Krämer'],
  ];
  const free = maker.random.shuffled(pool).find(([first, last]) => maker.claim(first, last));
  if (!free) return;
  const [firstname, lastname] = free;
  const bare = withoutAccents(`${firstname} ${lastname}`);
  const isBareInCrm = maker.random.below(2) === 0;
  const [bareFirst = '', bareLast = ''] = bare.split(' ');
  const id = maker.addContact(isBareInCrm ? { firstname: bareFirst, lastname: bareLast } : { firstname, lastname });
  maker.addChat('diacritics', { name: isBareInCrm ? `${firstname} ${lastname}` : bare }, id);
}

export function hyphen(maker: Maker): void {
  const [one, other] = [maker.fresh(), maker.fresh()];
  const id = maker.addContact({ firstname: `${one.first}-${other.first}`, lastname: one.last });
  const joint = maker.random.pick(['-', ' ']);
  maker.addChat('hyphen', { name: `${one.first}${joint}${other.first} ${one.last}` }, id);
}

/** Half of a double name may be another person. */
export function halfOfHyphen(maker: Maker): void {
  const [one, other] = [maker.fresh(), maker.fresh()];
  if (!maker.claim(`${one.first}-${other.first}`, other.last)) return;
  maker.addContact({ firstname: `${one.first}-${other.first}`, lastname: other.last });
  if (maker.claim(one.first, other.last)) maker.addChat('half a name', { name: `${one.first} ${other.last}` }, null);
}

export function manyPart(maker: Maker): void {
  const { first } = maker.fresh();
  const last = maker.random.pick(MANY_PART);
  if (!maker.claim(first, last)) return;
  const id = maker.addContact({ firstname: first, lastname: last });
  const written = maker.random.pick([`${first} ${last}`, `${first} ${last}`.toLowerCase(), `Dr. ${first} ${last}`]);
  maker.addChat('many parts', { name: written }, id);
}

export function middleName(maker: Maker): void {
  const { first, last } = maker.fresh();
  const id = maker.addContact({ firstname: first, lastname: last });
  maker.addChat('middle initial', { name: `${first} ${maker.random.pick(['J.', 'M', 'T.'])} ${last}` }, id);
}

/** A name like that of a contact except for an ending. */
export function nearly(maker: Maker): void {
  const [own, theirs] = maker.random.pick(NEARLY);
  const { last } = maker.fresh();
  if (!maker.claim(own, last) || !maker.claim(theirs, last)) return;
  maker.addContact({ firstname: theirs, lastname: last });
  maker.addChat('nearly', { name: `${own} ${last}` }, null);
}

/** A brother and a sister. */
export function otherEnding(maker: Maker): void {
  const { first } = maker.fresh();
  const [own, theirs] = maker.random.pick([
    ['Petrov', 'Petrova'],
    ['Novák', 'Nováková'],
    ['Kowalski', 'Kowalska'],
    ['Jonsson', 'Jonsdóttir'],
    ['Ivanov', 'Ivanovic'],
  ] as const);
  if (!maker.claim(first, own) || !maker.claim(first, theirs)) return;
  maker.addContact({ firstname: first, lastname: theirs });
  maker.addChat('other ending', { name: `${first} ${own}` }, null);
}

type Ways = readonly [string, string, ...string[]];

function freeOf(maker: Maker, firsts: readonly Ways[], lasts: readonly Ways[]): [Ways, Ways] {
  for (;;) {
    const [first, last] = [maker.random.pick(firsts), maker.random.pick(lasts)];
    if (maker.claim(first[0], last[0])) return [first, last];
  }
}

function withoutAccents(text: string): string {
  const letters: Record<string, string> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ı: 'i', ß: 'ss' };
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁøØıß]/g, letter => letters[letter] ?? letter);
}

function plain(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
