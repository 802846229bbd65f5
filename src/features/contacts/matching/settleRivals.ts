import { openVerdict } from './matchPerson.ts';
import type { MatchVerdict } from './schema.ts';

/** Who a contact is taken to be: one conversation and its person. */
export type Claim = { dialogId: string; messengerUserId: string; contactId: string };
export type Judged = { dialogId: string; messengerUserId: string; verdict: MatchVerdict };

/**
 * If two people share a name and only one contact has it, at most one match is right, so neither is accepted. A match
 * by name also yields to a conversation already linked to the contact. The same person in two accounts is not a rival.
 * @param standing links that are not being decided
 */
export function settleRivals(judged: readonly Judged[], standing: readonly Claim[]): Judged[] {
  const claims = [...standing, ...judged.flatMap(claimOf)];
  const byContact = Map.groupBy(claims, ({ contactId }) => contactId);
  return judged.map(one => {
    const rivals = byContact.get(one.verdict.contact?.id ?? '') ?? [];
    const isRivalled = rivals.some(({ messengerUserId }) => messengerUserId !== one.messengerUserId);
    return isRivalled && one.verdict.rule === 'name' ? { ...one, verdict: leftOpen(one.verdict) } : one;
  });
}

function claimOf({ dialogId, messengerUserId, verdict }: Judged): Claim[] {
  return verdict.contact ? [{ dialogId, messengerUserId, contactId: verdict.contact.id }] : [];
}

function leftOpen({ contact, confidence, evidence, suggestions }: MatchVerdict): MatchVerdict {
  const first = contact ? [{ contact, score: confidence, evidence }] : [];
  return openVerdict([...first, ...suggestions]);
}
