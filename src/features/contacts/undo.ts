import type { Db } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { lockDialogs, setMatches } from '../dialogs/repo.ts';
import { type ContactsDeps, wantNotes } from './decide.ts';
import * as repo from './repo.ts';
import type { Decision } from './schema.ts';

type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;
type Asked = { userId: string; token: string };

/**
 * Puts back what was before a decision, or before a batch of them; notes that it had written are taken away. Only the
 * newest decision of a conversation can be undone. Undone already: nothing happens. Throws NotFound, and Conflict
 * `DECIDED_SINCE` when something newer was decided about all of them.
 */
export async function undoDecision(deps: Deps, { userId, token }: Asked): Promise<{ dialogIds: string[] }> {
  return deps.db.transaction(async trx => {
    const dialogIds = (await repo.listDecisions(trx, { userId, token })).map(({ dialogId }) => dialogId);
    if (dialogIds.length === 0) throw new NotFound('decision to undo');
    await lockDialogs(trx, { userId, dialogIds });
    const decisions = await repo.listDecisions(trx, { userId, token });
    const newest = await repo.listNewestDecisions(trx, { userId, dialogIds });
    const standing = decisions.filter(({ dialogId, id }) => newest.get(dialogId)?.id === id);
    if (standing.length === 0) {
      throw new Conflict('DECIDED_SINCE', 'Something newer was decided about this conversation. It stays as it is.');
    }
    const toUndo = standing.filter(({ undoneAt }) => undoneAt === null);
    for (const decision of toUndo) await putBack(deps, trx, userId, decision);
    await repo.markUndone(trx, { userId, decisionIds: toUndo.map(({ id }) => id) }, deps.clock.now());
    await wantNotes(deps, trx, { userId, dialogIds: toUndo.map(({ dialogId }) => dialogId) });
    return { dialogIds: standing.map(({ dialogId }) => dialogId) };
  });
}

async function putBack(deps: Deps, trx: Db, userId: string, { dialogId, action, before }: Decision): Promise<void> {
  const now = deps.clock.now();
  const { status, confidence, contactId, contactName, rejected, ...reasons } = before;
  const linked = action === 'create' || action === 'autoCreate' ? await linkedNow(trx, { userId, dialogId }) : [];
  const made = linked.filter(id => id !== contactId);
  await setMatches(trx, userId, [{ dialogId, status, confidence, contactId, contactName }]);
  await repo.upsertReasons(trx, userId, [{ dialogId, ...reasons }], now);
  // A contact that was made stays in the CRM with the messenger's id of this person: unless it is remembered as
  // rejected, the next sync would link it again.
  await repo.replaceRejected(trx, { userId, dialogId, contactIds: [...new Set([...rejected, ...made])] }, now);
}

async function linkedNow(trx: Db, { userId, dialogId }: { userId: string; dialogId: string }): Promise<string[]> {
  const state = (await repo.listMatchState(trx, { userId, dialogIds: [dialogId] })).get(dialogId);
  return state?.contactId ? [state.contactId] : [];
}
