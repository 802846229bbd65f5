import { jaroWinkler } from '@skyra/jaro-winkler';
import { soundAlike, soundOf } from '../nameKeys.ts';
import { once } from '../once.ts';
import { isLatin, isRomanisable, romanise, romanKey } from './romanise.ts';

const toSet = (text: string) => new Set(text.trim().split(/\s+/));

/** Legal forms around or within company names, in lower case, without dots. */
const LEGAL_FORMS = toSet(`
  gmbh ag kg ug ohg mbh ev co inc incorporated corp corporation company llc llp ltd limited plc pte pty sa sas sarl sl srl spa
  ltda bv nv ab as aps oy oyj abp sp z oo zoo kft doo pt tbk sia uab ou oü group holding holdings aş şti ао оао ооо зао пао ип
  тов фоп прат тоо чп оод еоод ад чуп شركة`);
/** Words that connect parts of a name. */
const JOINERS = toSet('the and und et');
/** Legal forms that are also names of people: like forms of two letters, they count only in capitals. */
const NAMES_AS_WELL = toSet('sia sas zoo');
/** With fewer equal consonants, names may still differ, as Гугл and Gala do. */
const MIN_CONSONANTS = 4;
/** The Jaro-Winkler score of consonants from which two spellings may be of one name. */
const MIN_ALIKE_SCORE = 0.8;
/** Written without a space, or of several words. */
const JOINED_FORMS =
  /công ty(?: tnhh| cp)?|บริษัท|จำกัด|株式会社|有限会社|合同会社|\(株\)|주식회사|유한회사|\(주\)|股份有限公司|有限责任公司|有限公司|公司|集团/giu;
const COMPANY_WORDS = toSet(`
  bank group holding international retail agency agentur agencia studio studios solutions consulting support team shop
  store systems technologies technology tech logistics logistik media ventures capital partners trading clinic
  restaurant hotel hostel cafe bar salon bakery garage services service software industries official channel news
  academy school university foundation travel immobilien insurance bau
  pharmacy bot магазин доставка банк компания агентство студия клиника поддержка салон ресторан служба отель новости бот`);
/** `acme.io` */
const DOMAIN = /^[a-z\d-]{2,63}\.(?:com|net|org|io|co|ai|app|dev|ru|ua|de|at|ch|uk|eu|fr|es|it|pl|nl|tech|shop|example)$/i;
/** 3M, X5, 1C, Web3, 7-Eleven, but neither `2` nor Anna88, and not the 2nd of a name. */
export const WITH_DIGIT = /^(?:(?!(?:2nd|3rd|4th)$)\d{1,3}-?\p{L}{1,9}|\p{Lu}{1,5}\d{1,2})$/u;

export const isDomain = (word: string): boolean => DOMAIN.test(word);

/** Whether these words, as written, name a company: a legal form, a word such as Bank, or a name with a digit. */
export function isCompany(words: readonly string[]): boolean {
  for (const word of words) {
    const plain = normalizeWord(word);
    const isSureForm = LEGAL_FORMS.has(plain) && plain.length > 2 && !NAMES_AS_WELL.has(plain);
    if (isSureForm || COMPANY_WORDS.has(plain) || WITH_DIGIT.test(word) || word.search(JOINED_FORMS) >= 0) return true;
  }
  if (words.length < 2) return false;
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  return ends.some(word => LEGAL_FORMS.has(normalizeWord(word)) && /^[\p{Lu}.]+$/u.test(word));
}

