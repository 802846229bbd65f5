import type { CrmContact } from '../../../clients/crm/types.ts';
import { type Comparison, compareWithContact, contactName, listEvidence, readPerson } from './compareWithContact.ts';
import * as rules from './rules.ts';
import { CONFIDENCE, SUGGESTION_SCORES } from './rules.ts';
import type { MatchRule, MatchVerdict, Person, Suggestion } from './schema.ts';

type RuleMatch = {
  status: Exclude<MatchVerdict['status'], 'UNMATCHED'>;
  confidence: number;
  rule: MatchRule;
  comparison: Comparison;
};
/** `open`: this rule finds no contact, and the next is tried. `stop`: it finds several, and no other may decide. */
type RuleOutcome = RuleMatch | 'open' | 'stop';

/**
 * Matches by the first rule that holds: messenger id, phone, username, name. In doubt, suggests the best candidates.
 * @param rejected ids of contacts that a person rejected for this conversation
 */
export function matchPerson(person: Person, candidates: readonly CrmContact[], rejected: ReadonlySet<string>): MatchVerdict {
  const read = readPerson(person);
  const distinct = new Map(candidates.map(contact => [contact.id, contact]));
  const isOfAnother = ({ messengerUserId: id }: CrmContact) => id !== '' && id !== person.messengerUserId;
  const comparisons = [...distinct.values()]
    .filter(contact => !rejected.has(contact.id) && !isOfAnother(contact))
    .map(contact => compareWithContact(read, contact));
  for (const rule of [matchByMessengerId, matchByPhone, matchByUsername, matchByDialedNumber, matchByName]) {
    const outcome = rule(comparisons);
    if (outcome === 'stop') break;
    if (outcome !== 'open') return createMatchVerdict(person, comparisons, outcome);
  }
  return createOpenVerdict(listSuggestions(person, comparisons));
}

const matchByMessengerId = (comparisons: readonly Comparison[]) => matchOnlyOne(comparisons, 'messengerId');
const matchByUsername = (comparisons: readonly Comparison[]) => matchOnlyOne(comparisons, 'username');

function matchOnlyOne(comparisons: readonly Comparison[], rule: 'messengerId' | 'username'): RuleOutcome {
  const [only, ...others] = comparisons.filter(comparison => comparison[rule] === 'same');
  if (!only) return 'open';
  if (others.length > 0) return 'stop';
  // The stored status is the same for both: `rule` tells which of them matched.
  return { status: 'AUTO_USERNAME', confidence: CONFIDENCE[rule], rule, comparison: only };
}

/** If the number is shared or belongs to another name, the username decides. */
function matchByPhone(comparisons: readonly Comparison[]): RuleOutcome {
  const same = comparisons.filter(({ phone }) => phone === 'same');
  const [only, ...others] = same;
  if (!only) return 'open';
  const phoneMatch = (one: Comparison, confidence: number): RuleMatch => {
    return { status: 'AUTO_PHONE', confidence, rule: 'phone', comparison: one };
  };
  if (others.length > 0) {
    const whole = same.filter(isWholeName);
    const [agreeing, ...more] = whole.length > 0 ? whole : same.filter(({ namesAgree }) => namesAgree === 'agree');
    if (agreeing && more.length === 0) return phoneMatch(agreeing, CONFIDENCE.phoneOfNamesake);
    return matchByUsernameOr(comparisons, 'stop');
  }
  if (only.namesAgree === 'differ') return matchByUsernameOr(comparisons, phoneMatch(only, CONFIDENCE.phoneInDoubt));
  const isElsewhere = comparisons.some(comparison => comparison.username === 'same' && comparison !== only);
  return phoneMatch(only, only.namesAgree === 'unknown' && isElsewhere ? CONFIDENCE.phoneInDoubt : CONFIDENCE.phone);
}

/** A number without a country code may be another country's, so it matches only together with the whole name. */
function matchByDialedNumber(comparisons: readonly Comparison[]): RuleOutcome {
  const [only, ...others] = comparisons.filter(({ nationalPhone }) => nationalPhone === 'same');
  if (!only || others.length > 0 || !isWholeName(only) || only.username === 'differs') return 'open';
  return { status: 'AUTO_PHONE', confidence: CONFIDENCE.wholeNameAndDialedNumber, rule: 'phone', comparison: only };
}

function isWholeName({ name }: Comparison): boolean {
  return name.isOneName && name.score >= rules.SAME_NAME_SIMILARITY - rules.ROUNDING_TOLERANCE;
}

function matchByUsernameOr(comparisons: readonly Comparison[], otherwise: RuleOutcome): RuleOutcome {
  const outcome = matchByUsername(comparisons);
  return typeof outcome === 'string' ? otherwise : outcome;
}

function matchByName(comparisons: readonly Comparison[]): RuleOutcome {
  const [best, next] = comparisons.toSorted((a, b) => nameRank(b) - nameRank(a));
  if (!best || !isWholeName(best) || isContradicted(best)) return 'open';
  if (next && nameRank(best) - nameRank(next) < rules.REQUIRED_LEAD - rules.ROUNDING_TOLERANCE) return 'stop';
  const ofNameAndCompany =
    best.name.score * rules.EQUAL_NAME_CONFIDENCE + (best.company === 'same' ? rules.COMPANY_CONFIDENCE_BONUS : 0);
  const confidence = roundToHundredths(Math.min(rules.MAX_NAME_CONFIDENCE, ofNameAndCompany));
  return { status: 'AUTO_NAME', confidence, rule: 'name', comparison: best };
}

