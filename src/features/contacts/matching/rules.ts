import { messengerIdOf } from '../../messenger/dialogs/rules.ts';
import type { Dialog, MatchStatus } from '../../messenger/dialogs/schema.ts';
import type { MatchState, Person, Suggestion } from './schema.ts';

/** How much the user lets the automatic matching do without a click. */
export type WriteSwitches = { sureMatchesWrite: boolean; nameMatchesWrite: boolean };

type MatchLink = { status: MatchStatus; confidence: number; contactId: string };

export function toLink(dialog: Pick<Dialog, 'matchStatus' | 'matchConfidence' | 'crmContactId'>): MatchLink {
  return { status: dialog.matchStatus, confidence: dialog.matchConfidence, contactId: dialog.crmContactId };
}

/** Minimum confidence of phone and username matches for writing notes automatically. */
export const AUTO_WRITE_CONFIDENCE = 0.85;

/** Whether notes of this conversation may be written to the contact it is linked to. */
export function writesNotes({ status, confidence, contactId }: MatchLink, switches: WriteSwitches): boolean {
  if (contactId === '') return false;
  switch (status) {
    case 'CONFIRMED':
    case 'CREATED':
      return true;
    case 'AUTO_PHONE':
    case 'AUTO_USERNAME':
      return switches.sureMatchesWrite && confidence >= AUTO_WRITE_CONFIDENCE;
    case 'AUTO_NAME':
      return switches.nameMatchesWrite;
    default:
      return false;
  }
}

/** Whether a person decided the match, or its contact was created here. Rules never change it then. */
export function isDecided({ status, decidedBy }: { status: MatchStatus; decidedBy: 'rule' | 'person' }): boolean {
  return decidedBy === 'person' || status === 'CONFIRMED' || status === 'IGNORED' || status === 'CREATED';
}

/** Whether a proposed contact waits for a person's review. */
export function needsReview(link: MatchLink, switches: WriteSwitches): boolean {
  return link.contactId !== '' && link.status.startsWith('AUTO_') && !writesNotes(link, switches);
}

/** Minimum confidence of phone and username matches for confirming in bulk. */
const MIN_BULK_CONFIDENCE = 0.95;

/** Contacts with the conversation's whole name, if that is why none was chosen. The column `namesakes` counts them. */
export function findNamesakes({ status, decidedBy, suggestions }: MatchState): Suggestion[] {
  if (status !== 'UNMATCHED' || decidedBy !== 'rule') return [];
  const same = suggestions.filter(({ evidence }) => evidence.some(({ isSameName }) => isSameName));
  return same.length > 1 ? same : [];
}

/** Whether a match may be confirmed in bulk: one that is sure enough, or has an equal name. */
export function canConfirmInBulk(link: MatchLink, switches: WriteSwitches): boolean {
  const minConfidence = link.status === 'AUTO_NAME' ? EQUAL_NAME_CONFIDENCE : MIN_BULK_CONFIDENCE;
  return link.confidence >= minConfidence && needsReview(link, switches);
}

/*
 * Scores and confidences, from 0 to 1, were set on the labelled conversations of `bench/match`, which measures them.
 */

/** Minimum score of two names that count as equal. */
export const SAME_NAME_SIMILARITY = 0.92;
/** How much more similar than the next contact's a name must be. Otherwise the two are namesakes, and no rule can tell them apart. */
export const REQUIRED_LEAD = 0.08;
/** Sums of scores that differ by less are equal, as floating-point sums are not exact. */
export const ROUNDING_TOLERANCE = 1e-9;
/** Confidence of each match but one by name. A number that is shared, or filed under another name, is less sure. */
export const CONFIDENCE = {
  messengerId: 0.99,
  phone: 0.98,
  wholeNameAndDialedNumber: 0.96,
  username: 0.95,
  phoneOfNamesake: 0.9,
  phoneInDoubt: 0.8,
} as const;
/** Scores of contacts that are only suggested; with `otherName` they are less likely the same person. */
export const SUGGESTION_SCORES = {
  handle: 0.9,
  phone: { anyName: 0.85, otherName: 0.7 },
  nationalPhone: { anyName: 0.8, otherName: 0.6 },
} as const;
export const MAX_NAME_CONFIDENCE = 0.9;
/** Confidence of an equal name, which is never as sure as a number, and what the same company adds to it. */
export const EQUAL_NAME_CONFIDENCE = 0.87;
export const COMPANY_CONFIDENCE_BONUS = 0.03;
/** What the same company adds to the order among namesakes, and to a suggestion's score. */
export const COMPANY_RANK_BONUS = 0.1;
export const COMPANY_SUGGESTION_BONUS = 0.2;
/** Contacts with a lower score are not suggested. */
export const MIN_SUGGESTION_SCORE = 0.4;
export const MAX_SUGGESTIONS = 5;

/** @param codes as {@link callingCodes} returns them */
export function toPerson(dialog: Dialog, codes: ReadonlyMap<string, string>): Person {
  return {
    dialogId: dialog.id,
    messengerUserId: messengerIdOf(dialog),
    name: dialog.peerName,
    username: dialog.peerUsername,
    phone: dialog.peerPhone,
    callingCode: codes.get(dialog.accountId) ?? '',
  };
}
