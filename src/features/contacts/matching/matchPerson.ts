import type { CrmContact } from '../../../clients/crm/types.ts';
import { type Comparison, compare, contactName, evidenceIn, readPerson } from './compare.ts';
import * as rules from './rules.ts';
import type { MatchRule, MatchVerdict, Person, Suggestion } from './schema.ts';

type RuleMatch = {
  status: Exclude<MatchVerdict['status'], 'UNMATCHED'>;
  confidence: number;
  rule: MatchRule;
  compared: Comparison;
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
  const compared = [...distinct.values()]
    .filter(contact => !rejected.has(contact.id) && !isOfAnother(contact))
    .map(contact => compare(read, contact));
  for (const rule of [byMessengerId, byPhone, byUsername, byDialedNumber, byName]) {
    const outcome = rule(compared);
    if (outcome === 'open') continue;
    return outcome === 'stop' ? unmatched(person, compared) : matched(person, compared, outcome);
  }
  return unmatched(person, compared);
}

function byMessengerId(compared: readonly Comparison[]): RuleOutcome {
  const same = compared.filter(({ messengerId }) => messengerId === 'same');
  return onlyOne(same, only => ({ status: 'AUTO_USERNAME', confidence: 0.99, rule: 'messengerId', compared: only }));
}

function byUsername(compared: readonly Comparison[]): RuleOutcome {
  const same = compared.filter(({ username }) => username === 'same');
  return onlyOne(same, only => ({ status: 'AUTO_USERNAME', confidence: 0.95, rule: 'username', compared: only }));
}

function onlyOne(same: readonly Comparison[], toMatch: (only: Comparison) => RuleMatch): RuleOutcome {
  const [only, ...others] = same;
  if (!only) return 'open';
  return others.length === 0 ? toMatch(only) : 'stop';
}

/** If the number is shared or belongs to another name, the username decides. */
function byPhone(compared: readonly Comparison[]): RuleOutcome {
  const same = compared.filter(({ phone }) => phone === 'same');
  const [only, ...others] = same;
  if (!only) return 'open';
  const phoneMatch = (one: Comparison, confidence: number): RuleMatch => {
    return { status: 'AUTO_PHONE', confidence, rule: 'phone', compared: one };
  };
  if (others.length > 0) {
    const whole = same.filter(isWholeName);
    const [agreeing, ...more] = whole.length > 0 ? whole : same.filter(({ namesAgree }) => namesAgree === 'agree');
    if (agreeing && more.length === 0) return phoneMatch(agreeing, 0.9);
    return usernameOr(compared, 'stop');
  }
  if (only.namesAgree === 'differ') return usernameOr(compared, phoneMatch(only, 0.8));
  const isElsewhere = compared.some(one => one.username === 'same' && one !== only);
  return phoneMatch(only, only.namesAgree === 'unknown' && isElsewhere ? 0.8 : 0.98);
}

/** A number without a country code may be another country’s: it decides only with the whole name, as the user dials. */
function byDialedNumber(compared: readonly Comparison[]): RuleOutcome {
  const [only, ...others] = compared.filter(({ nationalPhone }) => nationalPhone === 'same');
  if (!only || others.length > 0 || !isWholeName(only) || only.username === 'differs') return 'open';
  return { status: 'AUTO_PHONE', confidence: rules.NAME_AND_NUMBER, rule: 'phone', compared: only };
}

function isWholeName({ name }: Comparison): boolean {
  return name.isOneName && name.score >= rules.SAME_NAME_SIMILARITY - rules.ROUNDING_TOLERANCE;
}

function usernameOr(compared: readonly Comparison[], otherwise: RuleOutcome): RuleOutcome {
  const outcome = byUsername(compared);
  return typeof outcome === 'string' ? otherwise : outcome;
}

function byName(compared: readonly Comparison[]): RuleOutcome {
  const [best, next] = compared.toSorted((a, b) => nameRank(b) - nameRank(a));
  if (!best || !isWholeName(best) || isContradicted(best)) return 'open';
  if (next && nameRank(best) - nameRank(next) < rules.REQUIRED_LEAD - rules.ROUNDING_TOLERANCE) return 'stop';
  const sure = best.name.score * rules.EQUAL_NAME_CONFIDENCE + (best.company === 'same' ? rules.COMPANY_CONFIRMS : 0);
  const confidence = hundredths(Math.min(rules.MAX_NAME_CONFIDENCE, sure));
  return { status: 'AUTO_NAME', confidence, rule: 'name', compared: best };
}

