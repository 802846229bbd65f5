import type { Crm } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { triesAfter } from '../crm/rules.ts';
import type { CrmDeps } from '../crm/service.ts';
import { saveProblems } from '../matching/saveVerdicts.ts';
import { lockNotes } from '../notePlan/repo.ts';
import type { FailureCollector } from './collectFailures.ts';
import * as repo from './repo.ts';
import type { ClaimedNote, NoteFailure } from './schema.ts';

/** What became of notes. */

export type NotesDeps = CrmDeps & { config: { appUrl: string } };

/** One CRM account and the failures met on the way. */
export type Delivery = { userId: string; portalId: string; crm: Crm; failures: FailureCollector<NoteFailure> };
/** Notes that this process has hold of. */
export type Batch = Delivery & { claim: string; notes: ClaimedNote[] };

export async function finishNotes(deps: NotesDeps, batch: Batch, written: repo.Written[]): Promise<void> {
  if (written.length === 0) return;
  await whilePlansWait(deps.db, batch, trx => repo.finishWritten(trx, batch, written, deps.clock.now()));
}

/** The contact is gone: this is recorded with its match, and the digest is complete without a note. */
export async function giveUpGone(deps: NotesDeps, batch: Batch, notes: ClaimedNote[]): Promise<void> {
  if (notes.length === 0) return;
  const { userId, failures } = batch;
  const refusals = notes.map(({ id }) => ({ id, failure: 'CRM_CONTACT_GONE' }));
  failures.add({ failure: 'CRM_CONTACT_GONE' }, notes.map(dialogOf));
  const atOnce = { tries: 1, pauseSeconds: 0, isUnclear: false };
  await whilePlansWait(deps.db, batch, trx => repo.refuse(trx, batch, refusals, atOnce));
  const gone = notes.map(({ dialogId, contactId }) => ({ dialogId, contactId, problem: 'CONTACT_GONE' as const }));
  await saveProblems(deps, { userId, problems: gone });
}

/** @param isUnclear true if some of them may be in the CRM anyway */
export async function giveUpRefused(
  deps: NotesDeps,
  batch: Batch,
  { notes, failure = 'CRM_REFUSED', isUnclear }: { notes: ClaimedNote[]; failure?: CrmFailure; isUnclear: boolean },
): Promise<void> {
  if (notes.length === 0) return;
  const refusals = notes.map(({ id }) => ({ id, failure }));
  batch.failures.add({ failure }, notes.map(dialogOf));
  const again = { ...triesAfter(failure), isUnclear };
  await whilePlansWait(deps.db, batch, trx => repo.refuse(trx, batch, refusals, again));
}

/** No process plans the user's notes until `work` is done. */
async function whilePlansWait(db: Db, { userId }: Batch, work: (trx: Db) => Promise<void>): Promise<void> {
  await db.transaction(async trx => {
    await lockNotes(trx, userId);
    await work(trx);
  });
}

const dialogOf = ({ dialogId }: ClaimedNote) => dialogId;
