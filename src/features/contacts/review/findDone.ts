import type { Db } from '../../../lib/db.ts';
import { isolated } from '../../../lib/textDirection.ts';
import { countOf } from '../../../lib/words.ts';
import { nameOf } from '../../messenger/dialogs/nameOf.ts';
import { getDialog } from '../../messenger/dialogs/service.ts';
import type { DecisionKind } from '../matching/schema.ts';
import { listDecisions } from '../repo.ts';

/** What was done, for the line with Undo in it. */
export type Done = { words: string; token: string };

const DONE: Record<DecisionKind, (who: string) => string> = {
  confirm: who => `${who} confirmed`,
  ignore: who => `${who} ignored`,
  stopIgnoring: who => `${who} is no longer ignored`,
  reject: who => `Not the right contact for ${who}`,
  pick: who => `${who} linked`,
  create: who => `${who} created in the CRM`,
  autoCreate: who => `${who} created in the CRM`,
};

/** Undefined once it was undone, or something newer was decided. */
export async function findDone(
  deps: { db: Db },
  { userId, token }: { userId: string; token: string },
): Promise<Done | undefined> {
  const decisions = await listDecisions(deps.db, { userId, token });
  const standing = decisions.filter(({ isNewest, undoneAt }) => isNewest && !undoneAt);
  const [first] = standing;
  if (!first) return undefined;
  if (standing.length > 1) return { words: `${countOf(standing.length, 'match', 'matches')} confirmed`, token };
  const dialog = await getDialog(deps.db, { userId, dialogId: first.dialogId });
  return { words: DONE[first.action](isolated(nameOf(dialog))), token };
}
