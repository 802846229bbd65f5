import { distinctFromUser, isYou } from './distinctFromUser.ts';
import { isGivenName } from './givenNames.ts';
import { cutName, type Segment } from './segments.ts';
import { splitPersonWords } from './titles.ts';
import { isParticle, joinTokens, type Token, toToken } from './tokens.ts';

/** Minimum number of letters of a name that is looked for in texts; shorter ones may be ordinary words. */
export const MIN_NAME_LENGTH = 3;

/** The parts of a name as people write it in a messenger. Absent parts are ''. */
export type PersonName = {
  /** `none`: emoji, a number, "Deleted Account", or an occupation without a name. */
  kind: 'person' | 'company' | 'none';
  /** A patronymic is with the given names, a particle with the family's, `Jr.` is neither. */
  given: string;
  family: string;
  suffix: string;
  /** The words beside the name, such as `Acme GmbH`; the whole name if it is a company's. */
  company: string;
  /** The whole name in its own order, without titles and decoration. '' when there is no letter. */
  display: string;
  /** Short form for sentences: `Anna`, `Dr. Petrova`, `王伟`. '' without letters. */
  short: string;
};

/** The vendor's fields hold no more. */
const MAX_PART_LENGTH = 100;
const EASTERN = /[\p{Script=Han}\p{Script=Hangul}]/u;
/** Names written without a space: 김철수, 王伟, 田中太郎. */
export const JOINED_NAME = /^(?:\p{Script=Hangul}{3,4}|\p{Script=Han}{2,4})$/u;
/** Families that come first, in front of two more names. */
const VIETNAMESE = /^(?:nguyen|tran|le|pham|huynh|hoang|phan|dang|bui|ngo|duong)$/;
/** Endings that no given name has. */
const FAMILY_ENDING =
  /..(?:sen|mann|berg|ski|sky|skii|skiy|ska|skaya|wicz|vich|vic|ova|ov|ev|eva|enko|yan|ian|shvili|dze|escu|oglu|akis|opoulos|chuk)$/;
/** Endings of patronymics, which people often leave out. */
export const PATRONYMIC = /..(?:ovich|evich|ovych|evych|ovna|evna|ivna)$/;
/** Particles that are also given names: Ben Affleck, Al Pacino. */
const GIVEN_AS_WELL = /^(?:al|ben|san|van|mac|abu|el|do|le)$/;
const ARTICLE = /^(?:[ae]l-|ال\p{L}{2})/iu;
/** Makes one given name with the next word: Abdul Karim. */
const COMPOUNDING = /^(?:abd|abdul|abdel|عبد)$/;
/** Georgian has capitals, too, but no name begins with one. */
const WITH_CAPITALS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** Splits a messenger name into person and company. In doubt it is a person, with the family name last. */
export function readPersonName(written: string): PersonName {
  const { segments, bracketed } = cutName(written);
  const [first, ...others] = segments;
  const company = findCompany([...others, ...bracketed]);
  if (first?.kind === 'person') return { ...toPersonName(first), company };
  const display = limitLength(first?.text ?? '');
  const unnamed = { given: '', family: '', suffix: '', display, short: distinctFromUser(display) };
  return first?.kind === 'company'
    ? { ...unnamed, kind: 'company', company: display }
    : { ...unnamed, kind: 'none', company };
}

/** Prefers known companies to other text; a given name is none. */
function findCompany(beside: readonly Segment[]): string {
  const named = beside.find(({ kind, tokens }) => kind === 'person' && !tokens.every(({ key }) => isGivenName(key)));
  return limitLength((beside.find(({ kind }) => kind === 'company') ?? named)?.text ?? '');
}

function toPersonName({ tokens }: Segment): Omit<PersonName, 'company'> {
  const { title, names: written, suffix } = splitPersonWords(tokens);
  const names = written.length === 1 ? written.flatMap(divideJoined) : written;
  const { at, isFamilyFirst } = findDivision(names, title !== '');
  const proper = toProperCase(names);
  const [front, back] = [proper.slice(0, at), proper.slice(at)];
  const [given, family] = isFamilyFirst ? [back, front] : [front, back];
  const [first, last] = [joinTokens(given), joinTokens(family)];
  // 王伟 stays in one piece.
  const whole = [joinTokens(front), joinTokens(back)].filter(Boolean).join(names.length > written.length ? '' : ' ');
  const display = limitLength([whole, suffix].filter(Boolean).join(' '));
  const called = title === '' ? chooseShortName(given, family, whole) : `${title} ${last || first}`;
  const short = limitLength(isYou(called) ? distinctFromUser(display) : called);
  return { kind: 'person', given: limitLength(first), family: limitLength(last), suffix, display, short };
}

