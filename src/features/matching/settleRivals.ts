import { openVerdict } from './matchPerson.ts';
import type { MatchVerdict } from './schema.ts';

/** Who a contact is taken for: one conversation, its person and the rule. */
export type Claim = { dialogId: string; messengerUserId: string; contactId: string };
export type Judged = { dialogId: string; messengerUserId: string; verdict: MatchVerdict };

/**
 * Two people of one name and one contact of that name: at most one of them is right, so neither is taken. A name also
 * yields to a conversation that is linked to the contact already. The same person in two accounts is no rival.
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
