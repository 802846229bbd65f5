import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../lib/db.ts';
import { describeFailure } from '../../../lib/failures.ts';
import type { Queue } from '../../../lib/queue.ts';
import { CLAIM_SECONDS } from '../repo.ts';
import type { Met } from '../schema.ts';
import { type OutboxDeps, secondsToNextTry } from '../service.ts';
import { deliverNotes } from './deliverNotes.ts';
import * as repo from './repo.ts';
import { NOTES } from './rules.ts';
import { NOTES_QUEUE, type NotesPayload } from './schema.ts';

export { countNewNotes, countWaitingNotes, dropOfDigests, settleNotesOfAllUsers } from './repo.ts';

type OfJob = { userId: string; jobId: string };

const TRIES = 3;
/** A dead worker's hold on notes ends within this. */
const PATIENCE_SECONDS = CLAIM_SECONDS + 5;

/**
 * Writes the notes of a sync's digests before it completes. Waits a little for failures that may pass and for another
 * worker's claim to end. Returns what stood in the way of the notes that must wait longer.
 */
export async function flushNotes(deps: OutboxDeps, job: OfJob, signal: AbortSignal): Promise<Met[]> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  const lasting = new Map<Met['failure'], Met>();
  let passing: Met[] = [];
  for (let failedTries = 0; ; ) {
    const met = await deliverNotes(deps, { ...job, signal });
    const mayPass = ({ failure }: Met) => describeFailure(failure).mayPass;
    for (const one of met) if (!mayPass(one)) lasting.set(one.failure, one);
    if (met.some(mayPass)) {
      passing = met.filter(mayPass);
      failedTries++;
    }
    const wait = await secondsToNextNote(deps, job);
    if (wait === undefined) return [...lasting.values()];
    const isOver = failedTries >= TRIES || lasting.has('CRM_AUTH') || performance.now() + wait * 1000 > deadline;
    if (isOver) return [...lasting.values(), ...passing];
    // The process that holds them may be done long before its claim ends.
    await sleep(Math.min(Math.max(0.2, wait), 1) * 1000, undefined, { signal });
  }
}

/** As {@link secondsToNextTry}, for the notes of these digests. */
export async function secondsToNextNote(
  deps: { db: Db },
  { userId, ...ofJobs }: { userId: string } & repo.OfJobs,
): Promise<number | undefined> {
  return secondsToNextTry(deps, NOTES, { userId }, repo.notesOf(ofJobs));
}

/** Requests that the remaining notes be written. One waiting job is enough for all of them. */
export async function requestNotes(deps: { queue: Queue }, { userId }: NotesPayload): Promise<void> {
  const payload: NotesPayload = { userId };
  await deps.queue.send(NOTES_QUEUE.name, payload, { singletonKey: userId });
}
