import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../lib/db.ts';
import { describeFailure } from '../../lib/failures.ts';
import type { Queue } from '../../lib/queue.ts';
import { getConnection } from '../crm/service.ts';
import { deliverNotes } from './deliverNotes.ts';
import type { NotesDeps } from './finishNotes.ts';
import * as repo from './repo.ts';
import { NOTES_QUEUE, type NoteFailure, type NotesPayload } from './schema.ts';

type OfJob = { userId: string; jobId: string };

type Met = NoteFailure & { dialogIds: string[] };
const TRIES = 3;
/** A dead worker's hold on notes ends within this. */
const PATIENCE_SECONDS = repo.CLAIM_SECONDS + 5;

/**
 * Writes the notes of a sync's digests before it completes: a failure that may pass is waited for a little, and so is
 * another worker's hold on them. Returns what stood in the way of those that must wait longer.
 */
export async function flushNotes(deps: NotesDeps, job: OfJob, signal: AbortSignal): Promise<Met[]> {
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  const lasting = new Map<NoteFailure['failure'], Met>();
  let passing: Met[] = [];
  for (let failedTries = 0; ; ) {
    const met = await deliverNotes(deps, { ...job, signal });
    const mayPass = ({ failure }: Met) => describeFailure(failure).mayPass;
    for (const one of met) if (!mayPass(one)) lasting.set(one.failure, one);
    if (met.some(mayPass)) {
      passing = met.filter(mayPass);
      failedTries++;
    }
    const wait = await secondsToNextTry(deps, job);
    if (wait === undefined) return [...lasting.values()];
    const isOver = failedTries >= TRIES || lasting.has('CRM_AUTH') || Date.now() + wait * 1000 > deadline;
    if (isOver) return [...lasting.values(), ...passing];
    // Whoever holds them may be done long before the end of the claim.
    await sleep(Math.min(Math.max(0.2, wait), 1) * 1000, undefined, { signal });
  }
}

/** Seconds until the first of the notes to do may be tried; undefined when all are done, or none can be. */
export async function secondsToNextTry(
  deps: { db: Db },
  { userId, ...jobs }: { userId: string; jobId?: string; exceptJobId?: string | undefined },
): Promise<number | undefined> {
  const { status, portalId } = await getConnection(deps, { userId });
  return status === 'active' ? repo.findNextTry(deps.db, { userId, portalId, ...jobs }) : undefined;
}

/** Lets the notes that are left be written. One that waits to be taken up is enough for all. */
export async function requestNotes(deps: { queue: Queue }, { userId }: NotesPayload): Promise<void> {
  const payload: NotesPayload = { userId };
  await deps.queue.send(NOTES_QUEUE.name, payload, { singletonKey: userId });
}

/** For notes that no process is about to write: the request for them was lost, or the CRM is back. */
export async function sweepNotes(deps: { db: Db; queue: Queue }): Promise<void> {
  for (const userId of await repo.listNoteOwnersOfAllUsers(deps.db)) await requestNotes(deps, { userId });
}
