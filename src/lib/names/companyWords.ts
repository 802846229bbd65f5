import type { Token } from './tokens.ts';

/** Words of companies and occupations, as opposed to names. Lower case, without dots. */

const LEGAL_FORMS = new Set(
  `gmbh ag kg ug ohg mbh ev co inc incorporated corp corporation llc llp ltd limited plc company sa sas sarl sl srl spa bv
  nv ab as aps oy oyj sp zoo kft doo pty pte group holding ooo oao zao pao tov ip fop uab oü sia se ou ао ооо оао зао
  пао тов тоо ип фоп чп the and und et`.split(/\s+/),
);
/** Legal forms that are nothing else: a name with one of them is a company's. */
const SURE_FORMS = new Set(
  `gmbh ohg mbh inc incorporated corp corporation llc llp ltd limited plc sarl srl spa kft doo pty pte ооо оао зао пао тов
  тоо ооо oyj uab aps`.split(/\s+/),
);
/** Legal forms only in capitals and at the end: As, Sa and Co are names or words, too. */
const FORMS_IN_CAPITALS =
  /^(?:AG|KG|UG|SA|SAS|SL|BV|NV|AB|AS|SE|OY|CO|S\.A\.|S\.L\.|B\.V\.|N\.V\.|S\.p\.A\.|S\.r\.l\.|Co\.|Oy|АО|ИП|ФОП|ЧП)$/;

const COMPANY_WORDS = new Set(
  `bank group holding holdings agency agentur agencia agence studio studios solutions consulting consultants support team
  shop store stores systems system technologies technology tech logistics logistik media marketing ventures capital
  partners trading clinic clinics restaurant ristorante hotel hostel cafe bar gym salon bakery garage services service
  software labs lab industries international global company official channel news club academy school university
  foundation association magazine travel tours realty estate properties immobilien versicherung insurance finance
  construction bau autohaus apotheke pharmacy pizzeria delivery express transport cargo foods design digital energy
  electronics motors cars airlines bot crypto exchange airdrop invest investments jobs wallet helpdesk reception office
  магазин доставка банк группа агентство студия компания клиника школа академия поддержка салон ресторан служба центр
  сервис строй отель новости канал бот магазин магазин крамниця агенція компанія`.split(/\s+/),
);
const COMPANY_ENDINGS = /(?:有限公司|股份公司|公司|株式会社|合同会社|주식회사|集团|銀行|银行|㈜)/u;

const ROLES = new Set(
  `ceo cto cfo coo cmo cio cpo hr vp svp evp founder cofounder owner director manager sales recruiter recruiting developer
  engineer designer consultant lawyer attorney accountant plumber electrician driver taxi realtor broker agent trainer
  coach teacher tutor dentist photographer freelancer assistant secretary head lead chief president chairman partner
  investor analyst producer editor journalist nanny babysitter cleaner landlord handyman mechanic klempner elektriker
  handwerker hausmeister vermieter steuerberater anwalt rechtsanwalt geschäftsführer gründer fahrer makler arzt
  менеджер директор бухгалтер юрист водитель таксист сантехник электрик мастер основатель владелец дизайнер
  разработчик риелтор риэлтор тренер репетитор няня врач стоматолог адвокат продажи закупки директорка бухгалтерка
  gerente abogado fontanero dueño vendedor avocat directeur plombier commercial comptable dyrektor prezes księgowa hydraulik
  müdür satış avukat`.split(/\s+/),
);
/** Words that count only beside a role: Head of Sales, Co-Founder & CEO. */
const ROLE_FILLERS = new Set(
  `of and und the for de in & + at vice senior junior general key account product project
  business development marketing managing executive operations finance it pr team tech customer success technical art
  creative regional co по и`.split(/\s+/),
);

const PLACEHOLDER_NAMES = new Set(
  `deleted account|unknown|unbekannt|unknown user|telegram|saved messages|no name|noname|null|undefined|none|anonymous|
  anonym|test|user|guest|admin|без имени|неизвестный|неизвестно|удалённый аккаунт|удаленный аккаунт|gelöschtes konto|
  cuenta eliminada|compte supprimé|n/a|na|telegram user|private|hidden|contact|new contact|kontakt`
    .split('|')
    .map(words => words.trim()),
);

export function isLegalForm(key: string): boolean {
  return LEGAL_FORMS.has(key);
}

/** Whether these words name a company: a legal form, a word such as Bank, or two names joined by a sign. */
export function isCompany(words: readonly Token[]): boolean {
  const last = words.at(-1);
  if (words.some(word => isIn(SURE_FORMS, word) || isIn(COMPANY_WORDS, word))) return true;
  if (last && words.length > 1 && FORMS_IN_CAPITALS.test(last.written)) return true;
  if (words.length > 1 && /^(?:ИП|ФОП|ЧП|ООО|АО|PT)$/.test(words[0]?.written ?? '')) return true;
  return words.some(({ written }) => COMPANY_ENDINGS.test(written) || isDomain(written) || hasDigitInside(written));
}

/** `acme.io` */
export function isDomain(word: string): boolean {
  return /^[a-z\d-]{2,63}\.(?:com|net|org|io|co|ai|app|dev|ru|ua|de|at|ch|uk|eu|fr|es|it|pl|nl|tech|shop|agency|example)$/i.test(
    word,
  );
}

/** 3M, 1C, Web3, but neither `2` nor Anna88. */
function hasDigitInside(word: string): boolean {
  return /^\d{1,3}\p{L}{1,9}$/u.test(word) || /^\p{Lu}{1,5}\d{1,2}$/u.test(word);
}

export function isRole(word: Token): boolean {
  return isIn(ROLES, word);
}

/** Whether the words are an occupation and nothing else. */
export function isRoleOnly(words: readonly Token[]): boolean {
  return words.some(isRole) && words.every(word => isRole(word) || isRoleFiller(word));
}

/** Minnie Driver, Anthony Head: in a name of two words such a role is a surname. */
export function isSurnameAsWell(word: Token): boolean {
  return /^(?:driver|head|chief|coach|agent|trainer|president|partner|cleaner|chairman|teacher)$/.test(word.key);
}

export function isRoleFiller(word: Token): boolean {
  return isIn(ROLE_FILLERS, word);
}

/** Whether it is a placeholder for a missing name. */
export function isPlaceholderName(text: string): boolean {
  return PLACEHOLDER_NAMES.has(text.toLowerCase());
}

function isIn(list: ReadonlySet<string>, { small, key }: Token): boolean {
  return list.has(small) || list.has(key);
}