function nameRank({ name, company }: Comparison): number {
  return name.score + (company === 'same' ? rules.COMPANY_AHEAD : 0);
}

/** A contact of that name with another number, username or employer is more likely a namesake. */
function isContradicted({ phone, nationalPhone, username, company }: Comparison): boolean {
  const hasOtherNumber = phone === 'differs' || nationalPhone === 'differs';
  return username === 'differs' || company === 'differs' || (hasOtherNumber && company !== 'same');
}

function matched(person: Person, compared: readonly Comparison[], match: RuleMatch): MatchVerdict {
  const { status, confidence, rule } = match;
  const { contact } = match.compared;
  const suggestions = suggest(
    person,
    compared.filter(comparison => comparison !== match.compared),
  );
  const [second] = suggestions;
  const runnerUp = second ? { contactId: second.contact.id, name: contactName(second.contact), score: second.score } : null;
  return { status, confidence, rule, contact, evidence: evidenceIn(person, match.compared), runnerUp, suggestions };
}

function unmatched(person: Person, compared: readonly Comparison[]): MatchVerdict {
  return openVerdict(suggest(person, compared));
}

/** No contact is accepted; offers the first five. */
function openVerdict(suggestions: Suggestion[]): MatchVerdict {
  const unmatched = { status: 'UNMATCHED', confidence: 0, rule: null, contact: null, runnerUp: null } as const;
  return { ...unmatched, evidence: [], suggestions: suggestions.slice(0, rules.SUGGESTIONS) };
}

const byId = new Intl.Collator('en', { numeric: true });

/** Sorted deterministically, so that an unchanged proposal stays unchanged. */
function suggest(person: Person, compared: readonly Comparison[]): Suggestion[] {
  return compared
    .map(comparison => ({ comparison, score: suggestionScore(comparison) }))
    .filter(({ score }) => score >= rules.WORTH_SUGGESTING)
    .sort((a, b) => b.score - a.score || byId.compare(a.comparison.contact.id, b.comparison.contact.id))
    .slice(0, rules.SUGGESTIONS)
    .map(({ comparison, score }) => ({ contact: comparison.contact, score, evidence: evidenceIn(person, comparison) }));
}

function suggestionScore(compared: Comparison): number {
  const { messengerId, phone, nationalPhone, username, name, company, namesAgree } = compared;
  const byName = name.relation === 'differs' ? 0 : name.score * rules.MAX_NAME_CONFIDENCE;
  const byCompany = company === 'same' && byName > 0 ? rules.COMPANY_SUGGESTS : 0;
  const byHandle = messengerId === 'same' || username === 'same' ? 0.9 : 0;
  const [ofNumber, ofNational] = namesAgree === 'differ' ? [0.7, 0.6] : [0.85, 0.8];
  const byNumber = phone === 'same' ? ofNumber : 0;
  const byNational = nationalPhone === 'same' ? ofNational : 0;
  return hundredths(Math.max(byHandle, byNumber, byNational, Math.min(rules.MAX_NAME_CONFIDENCE, byName + byCompany)));
}

function hundredths(score: number): number {
  return Math.round(score * 100) / 100;
}

/** A conversation claims this contact for its person. */
export type ContactClaim = { dialogId: string; messengerUserId: string; contactId: string };
export type Judged = { dialogId: string; messengerUserId: string; verdict: MatchVerdict };

/**
 * If people share a name and one contact, at most one match is right, so none is accepted. A match by name also yields to a
 * conversation already linked to the contact. Accounts of the same person are no rivals.
 * @param standing links that are not being decided
 */
export function dropSharedNameMatches(judged: readonly Judged[], standing: readonly ContactClaim[]): Judged[] {
  const claims = [...standing, ...judged.flatMap(toContactClaims)];
  const byContact = Map.groupBy(claims, ({ contactId }) => contactId);
  return judged.map(one => {
    const rivals = byContact.get(one.verdict.contact?.id ?? '') ?? [];
    const isRivalled = rivals.some(({ messengerUserId }) => messengerUserId !== one.messengerUserId);
    return isRivalled && one.verdict.rule === 'name' ? { ...one, verdict: leftOpen(one.verdict) } : one;
  });
}

function toContactClaims({ dialogId, messengerUserId, verdict }: Judged): ContactClaim[] {
  return verdict.contact ? [{ dialogId, messengerUserId, contactId: verdict.contact.id }] : [];
}

function leftOpen({ contact, confidence, evidence, suggestions }: MatchVerdict): MatchVerdict {
  const first = contact ? [{ contact, score: confidence, evidence }] : [];
  return openVerdict([...first, ...suggestions]);
}
