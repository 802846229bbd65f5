import { isPatronymic } from './familyNames.ts';
import { isCompoundGivenName, isKnownGivenName } from './givenNames.ts';
import { type Division, divideName } from './nameOrder.ts';
import { isCompounding } from './particles.ts';
import { personWords } from './personWords.ts';
import { properCase } from './properCase.ts';
import { type CutName, cutName, type Segment } from './segments.ts';
import { type Token, textOf } from './tokens.ts';
import { isYou, toldFromUser } from './toldFromUser.ts';

/** What a name says as people write it in a messenger. Absent parts are ''. */
export type PersonName = {
  /** `none`: emoji, a number, "Deleted Account", or an occupation without a name. */
  kind: 'person' | 'company' | 'none';
  /** `Prof. Dr.` */
  title: string;
  /** All given names, a patronymic with them. */
  given: string;
  /** With its particles: `van der Berg`. */
  family: string;
  /** `Jr.`, `III`. */
  suffix: string;
  /** In quotes within the name: what friends call the person. */
  nickname: string;
  /** What stood beside the name, such as `Acme GmbH`; the whole name where it is a company's. */
  company: string;
  /** `CEO` */
  role: string;
  /** `@anna_p`, `anna@mail.example` */
  handles: readonly string[];
  emoji: readonly string[];
  /** The whole name in its own order, without titles and decoration. '' when there is no letter. */
  display: string;
  /** What to call the person in a sentence: `Anna`, `Dr. Petrova`, `王伟`. '' when there is no letter. */
  short: string;
};

/** The vendor's fields hold no more. */
const LONGEST_PART = 100;

/**
 * Reads a messenger's name: who it is, where they work, what they do. The one reader for matching, for creating contacts
 * and for the summarizer. In doubt a name is a person's, and its last word the family's. At most 300 characters are read.
 */
export function readPersonName(written: string): PersonName {
  const cut = cutName(written);
  const [first, ...others] = cut.segments;
  const { handles, emoji } = cut;
  if (!first) return { ...noName(''), handles, emoji };
  const beside = besideOf([...others, ...cut.bracketed]);
  if (first.kind === 'company') {
    return { ...noName(first.text), kind: 'company', role: beside.role, company: bounded(first.text), handles, emoji };
  }
  if (first.kind !== 'person')
    return { ...noName(first.text), ...beside, role: beside.role || roleOf(first), handles, emoji };
  const person = personOf(first, cut);
  return { ...person, ...beside, role: person.role || beside.role, handles, emoji };
}

function noName(text: string): PersonName {
  const [display, none] = [bounded(text), ''];
  return {
    ...{
      kind: 'none',
      title: none,
      given: none,
      family: none,
      suffix: none,
      nickname: none,
      company: none,
      role: none,
    },
    ...{ handles: [], emoji: [], display, short: toldFromUser(display) },
  };
}

function roleOf({ kind, text }: Segment): string {
  return kind === 'role' ? bounded(text) : '';
}

/** Prefers what is known to be a company to what is merely there; a given name is not a company. */
function besideOf(others: readonly Segment[]): { company: string; role: string } {
  const named = others.filter(
    ({ kind, tokens }) => kind === 'person' && !tokens.every(({ key }) => isKnownGivenName(key)),
  );
  const company = others.find(({ kind }) => kind === 'company') ?? named[0];
  return { company: bounded(company?.text ?? ''), role: others.map(roleOf).find(Boolean) ?? '' };
}

function personOf({ tokens, turned }: Segment, { quoted }: CutName): PersonName {
  const { title, honorific, names, suffix, role } = personWords(tokens);
  const [nickname = ''] = quoted;
  const name = divideName(names, turned);
  const division = isFamilyAlone(names, { title, honorific }) ? { ...name, given: [], family: names } : name;
  const proper = properCase(names);
  const [given, family] = [division.given, division.family].map(part =>
    part.map(one => proper[names.indexOf(one)] ?? one),
  );
  const parts = { ...division, given: given ?? [], family: family ?? [] };
  const display = [wholeOf(parts, names.length), suffix].filter(Boolean).join(' ');
  const called = shortOf(parts, { title, nickname, display });
  return {
    ...noName(display),
    ...{ kind: 'person', title: title || honorific.trim(), role, suffix, nickname: bounded(nickname) },
    given: bounded(textOf(parts.given)),
    family: bounded(textOf(parts.family)),
    short: bounded(toldFromUser(isYou(called) ? display : called) + (title === '' ? honorific : '')),
  };
}

/** Beside a title a single name is the family's: Herr Müller, 田中さん, but Dr. Anna. */
function isFamilyAlone(names: readonly Token[], { title, honorific }: { title: string; honorific: string }): boolean {
  const [only, ...others] = names;
  if (!only || others.length > 0) return false;
  if (/^[さ様]/u.test(honorific)) return [...only.written].length < 3;
  return title !== '' && !isKnownGivenName(only.key);
}

/** 王伟 stays in one piece. */
function wholeOf({ given, family, isFamilyFirst }: Division, written: number): string {
  const [first, last] = isFamilyFirst ? [family, given] : [given, family];
  const isInOnePiece = written === 1 && isFamilyFirst;
  return [textOf(first), textOf(last)].filter(Boolean).join(isInOnePiece ? '' : ' ');
}

type About = { title: string; nickname: string; display: string };

/** A title goes before the name it addresses; a nickname is used where the name has one. */
function shortOf({ given, family, calledBy }: Division, { title, nickname, display }: About): string {
  if (title !== '') return [title, textOf(family) || textOf(given)].join(' ');
  if (nickname !== '') return nickname;
  if (calledBy === 'whole') return display;
  if (calledBy === 'family' && family.length > 0) return textOf(family);
  const called = calledBy === 'lastGiven' ? given.slice(-1) : firstGiven(given, family.length === 0);
  const text = textOf(called);
  return text.replace(/\P{L}/gu, '').length > 1 || /\p{Script=Han}/u.test(text) ? text : display;
}

/** `Anna` of Anna Maria, but Jean Luc, Abdul Karim and Anna & Peter whole; a patronymic where there is no family name. */
function firstGiven(given: readonly Token[], isAlone: boolean): readonly Token[] {
  const [first, second] = given;
  if (!first || !second) return given;
  if (isAlone && isPatronymic(second.key)) return given.slice(0, 2);
  const isPair = isCompounding(first.key) || isCompounding(first.small) || isCompoundGivenName(first.key, second.key);
  if (second.written === '&') return given.slice(0, 3);
  return given.slice(0, isPair ? 2 : 1);
}

function bounded(text: string): string {
  return text.slice(0, LONGEST_PART).trim();
}
