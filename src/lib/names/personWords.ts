import { isRole, isRoleFiller, isSurnameAsWell } from './companyWords.ts';
import { isKnownGivenName } from './givenNames.ts';
import { generationOf, isDegree, isHonorificBehind, isTitle, isWeakTitle, JOINED_HONORIFICS } from './titles.ts';
import { type Token, textOf, tokenOf, withoutDigits } from './tokens.ts';

/** The words of a person's segment, told apart. */
export type PersonWords = {
  /** `Prof. Dr.`, or ''. */
  title: string;
  /** Behind the name: ` Bey`, `さん`, with its space where it has one, or ''. */
  honorific: string;
  names: readonly Token[];
  /** `Jr.`, or ''; and how two of them compare: jr, sr, ii, iii, iv or ''. */
  suffix: string;
  generation: string;
  /** `PhD, MBA`, or ''. */
  degrees: string;
  /** `CEO`, or ''. */
  role: string;
};

/** Strips what isn't part of the name: titles and roles in front, degrees, roles and generations behind. */
export function personWords(tokens: readonly Token[]): PersonWords {
  const written = tokens.map(withoutDigits).filter(token => token.written !== '');
  const { titles, roles: rolesInFront, names: rest } = withoutWordsInFront(written);
  const { behind, roles, degrees, suffix, names } = withoutWordsBehind(rest, rolesInFront);
  const [joined, honorific] = withoutJoinedHonorific(names);
  return {
    title: textOf(titles),
    honorific: honorific || behind.map(token => ` ${token.written}`).join(''),
    names: joined,
    suffix: suffix?.written ?? '',
    generation: generationOf(suffix?.key ?? ''),
    degrees: degrees.map(token => token.written).join(', '),
    role: textOf(roles),
  };
}

function withoutWordsInFront(all: readonly Token[]) {
  const [titles, roles]: [Token[], Token[]] = [[], []];
  let names = all;
  for (let next = names[0]; next && names.length > 1; next = names[0]) {
    if (isTitleHere(next, names)) titles.push(next);
    else if (isRole(next) && !isKnownGivenName(next.key)) roles.push(next);
    else if (!(titles.length > 0 && isDegree(next.key, next.written))) break;
    names = names.slice(1);
  }
  return { titles, roles, names };
}

function withoutWordsBehind(all: readonly Token[], rolesInFront: readonly Token[]) {
  const [behind, roles, degrees]: [Token[], Token[], Token[]] = [[], [...rolesInFront], []];
  let names = all;
  let suffix: Token | undefined;
  for (let last = names.at(-1); last && names.length > 1; last = names.at(-1)) {
    if (isDegree(last.key, last.written)) degrees.unshift(last);
    else if (isHonorificBehind(last.key) || isHonorificBehind(last.small)) behind.unshift(last);
    else if (isTitle(last.key) && names.length > 2) behind.unshift(last);
    else if (!suffix && names.length > 2 && generationOf(last.key)) suffix = last;
    else if (isRoleBehind(last, names) || (roles.length > 0 && isRoleFiller(last) && names.length > 2))
      roles.unshift(last);
    else break;
    names = names.slice(0, -1);
  }
  return { behind, roles, degrees, suffix, names };
}

function isTitleHere({ key }: Token, names: readonly Token[]): boolean {
  if (isTitle(key)) return true;
  const next = names[1];
  return isWeakTitle(key) && (names.length > 2 || (next !== undefined && isKnownGivenName(next.key)));
}

/** `Sales` of "Anna Petrova Sales Manager" only with the role behind it. */
function isRoleBehind(last: Token, names: readonly Token[]): boolean {
  const isLongEnough = names.length > 2;
  return isRole(last) && (isLongEnough || !isSurnameAsWell(last));
}

function withoutJoinedHonorific(names: readonly Token[]): [readonly Token[], string] {
  const last = names.at(-1);
  const ending = last && JOINED_HONORIFICS.find(each => last.written.endsWith(each));
  if (!last || !ending || last.written === ending) return [names, ''];
  return [[...names.slice(0, -1), tokenOf(last.written.slice(0, -ending.length))], ending];
}
