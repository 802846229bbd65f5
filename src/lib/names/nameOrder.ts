import * as families from './familyNames.ts';
import { hasFamilyEnding, isPatronymic } from './familyNames.ts';
import { isCompoundGivenName, isKnownGivenName } from './givenNames.ts';
import { beginsWithFamily, isCompounding, isJoiner, isParticle } from './particles.ts';
import { type Token, tokenOf } from './tokens.ts';

/** The words of one person's name, divided. */
export type Division = {
  given: readonly Token[];
  family: readonly Token[];
  /** Which part people call the person by, where the customs of the name's language tell; else the given name. */
  calledBy: 'given' | 'family' | 'whole' | 'lastGiven';
  /** Whether the family's name is written in front, and the name stays in that order. */
  isFamilyFirst: boolean;
};

/**
 * Divides a name by its script, the names in it and the particles: which part is the family's.
 * @param turned how many of the last words are the family's, as a comma told
 */
export function divideName(names: readonly Token[], turned: number): Division {
  if (turned > 0 && turned < names.length) return givenFirst(names, names.length - turned);
  const [first, second] = names;
  if (!first) return givenFirst(names, 0);
  const isForeignScript = /[\p{Script=Han}\p{Script=Hangul}]/u.test(first.written);
  if (isForeignScript) return names.length === 1 ? divideJoined(first) : divideEastern(names, first);
  if (names.length === 1) return givenFirst(names, /^(?:O'|Mc)\p{Lu}/u.test(first.written) ? 0 : 1);
  const eastern = latinFamilyFirst(names);
  if (eastern) return eastern;
  if (second && isFamilyInFront(names)) return familyFirst(names, 1, 'given');
  if (beginsWithFamily(names.map(({ key }) => key))) return particleFirst(names);
  return givenFirst(names, givenCount(names));
}

function givenFirst(names: readonly Token[], count: number): Division {
  return { given: names.slice(0, count), family: names.slice(count), calledBy: 'given', isFamilyFirst: false };
}

function familyFirst(names: readonly Token[], count: number, calledBy: Division['calledBy']): Division {
  return { given: names.slice(count), family: names.slice(0, count), calledBy, isFamilyFirst: true };
}

/** 王伟, 田中太郎, 김철수: no space between the two names. */
function divideJoined(only: Token): Division {
  const text = only.written;
  const { length } = [...text];
  const halves = (at: number, calledBy: Division['calledBy']) =>
    familyFirst([tokenOf([...text].slice(0, at).join('')), tokenOf([...text].slice(at).join(''))], 1, calledBy);
  if (/^\p{Script=Hangul}+$/u.test(text)) {
    if (length === 4 && families.HANGUL_COMPOUND.test(text)) return halves(2, 'whole');
    const isName = length === 3 || (length === 2 && /^[김이박최정강조윤장임]/u.test(text));
    return isName && families.HANGUL.has(text.charAt(0)) ? halves(1, 'whole') : givenFirst([only], 1);
  }
  if (families.HAN_COMPOUND.test(text) && length > 2) return halves(2, 'whole');
  const kanji = text.match(/^\p{Script=Han}{1,4}/u)?.[0].length ?? 0;
  if (kanji < length) return kanji > 0 && kanji < 4 ? halves(kanji, 'family') : givenFirst([only], 1);
  if (length > 1 && length < 4 && families.HAN.has(text.charAt(0))) return halves(1, 'whole');
  return length === 3 || length === 4 ? halves(2, 'family') : givenFirst([only], 1);
}

/** 田中 太郎, 王 伟, 김 철수. */
function divideEastern(names: readonly Token[], first: Token): Division {
  const isJapanese = /\p{Script=Han}/u.test(first.written) && !isChineseFamily(first.written);
  return familyFirst(names, 1, isJapanese ? 'family' : 'whole');
}

function isChineseFamily(text: string): boolean {
  return families.HAN.has(text) || families.HAN_COMPOUND.test(text);
}

/** Chinese, Korean, Vietnamese, Japanese and Hungarian names in Latin letters that keep their own order. */
function latinFamilyFirst(names: readonly Token[]): Division | undefined {
  const [first, last] = [names[0]?.key ?? '', names.at(-1)?.key ?? ''];
  const { length } = names;
  const rest = names.slice(1);
  const isVietnamese =
    length > 2 ? !isKnownGivenName(first) : hasVietnameseAccent(names) && !families.VIETNAMESE.has(last);
  if (families.VIETNAMESE.has(first) && isVietnamese) {
    return familyFirst(names, 1, 'lastGiven');
  }
  if (families.KOREAN.has(first) && isKoreanGiven(rest)) return familyFirst(names, 1, 'given');
  const isChinese = families.CHINESE.has(first) && (!families.CHINESE.has(last) || families.COMMON_CHINESE.has(first));
  if (isChinese && length < 4 && rest.every(isPinyin)) {
    return familyFirst(names, 1, rest.length === 1 && isSyllable(last) ? 'whole' : 'given');
  }
  if (isKnownGivenName(first) && !isKnownGivenName(last)) return undefined;
  if (length !== 2) return undefined;
  const listed = [families.JAPANESE, families.HUNGARIAN].some(list => list.has(first) && !list.has(last));
  return listed ? familyFirst(names, 1, 'given') : undefined;
}

function hasVietnameseAccent(names: readonly Token[]): boolean {
  return names.some(({ small }) => /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u.test(small));
}

/** Min-jun, Min Jun. */
function isKoreanGiven(rest: readonly Token[]): boolean {
  const [only, ...others] = rest;
  if (!only) return false;
  if (others.length === 1) return rest.every(({ key }) => key.length < 6 && !isKnownGivenName(key));
  return others.length === 0 && /^[a-z]{2,5}-[a-z]{2,5}$/.test(only.small);
}

const SYLLABLE =
  /^(?:[bpmf]|[dtnl]|[gkhjqx]|[zcs]h?|[rwy])?(?:a|o|e|ai|ei|ao|ou|an|en|ang|eng|ong|i|ia|ie|iao|iu|ian|in|iang|ing|iong|u|ua|uo|uai|ui|uan|un|uang|ue|v)$/;

function isSyllable(key: string): boolean {
  return SYLLABLE.test(key);
}

function isPinyin({ key }: Token): boolean {
  if (key.length > 12 || isKnownGivenName(key)) return false;
  return (
    isSyllable(key) || [...key].some((_, at) => at > 0 && isSyllable(key.slice(0, at)) && isSyllable(key.slice(at)))
  );
}

/** Петрова Анна Сергеевна, Petersen Anna, PETROVA Anna. */
function isFamilyInFront(names: readonly Token[]): boolean {
  const [first, second] = names;
  const last = names.at(-1);
  if (!first || !second || !last) return false;
  if (names.length === 3 && isPatronymic(last.key) && !isPatronymic(second.key)) return true;
  const isShouted = isInCapitals(first) && !names.slice(1).some(isInCapitals) && first.key.length > 3;
  if (isKnownGivenName(first.key) || names.length > 3) return false;
  return (isShouted || hasFamilyEnding(first.key)) && isKnownGivenName(second.key);
}

function isInCapitals({ written }: Token): boolean {
  return written === written.toUpperCase() && written !== written.toLowerCase();
}

/** van der Berg; van der Berg Peter. */
function particleFirst(names: readonly Token[]): Division {
  const last = names.at(-1);
  const isGivenBehind = last !== undefined && names.length > 2 && isKnownGivenName(last.key);
  return isGivenBehind ? familyFirst(names, names.length - 1, 'given') : givenFirst(names, 0);
}

/** How many of the first words are given names: all before the family's particle, or before the last one or two. */
function givenCount(names: readonly Token[]): number {
  const keys = names.map(({ key }) => key);
  const compound = isCompounding(keys[0] ?? '') || isCompounding(names[0]?.small ?? '');
  const least = compound && names.length > 2 ? 2 : 1;
  if (compound && names.length === 2) return 2;
  const couple = names.findIndex(({ written }) => written === '&');
  if (couple > 0) return Math.min(names.length, couple + 2);
  if (isPatronymic(keys[1] ?? '')) return 2;
  if (names.length === 2) return isCompoundGivenName(keys[0] ?? '', keys[1] ?? '') ? 2 : 1;
  return givenBeforeFamily(names, least);
}

/** How many words stand before the family's particle, or before the last one or two. */
function givenBeforeFamily(names: readonly Token[], least: number): number {
  const keys = names.map(({ key }) => key);
  const particle = names.findIndex((name, at) => at >= least && at < names.length - 1 && isFamilyParticle(name));
  if (particle > 0) return isJoiner(keys[particle] ?? '') ? Math.max(1, particle - 1) : particle;
  const hasTwoFamilies = names.length > 2 && families.IBERIAN.has(keys.at(-2) ?? '') && names.length - 2 >= least;
  return names.length - (hasTwoFamilies ? 2 : 1);
}

function isFamilyParticle({ key, small, written }: Token): boolean {
  return (
    isParticle(key) || isParticle(small) || /^(?:al|el|ad|as|ar|ash|an)-/i.test(written) || /^ال\p{L}{2}/u.test(written)
  );
}
