import type { MatchStatus } from '../dialogs/schema.ts';

/** How much the user lets the automatic matching do without a click. */
export type WriteSwitches = { sureMatchesWrite: boolean; nameMatchesWrite: boolean };

type Link = { status: MatchStatus; confidence: number; contactId: string };

/** From here on a match by phone or username is sure enough to write notes by itself. */
export const SURE = 0.85;

/** Whether notes of this conversation may be written to the contact it is linked to. */
export function writesNotes({ status, confidence, contactId }: Link, switches: WriteSwitches): boolean {
  if (contactId === '') return false;
  switch (status) {
    case 'CONFIRMED':
    case 'CREATED':
      return true;
    case 'AUTO_PHONE':
    case 'AUTO_USERNAME':
      return switches.sureMatchesWrite && confidence >= SURE;
    case 'AUTO_NAME':
      return switches.nameMatchesWrite;
    default:
      return false;
  }
}

/** What a person decided, or what was created, no rule touches again. */
export function isDecided({ status, decidedBy }: { status: MatchStatus; decidedBy: 'rule' | 'person' }): boolean {
  return decidedBy === 'person' || status === 'CONFIRMED' || status === 'IGNORED' || status === 'CREATED';
}

/** A proposed contact that waits for a person: what the review list holds. */
export function needsReview(link: Link, switches: WriteSwitches): boolean {
  return link.contactId !== '' && link.status.startsWith('AUTO_') && !writesNotes(link, switches);
}
