import { updateContacts } from '../contactProperties/updateContacts.ts';
import { deliver, type Writer } from '../deliver.ts';
import { planNotes } from '../notePlan/planNotes.ts';
import { NOTES } from '../notePlan/rules.ts';
import type { Met } from '../schema.ts';
import type { OutboxDeps } from '../whilePlansWait.ts';
import { createNotes } from './createNotes.ts';
import { removeNotes } from './removeNotes.ts';
import * as repo from './repo.ts';
import type { ClaimedNote } from './schema.ts';
import { updateNotes } from './updateNotes.ts';

type Wanted = { userId: string; signal?: AbortSignal | undefined } & repo.OfJobs;

/**
 * Writes the user's notes to the CRM, as {@link deliver} does: those of digests that a sync wrote, or of all others, and
 * removes those that are unwanted. Plans only what it touched.
 */
export function deliverNotes(deps: OutboxDeps, { userId, signal, ...ofJobs }: Wanted): Promise<Met[]> {
  const writer: Writer<ClaimedNote> = {
    kind: NOTES,
    claim: (wanted, state) => repo.claimNotes(deps.db, { ...wanted, state, ofJobs }),
    work: { unwanted: removeNotes, waiting: createNotes, outdated: updateNotes },
    plan: dialogIds => planNotes(deps, { userId, dialogIds }),
    end: delivery => updateContacts(deps, delivery),
  };
  return deliver(deps, writer, { userId, signal });
}
