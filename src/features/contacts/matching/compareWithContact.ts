import type { CrmContact } from '../../../clients/crm/types.ts';
import { compareCompanies, mayBeEmployer, splitCompanyWords } from '../../../lib/names/companyWords.ts';
import { compareNames, type NameComparison, type NameRelation } from '../../../lib/names/compareNames.ts';
import { isGivenName } from '../../../lib/names/givenNames.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { type FiledName, type Reading, readFiledName, readName } from '../../../lib/names/readings.ts';
import { romanise } from '../../../lib/names/romanise.ts';
import { listTypedNumbers, phoneKey, readPhone, readPhones } from '../../../lib/phone.ts';
import type { Evidence, Person } from './schema.ts';

type Verdict = 'same' | 'differs' | 'unknown';

/** Everything learned from comparing a person with a contact. */
export type Comparison = PhoneComparison & {
  contact: CrmContact;
  name: NameComparison;
  namesAgree: 'agree' | 'differ' | 'unknown';
  company: Verdict;
  username: Verdict;
  messengerId: 'same' | 'unknown';
  /** The part of the person's name that isn't a name. */
  extra: string;
};

const NO_NAME: NameComparison = { score: 0, isOneName: false, relation: 'differs' };

type ReadPerson = { person: Person; readings: readonly Reading[] };

export function readPerson(person: Person): ReadPerson {
  return { person, readings: readName(person.name, person.username) };
}

export function compareWithContact({ person, readings }: ReadPerson, contact: CrmContact): Comparison {
  const theirs = readContactName(contact);
  const compared = readings.map(reading => ({ reading, name: compareNames(reading, theirs) }));
  // Of equal ones the first, which is the likeliest reading.
  const [best] = compared.toSorted((a, b) => b.name.score - a.name.score);
  const extras = best?.reading.extras ?? [];
  return {
    ...comparePhone(person, contact),
    contact,
    name: best?.name ?? NO_NAME,
    namesAgree: best && theirs.words.length > 0 ? judgeAgreement(best.name) : 'unknown',
    company: compareCompany(extras, contact),
    username: compareUsername(person.username, contact.messengerUsername),
    messengerId: contact.messengerUserId === person.messengerUserId ? 'same' : 'unknown',
    extra: extras.join(', '),
  };
}

/** Counts a merely similar name as different: it may be a relative's, who may share the number. */
function judgeAgreement({ relation }: NameComparison): 'agree' | 'differ' {
  return relation === 'differs' || relation === 'near' ? 'differ' : 'agree';
}

/**
 * Compares the extra words of a messenger name with the contact's company. `unknown`: there are no extra words, the
 * contact has no company, one of the two can't be read, or the words are no company, such as a nickname.
 */
function compareCompany(extras: readonly string[], contact: CrmContact): Verdict {
  const employerWords = extras.filter(mayBeEmployer).map(splitCompanyWords);
  const employers = employerWords.filter(words => !words.every(word => romanise(word).some(isGivenName)));
  const verdicts = employers.map(words => compareCompanies(words, splitCompanyWords(contact.company)));
  const inEmail = companyWordsInEmail(contact.email);
  if (verdicts.includes('same') || employers.some(words => compareCompanies(words, inEmail) === 'same')) return 'same';
  return verdicts.includes('differs') ? 'differs' : 'unknown';
}

/** The company's name in the domain of an email address, at most one word: `umbrella` of anna@umbrella.co.uk. */
function companyWordsInEmail(email: string): string[] {
  const labels = email.split('@')[1]?.toLowerCase().split('.') ?? [];
  const isBelowCountry =
    labels.length > 2 && labels.at(-1)?.length === 2 && /^(?:com?|org|net|gov|ac|ltd)$/.test(labels.at(-2) ?? '');
  const own = labels.at(isBelowCountry ? -3 : -2);
  return own ? [own.replace(/[^a-z\d]/g, '')] : [];
}

