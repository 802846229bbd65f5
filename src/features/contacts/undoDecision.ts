import type { Db } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { lockDialogs, setMatches } from '../messenger/dialogs/service.ts';
import { type ContactsDeps, requestNotes } from './decide.ts';
import { listMatchState } from './matching/repo.ts';
import type { Decision } from './matching/schema.ts';
import { listDecisions, undoDecisions } from './repo.ts';

type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;
type Asked = { userId: string; token: string };

/**
 * Restores the state before a decision, or before a batch of them; notes that it had caused are removed. Only the
 * newest decision of a conversation can be undone. Does nothing when already undone. Throws NotFound, and Conflict
 * `DECIDED_SINCE` when something newer was decided about all of them.
 */
export async function undoDecision(deps: Deps, { userId, token }: Asked): Promise<{ dialogIds: string[] }> {
  return deps.db.transaction(async trx => {
    const dialogIds = (await listDecisions(trx, { userId, token })).map(({ dialogId }) => dialogId);
    if (dialogIds.length === 0) throw new NotFound('decision to undo');
    await lockDialogs(trx, { userId, dialogIds });
    const decisions = await listDecisions(trx, { userId, token });
    const standing = decisions.filter(({ isNewest }) => isNewest);
    if (standing.length === 0) {
      throw new Conflict('DECIDED_SINCE', 'A newer decision was made about this conversation, so nothing changed.');
    }
    const toUndo = standing.filter(({ undoneAt }) => undoneAt === null);
    await putBack(deps, trx, userId, toUndo);
    await requestNotes(deps, trx, { userId, dialogIds: toUndo.map(({ dialogId }) => dialogId) });
    return { dialogIds: standing.map(({ dialogId }) => dialogId) };
  });
}

async function putBack(deps: Deps, trx: Db, userId: string, toUndo: readonly Decision[]): Promise<void> {
  const now = deps.clock.now();
  const made = await listMade(trx, userId, toUndo);
  const matches = toUndo.map(({ dialogId, before: { rejected: _, ...match } }) => ({ dialogId, ...match }));
  await setMatches(trx, { userId, now }, matches);
  const undoings = toUndo.map(({ id: decisionId, dialogId, before }) => {
    const newlyRejected = (made.get(dialogId) ?? []).filter(contactId => contactId !== before.contactId);
    return { decisionId, dialogId, rejectedIds: [...new Set([...before.rejected, ...newlyRejected])] };
  });
  await undoDecisions(trx, { userId, now }, undoings);
}

/**
 * The contacts that these decisions created, by conversation. They stay in the CRM with the person's messenger id:
 * unless remembered as rejected, the next sync would link them again.
 */
async function listMade(trx: Db, userId: string, toUndo: readonly Decision[]): Promise<Map<string, string[]>> {
  const making = toUndo.filter(({ action }) => action === 'create' || action === 'autoCreate');
  if (making.length === 0) return new Map();
  const states = await listMatchState(trx, { userId, dialogIds: making.map(({ dialogId }) => dialogId) });
  return new Map(
    [...states.values()].filter(({ contactId }) => contactId !== '').map(state => [state.dialogId, [state.contactId]]),
  );
}
