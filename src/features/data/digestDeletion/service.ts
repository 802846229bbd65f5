import type { Timed } from '../../../lib/clock.ts';
import { type Db, lockNamed, type UserKey } from '../../../lib/db.ts';
import type { Queued } from '../../../lib/queue.ts';
import { getConnection } from '../../crm/repo.ts';
import { getDialog } from '../../messenger/dialogs/repo.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { NOTES } from '../../outbox/notes/rules.ts';
import { dropOfDigests, requestNotes } from '../../outbox/notes/service.ts';
import { TASKS } from '../../outbox/tasks/rules.ts';
import { dropOfPromises } from '../../outbox/tasks/service.ts';
import { forgetWritten } from '../../pages/ask/service.ts';
import { lockPromisesOfDialogs } from '../../promises/fromDigests/service.ts';
import { findUserMoment, requestTasks } from '../../promises/service.ts';
import * as repo from './repo.ts';

type DialogOfUser = UserKey & { dialogId: string };

/**
 * Deletes a digest with the questions in its messages and the promises of no other digest, unless the user added or edited
 * them. The queue removes its note and those promises' tasks from the CRM; until then only their ids stay. The cursor stays:
 * nothing is read again. Throws NotFound.
 */
export async function deleteDigest(
  deps: Queued,
  { userId, digestId }: UserKey & { digestId: string },
): Promise<{ dialogId: string; digestDate: string }> {
  const digest = await repo.getDigest(deps.db, { userId, digestId });
  await eraseDigests(deps, { userId, dialogId: digest.dialogId, digestId });
  return digest;
}

/** Deletes all that was ever written about a conversation. Returns how many digests. Throws NotFound. */
export async function deleteDigestsOf(deps: Queued, { userId, dialogId }: DialogOfUser): Promise<number> {
  await getDialog(deps.db, { userId, dialogId });
  return eraseDigests(deps, { userId, dialogId, digestId: undefined });
}

/**
 * The locks are taken in the order of those who plan and write: planning of digests, rewrites, promises, notes, tasks.
 * A process that is writing one of the digests at this moment finds its row gone, and stores nothing.
 */
async function eraseDigests(deps: Queued, { userId, dialogId, digestId }: Target): Promise<number> {
  const now = deps.clock.now();
  const deleted = await deps.db.transaction(async trx => {
    await lockNamed(trx, 'digests', userId);
    const scope = await scopeOf(trx, { userId, dialogId, digestId });
    await repo.deleteRewrites(trx, scope);
    await lockPromisesOfDialogs(trx, { userId, dialogIds: [dialogId] });
    await lockNamed(trx, NOTES.name, userId);
    await lockNamed(trx, TASKS.name, userId);
    await repo.lockPromises(trx, { userId, dialogId });
    await repo.keepOtherPromises(trx, scope);
    const emptiedIds = await repo.deleteOrEmptyPromises(trx, { ...scope, now });
    await dropOfPromises(trx, { userId, promiseIds: emptiedIds });
    await repo.forgetQuotes(trx, scope);
    await forgetWritten(trx, { userId });
    await dropOfDigests(trx, scope);
    return repo.deleteDigests(trx, scope);
  });
  // A request that is lost here is found by the sweeps of notes and tasks.
  await requestNotes(deps, { userId });
  await requestTasks(deps, { userId });
  return deleted;
}

type Target = DialogOfUser & { digestId: string | undefined };

async function scopeOf(db: Db, target: Target): Promise<repo.DeletionScope> {
  const { userId, dialogId, digestId } = target;
  return { userId, dialogId, digestIds: await repo.listDigestIds(db, target), isAll: digestId === undefined };
}

/** Data of the confirmation page for a deletion. */
export type DeletionQuestion = {
  dialog: Dialog;
  /** YYYY-MM-DD; undefined for all digests of the conversation. */
  day: string | undefined;
  today: string;
  consequences: repo.Consequences;
  /** Whether the tasks that we wrote to the CRM can be changed now. */
  writesTasks: boolean;
};

/** Throws NotFound. */
export async function getDigestDeletion(deps: Timed, { userId, digestId }: UserKey & { digestId: string }) {
  const digest = await repo.getDigest(deps.db, { userId, digestId });
  return describeDeletion(deps, { userId, dialogId: digest.dialogId, digestId }, digest.digestDate);
}

/** Throws NotFound. */
export async function getDeletionOfAll(deps: Timed, dialog: DialogOfUser): Promise<DeletionQuestion> {
  return describeDeletion(deps, { ...dialog, digestId: undefined }, undefined);
}

async function describeDeletion(deps: Timed, target: Target, day: string | undefined): Promise<DeletionQuestion> {
  const { userId, dialogId } = target;
  const [dialog, consequences, connection, { today }] = await Promise.all([
    getDialog(deps.db, { userId, dialogId }),
    scopeOf(deps.db, target).then(scope => repo.countConsequences(deps.db, scope)),
    getConnection(deps.db, userId),
    findUserMoment(deps, { userId }),
  ]);
  return { dialog, day, today, consequences, writesTasks: connection.tasksWrite };
}
