import type { JobHandler, Queue } from '../../../lib/queue.ts';
import { notesWantedPayload } from '../../contacts/schema.ts';
import { requestTasks } from '../../promises/service.ts';
import { type OutboxDeps, OutboxWaits, sweepOutbox } from '../service.ts';
import { NOTES } from './rules.ts';
import { notesPayload } from './schema.ts';
import { deliverNotes, planNotes, requestNotes, secondsToNextNote } from './service.ts';

export type Deps = OutboxDeps & { queue: Queue };

/** Finds the user's running sync: it writes its notes itself, all together. */
type FindSync = (about: { userId: string }) => Promise<string | undefined>;

export function notesJob(deps: Deps & { findRunningSync: FindSync }): JobHandler {
  return async ({ data, signal }) => {
    const { userId } = notesPayload.parse(data);
    await planNotes(deps, { userId });
    const exceptJobId = await deps.findRunningSync({ userId });
    await deliverNotes(deps, { userId, exceptJobId, signal });
    if ((await secondsToNextNote(deps, { userId, exceptJobId })) !== undefined)
      throw new OutboxWaits('notes wait for the CRM');
  };
}

/** A person's decision changed the links of conversations. */
export function notesWantedJob(deps: Deps): JobHandler {
  return async ({ data }) => {
    const { userId, dialogIds } = notesWantedPayload.parse(data);
    await planNotes(deps, { userId, dialogIds, isDecided: true });
    await requestNotes(deps, { userId });
    await requestTasks(deps, { userId });
  };
}

export function notesSweepJob(deps: Deps): JobHandler {
  return async () => sweepOutbox(deps, NOTES, owner => requestNotes(deps, owner));
}