function compareUsername(ours: string, theirs: string): Verdict {
  const [personUsername, contactUsername] = [plainUsername(ours), plainUsername(theirs)];
  if (personUsername === '' || contactUsername === '') return 'unknown';
  return personUsername === contactUsername ? 'same' : 'differs';
}

/** A username by the messenger's own rules. Anything else in the CRM's field is a remark. */
const USERNAME = /^[a-z][a-z0-9_]{2,31}$/;

/** A username as typed, in lower case and without @ and t.me/; '' when it isn't one. */
export function plainUsername(noted: string): string {
  const name = noted
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.(?:me|dog)\//, '')
    .replace(/^tg:\/\/resolve\?domain=/, '')
    .replace(/^@/, '')
    .split(/[/?]/, 1)
    .join();
  return USERNAME.test(name) ? name : '';
}

/** The evidence for or against a match, field by field, in a few words. */
export function listEvidence(person: Person, compared: Comparison): Evidence[] {
  const { contact } = compared;
  const rows: Evidence[] = [
    nameRow(person, compared),
    phoneRow(person, compared),
    {
      field: 'username',
      verdict: compared.username,
      words: wordsOfHandle(compared.username, 'username', person.username, contact.messengerUsername),
      ours: person.username,
      theirs: contact.messengerUsername,
    },
    companyRow(compared),
    { field: 'email', verdict: 'unknown', words: '', ours: '', theirs: contact.email },
  ];
  if (compared.messengerId !== 'same') return rows;
  const { messengerUserId } = person;
  const words = 'Same Telegram account';
  return [{ field: 'messengerId', verdict: 'same', words, ours: messengerUserId, theirs: messengerUserId }, ...rows];
}

const NAME_WORDS: Record<NameRelation, string> = {
  same: 'Same name',
  otherAlphabet: 'Same name, different alphabet',
  swapped: 'Same name, different order',
  spelled: 'Same name, different spelling',
  partly: 'Part of the name',
  near: 'Similar name, may be another person',
  sounds: 'May be the same name in another script',
  differs: 'Another name',
};
const SAME_NAMES: readonly NameRelation[] = ['same', 'otherAlphabet', 'swapped', 'spelled'];

function nameRow(person: Person, { contact, name, namesAgree }: Comparison): Evidence {
  const theirs = `${contact.firstName} ${contact.lastName}`.trim();
  const row = { field: 'name' as const, ours: person.name, theirs };
  if (namesAgree === 'unknown') return { ...row, verdict: 'unknown', words: 'Cannot compare' };
  const isSameName = SAME_NAMES.includes(name.relation);
  return { ...row, verdict: verdictOnName(name), words: NAME_WORDS[name.relation], isSameName };
}

function verdictOnName({ isOneName, relation }: NameComparison): Evidence['verdict'] {
  if (relation === 'differs') return 'differs';
  return isOneName && (relation === 'same' || relation === 'swapped') ? 'same' : 'similar';
}

/** Evidence of the phone numbers. One without a country code is read as dialed in the user's country, and says so. */
function phoneRow({ phone: ours, callingCode }: Person, { phone, nationalPhone, phoneToShow }: Comparison): Evidence {
  const theirs = phoneToShow;
  const row = { field: 'phone' as const, ours, theirs };
  if (phone !== 'same' && nationalPhone === 'same') {
    return { ...row, verdict: 'similar', words: `Same number as dialed in +${callingCode}` };
  }
  if (phone === 'unknown' && nationalPhone === 'differs') {
    return { ...row, verdict: 'differs', words: `Different number as dialed in +${callingCode}` };
  }
  const isWithoutCode = listTypedNumbers(theirs).length > 0 && !readPhone(theirs, callingCode);
  if (phone === 'unknown' && ours !== '' && isWithoutCode) return { ...row, verdict: 'unknown', words: 'No country code' };
  return { ...row, verdict: phone, words: wordsOfHandle(phone, 'number', ours, theirs) };
}

