import { matchChanged } from './confirmMatch.ts';
import { type ContactsDeps, type Decided, decide } from './decide.ts';
import type { Link, MatchReasons, MatchState } from './matching/schema.ts';

type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;
type Asked = { userId: string; dialogId: string };

/** Nothing in this conversation belongs in the CRM. Its link goes, and no rule proposes one again. Throws NotFound. */
export async function ignoreDialog(deps: Deps, { userId, dialogId }: Asked): Promise<Decided> {
  return decide(deps, { userId, dialogId, action: 'ignore' }, state => ({
    link: unlinked('IGNORED'),
    reasons: { ...withoutContact(state), rule: 'person', decidedBy: 'person' },
  }));
}

/** The conversation is matched again, from the next sync on. Throws NotFound. */
export async function stopIgnoring(deps: Deps, { userId, dialogId }: Asked): Promise<Decided> {
  return decide(deps, { userId, dialogId, action: 'stopIgnoring' }, state =>
    state.status === 'IGNORED'
      ? { link: unlinked('UNMATCHED'), reasons: { ...withoutContact(state), rule: null, decidedBy: 'rule' } }
      : undefined,
  );
}

/**
 * "Not this one": the proposed contact is someone else and is never proposed again; the rules may look for another.
 * Throws NotFound, and Conflict `MATCH_CHANGED` when the proposal is not the one that was looked at.
 */
export async function rejectMatch(
  deps: Deps,
  { userId, dialogId, seenContactId }: Asked & { seenContactId: string },
): Promise<Decided> {
  return decide(deps, { userId, dialogId, action: 'reject' }, state => {
    // A second submit finds it already rejected.
    if (state.rejected.includes(seenContactId)) return undefined;
    if (state.contactId === '' || state.contactId !== seenContactId) throw matchChanged();
    return { link: unlinked('UNMATCHED'), reasons: { ...withoutContact(state), rule: null, decidedBy: 'rule' } };
  });
}

/**
 * "None of these": no contact that is offered is the right one, and none is proposed again. Throws NotFound.
 * @param asked.seenContactIds the contacts that were shown
 */
export async function rejectAll(
  deps: Deps,
  { userId, dialogId, seenContactIds }: Asked & { seenContactIds: readonly string[] },
): Promise<Decided> {
  const seen = new Set(seenContactIds);
  return decide(deps, { userId, dialogId, action: 'reject' }, state => {
    const suggestions = state.suggestions.filter(({ contact }) => !seen.has(contact.id));
    const rejectedIds = state.suggestions.map(({ contact }) => contact.id).filter(id => seen.has(id));
    if (state.contactId !== '' || state.status === 'IGNORED' || rejectedIds.length === 0) return undefined;
    return { link: unlinked('UNMATCHED'), reasons: { ...state, suggestions }, rejectedIds };
  });
}

function unlinked(status: Link['status']): Link {
  return { status, confidence: 0, contactId: '', contactName: null };
}

/** What is left to offer without the refused contact. */
function withoutContact(state: MatchState): MatchReasons {
  const suggestions = state.suggestions.filter(({ contact }) => contact.id !== state.contactId);
  return { ...state, evidence: [], contact: null, runnerUp: null, suggestions, problem: null };
}
