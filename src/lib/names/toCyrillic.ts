import { romanise } from './romanise.ts';
import { romanisedForms } from './romanisedNames.ts';

/** Given names as they are written in Russian, Ukrainian, Bulgarian, Serbian and the languages of Central Asia. */
const GIVEN = `
александр александра олександр олександра алексей олексій алексеј альберт альбина алина алиса аліна алла анастасия анастасія
анатолий анатолій андрей андрій андреј анна ганна антон антонина аркадий артем артём артур арсений ася богдан божена борис
вадим валентин валентина валерий валерия валерій варвара василий василь вера віра вероника виктор виктория віктор вікторія
виталий віталій владимир володимир владислав владислава всеволод вячеслав в'ячеслав галина гала геннадий геннадій георгий
георги георгій герман глеб гліб григорий григорій гульнара данил даниил данило дарья дарина дарія денис диана дмитрий дмитро
дина ева евгений евгения євген євгенія егор екатерина катерина елена олена елизавета єлизавета жанна зинаида зоя иван іван
игорь ігор илья ілля инна інна ирина ірина кира кирилл кирило константин костянтин ксения ксенія кристина лариса лев леонид
леонід лидия лилия лина лука любовь людмила макар максим марат маргарита марина мария марія марк мартин матвей мила милан
милош милена мирослав михаил михайло надежда надія назар наталья наталия наталія никита микита николай микола нина ніна оксана
олег ольга остап павел павло пётр петр петро полина раиса ринат роман ростислав руслан рустам савва светлана світлана святослав
семён семен сергей сергій софия софья софія станислав степан стефан тамара тарас татьяна тетяна тимофей тимофій тимур
фёдор федір филипп эдуард эльвира эмиль эрик юлия юлія юрий юрій яков яна ян ярослав ярослава айгуль айгерим алия аскар
азамат бауыржан гульназ данияр диляра ержан замира ильдар камила мадина нурлан нурсултан салтанат тимурлан шамиль
јелена јован никола милица драган драгана зоран горан ивана јована марко петар стојан радослав
`;

const MOST_FORMS = 8;

/** The names in Cyrillic, by every way to write them in Latin letters. */
const BY_LATIN = new Map<string, string[]>();
for (const name of GIVEN.trim().split(/\s+/)) {
  // Miloš also becomes Milos, which only drops the sign over its letter.
  const forms = romanise(name).flatMap(form => [form, form.replace(/([csz])h/g, '$1')]);
  for (const form of new Set(forms)) BY_LATIN.set(form, [...(BY_LATIN.get(form) ?? []), name]);
}

type Rules = readonly (readonly [RegExp, string])[];

/** What Russian and Ukrainian share, the longest first. */
const SHARED: Rules = [
  [/shch/g, 'щ'],
  [/sch(?=[aeiou])/g, 'щ'],
  [/tch/g, 'ч'],
  [/zh/g, 'ж'],
  [/kh/g, 'х'],
  [/ts/g, 'ц'],
  [/ch/g, 'ч'],
  [/sh/g, 'ш'],
  [/yu|iu|ju/g, 'ю'],
  [/ya|ia|ja/g, 'я'],
  [/x/g, 'кс'],
];
const RUSSIAN: Rules = [
  ...SHARED,
  [/(?:skyi|skiy|skii|skij|ski|sky)$/, 'ский'],
  [/цk(?:yi|iy|ii|ij|i|y)$/, 'цкий'],
  [/([bvgdklmnprstfzжшщч])(?:yo|io)/g, '$1ё'],
  [/yo|jo/g, 'ё'],
  [/(^|[aeiou])[yj]e/g, '$1е'],
  [/(?:iy|ii|yy|ij|y)$/, 'ий'],
  [/([aeou])[yij](?![aeiou])/g, '$1й'],
];
const UKRAINIAN: Rules = [
  ...SHARED,
  [/(?:skyi|skiy|skii|skij|ski|sky)$/, 'ський'],
  [/цk(?:yi|iy|ii|ij|i|y)$/, 'цький'],
  [/(^|[aeiou])[yj]e/g, '$1є'],
  [/(?:iy|ii|yy|yi|ij)$/, 'ій'],
  [/yi/g, 'ї'],
  [/([aeou])[yij](?![aeiou])/g, '$1й'],
  [/h/g, 'г'],
  [/y/g, 'и'],
  [/i/g, 'і'],
];
const LETTERS: Record<string, string> = Object.fromEntries(
  [...'abvgdezijklmnoprstufhyw'].map((letter, at) => [letter, [...'абвгдезийклмнопрстуфхыв'][at] ?? letter]),
);
const FAMILY_ENDING =
  /(?:ov|ova|ev|eva|yov|iov|in|ina|yn|yna|sky|ski|skiy|skii|skyi|skaya|ska|enko|chuk|yuk|iuk|uk|ko|ich|ych|ic|ovic|yan|ian|dze|ar|ets|yi|iy|ii|ay|ai|ek|ak|yk|ik)$/;

/** The Cyrillic spellings of a given name in plain Latin letters; none for a name that is not known there. */
export function cyrillicGivenNames(plain: string): string[] {
  const forms = [plain, ...romanisedForms(plain)];
  return unique(forms.flatMap(form => BY_LATIN.get(form) ?? []));
}

/** The Cyrillic spellings of a family name, the likelier first, if its ending looks as if it came from there. */
export function cyrillicFamilyNames(plain: string): string[] {
  if (!FAMILY_ENDING.test(plain)) return [];
  const [russian, ukrainian] = [RUSSIAN, UKRAINIAN].map(rules => spelled(plain, rules));
  const soft = softened(spelled(plain.replace(/(?:[yi]ov|[yi]ev|ev)(a?)$/, 'ev$1'), RUSSIAN));
  return unique([russian ?? '', ukrainian ?? '', ...soft]).slice(0, MOST_FORMS);
}

/** Restores the letters that Latin leaves out: Соловьёв, Соловьев, Королёв. */
function softened(russian: string): string[] {
  if (!/ева?$/.test(russian)) return [];
  return ['ьев', 'ьёв', 'ев', 'ёв'].map(ending => russian.replace(/ев(а?)$/, `${ending}$1`));
}

function spelled(plain: string, rules: Rules): string {
  const pairs = rules.reduce((text, [pattern, letter]) => text.replace(pattern, letter), plain);
  return pairs.replace(/[a-z]/g, letter => LETTERS[letter] ?? letter);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter(value => value !== '');
}
