import { Conflict } from '../../lib/errors.ts';
import { type Change, type ContactsDeps, type Decided, decide, decideAll } from './decide.ts';
import { isForBulk, type WriteSwitches } from './matching/rules.ts';
import type { MatchState } from './matching/schema.ts';

type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;

/**
 * The person confirms the proposed contact. `outbox/notePlan/planNotes.ts` decides which notes follow; without a contact the
 * conversation counts as dealt with, and none is written. Throws NotFound, and Conflict `MATCH_CHANGED` when the
 * proposal isn't the one that was shown.
 * @param seenContactId the contact that was shown; without it, whatever is proposed is confirmed
 */
export async function confirmMatch(
  deps: Deps,
  { userId, dialogId, seenContactId }: { userId: string; dialogId: string; seenContactId?: string | undefined },
): Promise<Decided> {
  return decide(deps, { userId, dialogId, action: 'confirm' }, state => {
    if (seenContactId !== undefined && seenContactId !== state.contactId) throw matchChanged();
    return confirmed(state);
  });
}

type Seen = { dialogId: string; contactId: string };

/** Confirms matches together. One that needs a look of its own, or isn't the one that was shown, stays as it is. */
export async function confirmTogether(
  deps: Deps,
  { userId, seen, switches }: { userId: string; seen: readonly Seen[]; switches: WriteSwitches },
): Promise<{ confirmed: number; token: string | null }> {
  const contactIds = new Map(seen.map(({ dialogId, contactId }) => [dialogId, contactId]));
  const asked = { userId, dialogIds: [...contactIds.keys()], action: 'confirm', isBatch: true } as const;
  let count = 0;
  const { token } = await decideAll(deps, asked, state => {
    const isSeen = contactIds.get(state.dialogId) === state.contactId;
    if (!isSeen || !isForBulk(state, switches)) return undefined;
    count += 1;
    return confirmed(state);
  });
  return { confirmed: count, token };
}

function confirmed(state: MatchState): Change {
  const { contactId, contactName } = state;
  return {
    link: { status: 'CONFIRMED', confidence: 1, contactId, contactName },
    reasons: { ...state, rule: 'person', decidedBy: 'person', problem: null },
  };
}

export function matchChanged(): Conflict {
  return new Conflict('MATCH_CHANGED', 'The match changed while you were looking at it. Check it before you decide.');
}