/** A company's words in small letters, without its legal form; none when there is nothing to compare. */
export function splitCompanyWords(name: string): string[] {
  const text = name.normalize('NFKC').replace(JOINED_FORMS, ' ');
  const words = text.split(/[^\p{L}\p{M}\p{N}.'’-]+/u);
  const parts = words.flatMap(word => (isDomain(word) ? word.slice(0, word.lastIndexOf('.')) : word).split('-'));
  return parts.map(normalizeWord).filter(word => word !== '' && !LEGAL_FORMS.has(word) && !JOINERS.has(word));
}

const normalizeWord = (word: string): string => word.toLowerCase().replace(/[.'’]/g, '');

type Verdict = 'same' | 'differs' | 'unknown';

/** Whether two names are one company's, but for common words, in any alphabet. `unknown`: one may be a short form. */
export function compareCompanies(one: readonly string[], other: readonly string[]): Verdict {
  const [shorter = [], longer = []] = [one, other].map(splitCompounds).toSorted((a, b) => a.length - b.length);
  if (shorter.every(isCommon)) return 'unknown';
  const whole = shorter.join('');
  const asWhole = compareSpelled(whole, longer.join(''));
  if (asWhole === 'same') return 'same';
  const asFront = compareSpelled(whole, longer.slice(0, shorter.length).join(''));
  const isDistinct = shorter.length > 1 || hasDigit(whole) || longer.slice(shorter.length).every(isCommon);
  if (asFront === 'same') return isDistinct ? 'same' : 'unknown';
  return asWhole === 'unknown' ? 'unknown' : asFront;
}

const hasDigit = (word: string) => /\d/.test(word);
const digitsOf = (word: string) => word.replace(/\P{N}/gu, '');
const isCommon = (word: string) => COMPANY_WORDS.has(word);

/** Splits off common words at the end of a word: "sberbank" becomes "sber" and "bank". */
function splitCompounds(words: readonly string[]): string[] {
  return words.flatMap(word => {
    const end = [...COMPANY_WORDS].find(common => common.length > 3 && word.slice(4).endsWith(common)) ?? '';
    return [word.slice(0, word.length - end.length), end].filter(Boolean);
  });
}

/** Across alphabets, consonants decide, and in doubt nothing does. */
function compareSpelled(a: string, b: string): Verdict {
  const areReadable = isReadable(a) && isReadable(b);
  if (a === b || (areReadable && companyKeys(a).some(key => companyKeys(b).includes(key)))) return 'same';
  if (areReadable ? isLatin(lettersOf(a)) === isLatin(lettersOf(b)) : isReadable(a) === isReadable(b)) return 'differs';
  if (hasDigit(a + b)) return areReadable && digitsOf(a) !== digitsOf(b) ? 'differs' : 'unknown';
  if (soundAlike(soundOf(a), soundOf(b))) return 'same';
  // The s of a plural is spoken as z.
  const [ours = '', theirs = ''] = [a, b].map(word => soundOf(word).consonants.replaceAll('z', 's'));
  if (ours === theirs) return ours.length >= MIN_CONSONANTS ? 'same' : 'unknown';
  return areReadable && jaroWinkler(ours, theirs) < MIN_ALIKE_SCORE ? 'differs' : 'unknown';
}

/** Whether the word's letters, if any, have an unambiguous romanisation. */
function isReadable(word: string): boolean {
  const letters = lettersOf(word);
  return letters === '' || isRomanisable(letters);
}

/** Romanised keys of a word, with its digits and their position. */
function companyKeys(word: string): string[] {
  return romanise(lettersOf(word)).map(form => `${romanKey(form)} ${digitsOf(word)} ${word.search(/\p{N}/u)}`);
}

const lettersOf = (word: string): string => word.replace(/\P{L}/gu, '');

/** Words beside a name that are no employer: a relation, which of several numbers, where they met. */
const RELATION_WORDS = toSet(`
  work office home private mobile phone number new old second main personal mom mum mother dad father sister brother wife husband
  aunt uncle cousin boyfriend girlfriend friend neighbor neighbour roommate colleague family tinder whatsapp telegram instagram
  school uni gym yoga church club arbeit büro privat handy nummer neu neue mutter vater schwester bruder tante onkel oma opa
  freund freundin nachbar nachbarin wg kollege kollegin familie schule verein trabajo casa móvil nuevo nueva madre padre vecino
  vecina amigo amiga travail maison voisin ami amie работа офис дом номер новый новая мама папа сестра брат тётя дядя сосед
  соседка друг подруга школа робота новий нова тато iş ev yeni anne baba москва киев київ`);

/** Countries in the languages of the product, and the cities that time zones are named after. Small letters. */
const places = once(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap(first => letters.map(second => first + second));
  const countries = ['en', 'de', 'es', 'fr', 'it', 'pl', 'pt', 'ru', 'tr', 'uk'].flatMap(language => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return codes.flatMap(code => names.of(code) ?? []);
  });
  const cities = Intl.supportedValuesOf('timeZone').map(zone => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '));
  return new Set([...countries, ...cities].map(place => place.toLowerCase()));
});

/** Whether text beside a name may be an employer, not a city or a relation. */
export function mayBeEmployer(beside: string): boolean {
  const words = beside.toLowerCase();
  return !places().has(words) && !words.split(/[\s-]+/).every(word => RELATION_WORDS.has(word));
}