function companyRow({ contact, company, extra }: Comparison): Evidence {
  const row = { field: 'company' as const, verdict: company, ours: extra, theirs: contact.company };
  if (company === 'same') return { ...row, words: 'Company appears in the Telegram name' };
  return { ...row, words: company === 'differs' ? 'A different company appears in the name' : '' };
}

function wordsOfHandle(verdict: Verdict, what: string, ours: string, theirs: string): string {
  if (verdict === 'same') return `Same ${what}`;
  if (verdict === 'differs') return `Another ${what}`;
  if (theirs === '') return 'CRM has none';
  return ours === '' ? 'Cannot compare' : 'Not readable';
}

type PersonPhone = Pick<Person, 'phone' | 'callingCode'>;

/** A number of a contact; `isDialed`: without a country code, as it is dialed in the account's country. */
type ContactPhone = { typed: string; key: string; isDialed: boolean };

type PhoneComparison = {
  phone: Verdict;
  /** Numbers without a country code: a hint only, as digits repeat across countries. */
  nationalPhone: Verdict;
  /** The contact's equal number, else one that may be equal, else the first. */
  phoneToShow: string;
};

/** Compares a person's number with the contact's numbers: only those with a country code are compared as `phone`. */
export function comparePhone({ phone, callingCode }: PersonPhone, contact: CrmContact): PhoneComparison {
  const number = readPhone(phone);
  const personKey = number ? phoneKey(number) : '';
  const typed = contactPhones(contact, callingCode);
  const international = typed.filter(({ isDialed }) => !isDialed);
  const dialed = typed.filter(({ isDialed }) => isDialed);
  const nationalPhone = compareKeys(personKey, dialed);
  const isAbroad = number?.countryCallingCode !== callingCode;
  const equal = [...international, ...dialed].find(({ key }) => key === personKey);
  return {
    phone: compareKeys(personKey, international),
    nationalPhone: nationalPhone === 'differs' && isAbroad ? 'unknown' : nationalPhone,
    phoneToShow: equal?.typed ?? (contact.phone || contact.mobilePhone),
  };
}

function compareKeys(personKey: string, theirs: readonly ContactPhone[]): Verdict {
  if (personKey === '' || theirs.length === 0) return 'unknown';
  return theirs.some(({ key }) => key === personKey) ? 'same' : 'differs';
}

function contactPhones(contact: CrmContact, callingCode: string): ContactPhone[] {
  return [contact.phone, contact.mobilePhone].flatMap(typed =>
    readPhones(typed, callingCode).map(({ number, isDialed }) => ({ typed, key: phoneKey(number), isDialed })),
  );
}

/** Characters a form accepts for one name. */
const MAX_FIELD_LENGTH = 100;

/** Display name of a contact. Never empty, although a record may lack name and email address. */
export function contactName(contact: Pick<CrmContact, 'firstName' | 'lastName' | 'email' | 'company'>): string {
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return name || contact.email || contact.company || 'Contact without a name';
}

const filedNames = new WeakMap<CrmContact, FiledName>();

/** A contact's name, parsed once for each contact that is compared. */
export function readContactName(contact: CrmContact): FiledName {
  const name = filedNames.get(contact) ?? readFiledName(contact.firstName, contact.lastName);
  filedNames.set(contact, name);
  return name;
}

/** Splits a messenger name into the fields of a new contact. A company alone goes into `firstname` as well. */
export function splitContactName(messengerName: string): { firstname: string; lastname: string; company: string } {
  const { given, family, suffix, display, company } = readPersonName(messengerName);
  const lastname = [family, suffix].filter(Boolean).join(' ').slice(0, MAX_FIELD_LENGTH).toWellFormed();
  const firstname = given || (lastname === '' ? display : '');
  return { firstname, lastname, company: mayBeEmployer(company) ? company : '' };
}
