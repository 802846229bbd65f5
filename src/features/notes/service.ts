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
 * Writes the notes of a sync's digests before it completes. Waits a little for failures that may pass and for another
 * worker's claim to end. Returns what stood in the way of the notes that must wait longer.
 */
export async function flushNotes(deps: NotesDeps, job: OfJob, signal: AbortSignal): Promise<Met[]> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
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
    const isOver = failedTries >= TRIES || lasting.has('CRM_AUTH') || performance.now() + wait * 1000 > deadline;
    if (isOver) return [...lasting.values(), ...passing];
    // The process that holds them may be done long before its claim ends.
    await sleep(Math.min(Math.max(0.2, wait), 1) * 1000, undefined, { signal });
  }
}

/** Seconds until the first note to do may be tried; undefined if all are done, or none can be. */
export async function secondsToNextTry(
  deps: { db: Db },
  { userId, ...jobs }: { userId: string; jobId?: string; exceptJobId?: string | undefined },
): Promise<number | undefined> {
  const { status, portalId } = await getConnection(deps, { userId });
  return status === 'active' ? repo.findNextTry(deps.db, { userId, portalId, ...jobs }) : undefined;
}

/** Requests that the remaining notes be written. One waiting job is enough for all of them. */
export async function requestNotes(deps: { queue: Queue }, { userId }: NotesPayload): Promise<void> {
  const payload: NotesPayload = { userId };
  await deps.queue.send(NOTES_QUEUE.name, payload, { singletonKey: userId });
}

/** Requests notes that no process is about to write: their request was lost, or the CRM is back. */
export async function sweepNotes(deps: { db: Db; queue: Queue }): Promise<void> {
  for (const userId of await repo.listNoteOwnersOfAllUsers(deps.db)) await requestNotes(deps, { userId });
}