/** `Anna` of Anna Maria Schmidt, `An` of Nguyễn Văn An; more where the given name is an initial, missing or one of two. */
function chooseShortName(given: readonly Token[], [family]: readonly Token[], whole: string): string {
  const [first, second] = given;
  if (!first || EASTERN.test(first.written) || first.key.length < 2) return whole;
  const isOneOfTwo = COMPOUNDING.test(first.key) || second?.written === '&';
  if (isOneOfTwo || (!family && PATRONYMIC.test(second?.key ?? ''))) return joinTokens(given);
  return (VIETNAMESE.test(family?.key ?? '') ? given.at(-1) : first)?.written ?? whole;
}

function divideJoined(name: Token): readonly Token[] {
  if (!JOINED_NAME.test(name.written)) return [name];
  const at = name.written.length > 3 ? 2 : 1;
  return [name.written.slice(0, at), name.written.slice(at)].map(toToken);
}

/** Number of words before the family name, and those words. */
function findDivision(names: readonly Token[], isTitled: boolean): { at: number; isFamilyFirst: boolean } {
  const [first, second] = names;
  const cut = (at: number, isFamilyFirst = false) => ({ at, isFamilyFirst });
  if (!first || !second) return cut(isTitled && !isGivenName(first?.key ?? '') ? 0 : 1);
  if (isFamilyInFront(names)) return cut(1, true);
  if (!isParticle(first) || (GIVEN_AS_WELL.test(first.key) && !isParticle(second))) return cut(countGivenNames(names));
  const isGivenBehind = names.length > 2 && names.slice(-1).some(({ key }) => isGivenName(key));
  return isGivenBehind ? cut(names.length - 1, true) : cut(0);
}

/** 田中 太郎, Петрова Анна Сергеевна, Nguyễn Văn An, Petersen Anna. */
function isFamilyInFront([first, second, third]: readonly Token[]): boolean {
  if (!first || !second) return false;
  if (EASTERN.test(first.written)) return true;
  if (third) return (PATRONYMIC.test(third.key) && !PATRONYMIC.test(second.key)) || VIETNAMESE.test(first.key);
  return FAMILY_ENDING.test(first.key) && !isGivenName(first.key) && isGivenName(second.key);
}

/** Number of leading given names: known ones, or those before the family's particle. */
function countGivenNames(names: readonly Token[]): number {
  const [first, second] = names;
  const couple = names.findIndex(({ written }) => written === '&');
  if (couple > 0) return Math.min(names.length, couple + 2);
  const least = COMPOUNDING.test(first?.key ?? '') || PATRONYMIC.test(second?.key ?? '') ? 2 : 1;
  const isOfFamily = (name: Token) => isParticle(name) || ARTICLE.test(name.written);
  const family = names.findIndex((name, at) => at >= least && at < names.length - 1 && isOfFamily(name));
  if (family > 0) return family;
  const unknown = names.findIndex(({ key }, at) => at >= least && key.length > 1 && !isGivenName(key));
  const known = unknown > 0 && isGivenName(first?.key ?? '') ? unknown : names.length - 1;
  return Math.max(least, Math.min(known, names.length - 1));
}

/** Capitalizes names in small letters or in capitals. One word only when it is a given name: IBM stays. */
function toProperCase(names: readonly Token[]): readonly Token[] {
  const text = joinTokens(names);
  const isOneCase = WITH_CAPITALS.test(text) && (text === text.toLowerCase() || text === text.toUpperCase());
  if (!isOneCase || (names.length === 1 && !isGivenName(text.toLowerCase()))) return names;
  return names.map((name, at) => {
    const small = name.written.toLowerCase();
    return toToken(at > 0 && isParticle(name) ? small : small.replace(/(?:^|[-'.])\p{L}/gu, one => one.toUpperCase()));
  });
}

const limitLength = (text: string): string => text.slice(0, MAX_PART_LENGTH).trim();