const nameRank = ({ name, company }: Comparison): number => name.score + (company === 'same' ? rules.COMPANY_RANK_BONUS : 0);

/** A contact of that name with another number, username or employer is more likely a namesake. */
function isContradicted({ phone, nationalPhone, username, company }: Comparison): boolean {
  const hasOtherNumber = phone === 'differs' || nationalPhone === 'differs';
  return username === 'differs' || company === 'differs' || (hasOtherNumber && company !== 'same');
}

function createMatchVerdict(person: Person, comparisons: readonly Comparison[], match: RuleMatch): MatchVerdict {
  const { status, confidence, rule } = match;
  const { contact } = match.comparison;
  const suggestions = listSuggestions(
    person,
    comparisons.filter(comparison => comparison !== match.comparison),
  );
  const [second] = suggestions;
  const runnerUp = second ? { contactId: second.contact.id, name: contactName(second.contact), score: second.score } : null;
  return { status, confidence, rule, contact, evidence: listEvidence(person, match.comparison), runnerUp, suggestions };
}

/** A verdict without a contact, which offers the first five suggestions. */
function createOpenVerdict(suggestions: Suggestion[]): MatchVerdict {
  const unmatched = { status: 'UNMATCHED', confidence: 0, rule: null, contact: null, runnerUp: null } as const;
  return { ...unmatched, evidence: [], suggestions: suggestions.slice(0, rules.MAX_SUGGESTIONS) };
}

const idCollator = new Intl.Collator('en', { numeric: true });

/** The best suggestions. Equal scores are sorted by id, so that a proposal stays the same as long as nothing changed. */
function listSuggestions(person: Person, comparisons: readonly Comparison[]): Suggestion[] {
  return comparisons
    .map(comparison => ({ comparison, score: suggestionScore(comparison) }))
    .filter(({ score }) => score >= rules.MIN_SUGGESTION_SCORE)
    .sort((a, b) => b.score - a.score || idCollator.compare(a.comparison.contact.id, b.comparison.contact.id))
    .slice(0, rules.MAX_SUGGESTIONS)
    .map(({ comparison, score }) => ({ contact: comparison.contact, score, evidence: listEvidence(person, comparison) }));
}

function suggestionScore(comparison: Comparison): number {
  const { messengerId, phone, nationalPhone, username, name, company, namesAgree } = comparison;
  const byName = name.relation === 'differs' ? 0 : name.score * rules.MAX_NAME_CONFIDENCE;
  const byCompany = company === 'same' && byName > 0 ? rules.COMPANY_SUGGESTION_BONUS : 0;
  const nameAgreement = namesAgree === 'differ' ? 'otherName' : 'anyName';
  const byHandle = messengerId === 'same' || username === 'same' ? SUGGESTION_SCORES.handle : 0;
  const byNumber = phone === 'same' ? SUGGESTION_SCORES.phone[nameAgreement] : 0;
  const byNational = nationalPhone === 'same' ? SUGGESTION_SCORES.nationalPhone[nameAgreement] : 0;
  return roundToHundredths(
    Math.max(byHandle, byNumber, byNational, Math.min(rules.MAX_NAME_CONFIDENCE, byName + byCompany)),
  );
}

const roundToHundredths = (score: number): number => Math.round(score * 100) / 100;

/** The contact that a conversation's person is matched to. */
export type ContactClaim = { dialogId: string; messengerUserId: string; contactId: string };
export type PersonVerdict = { dialogId: string; messengerUserId: string; verdict: MatchVerdict };

/**
 * If people share a name and one contact, at most one match is right, so none is accepted. A match by name also yields to a
 * conversation already linked to the contact. Accounts of the same person are no rivals.
 * @param otherClaims links that are not being decided
 */
export function dropSharedNameMatches(
  judged: readonly PersonVerdict[],
  otherClaims: readonly ContactClaim[],
): PersonVerdict[] {
  const claims = [...otherClaims, ...judged.flatMap(toContactClaims)];
  const byContact = Map.groupBy(claims, ({ contactId }) => contactId);
  return judged.map(claimant => {
    const rivals = byContact.get(claimant.verdict.contact?.id ?? '') ?? [];
    const isRivalled = rivals.some(({ messengerUserId }) => messengerUserId !== claimant.messengerUserId);
    return isRivalled && claimant.verdict.rule === 'name'
      ? { ...claimant, verdict: reopenVerdict(claimant.verdict) }
      : claimant;
  });
}

function toContactClaims({ dialogId, messengerUserId, verdict }: PersonVerdict): ContactClaim[] {
  return verdict.contact ? [{ dialogId, messengerUserId, contactId: verdict.contact.id }] : [];
}

function reopenVerdict({ contact, confidence, evidence, suggestions }: MatchVerdict): MatchVerdict {
  const first = contact ? [{ contact, score: confidence, evidence }] : [];
  return createOpenVerdict([...first, ...suggestions]);
}
