import type { Crm } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmDeps } from '../crm/service.ts';
import { saveTroubles } from '../matching/saveVerdicts.ts';
import { finishNotes, refuseNotes } from '../writing/noteMoveRepo.ts';
import { lockNotes } from './planRepo.ts';
import * as repo from './repo.ts';
import type { ClaimedNote } from './schema.ts';
import type { TroubleBook } from './troubles.ts';

/** What became of notes, written down together with what that means for their digests. */

export type NotesDeps = CrmDeps & { config: { appUrl: string } };

/** One CRM account and what is met on the way. */
export type Delivery = { userId: string; portalId: string; crm: Crm; troubles: TroubleBook };
export type Batch = { claim: string; notes: ClaimedNote[] };

/** Tries after which a note the CRM refuses is given up. */
const REFUSED_TRIES = 3;
/** Longer than a sync waits for its notes. */
const REFUSED_PAUSE_SECONDS = 60;

export async function finish(
  deps: NotesDeps,
  delivery: Delivery,
  batch: Batch,
  written: repo.Written[],
): Promise<void> {
  if (written.length === 0) return;
  const { userId } = delivery;
  const now = deps.clock.now();
  await locked(deps.db, userId, async trx => {
    const { digestIds } = await repo.finishWritten(trx, claimOf(delivery, batch), written, now);
    await finishNotes(trx, { userId, digestIds, now });
  });
}

/** The contact is not there any more: its match is told, the digest is as good as it gets. */
export async function giveUpGone(
  deps: NotesDeps,
  delivery: Delivery,
  batch: Batch,
  notes: ClaimedNote[],
): Promise<void> {
  if (notes.length === 0) return;
  const { userId, troubles } = delivery;
  const refusals = notes.map(({ id }) => ({ id, trouble: 'CRM_CONTACT_GONE' }));
  troubles.add('CRM_CONTACT_GONE', notes.map(dialogOf));
  await locked(deps.db, userId, async trx => {
    const atOnce = { tries: 1, pauseSeconds: 0, isUnclear: false };
    const { digestIds } = await repo.refuse(trx, claimOf(delivery, batch), refusals, atOnce);
    await finishNotes(trx, { userId, digestIds, now: deps.clock.now() });
  });
  const gone = notes.map(({ dialogId, contactId }) => ({ dialogId, contactId, trouble: 'CONTACT_GONE' as const }));
  await saveTroubles(deps, { userId, troubles: gone });
}

/** @param isUnclear true when some of them may be in the CRM nevertheless */
export async function giveUpRefused(
  deps: NotesDeps,
  delivery: Delivery,
  batch: Batch,
  { notes, isUnclear }: { notes: ClaimedNote[]; isUnclear: boolean },
): Promise<void> {
  if (notes.length === 0) return;
  const { userId, troubles } = delivery;
  const refusals = notes.map(({ id }) => ({ id, trouble: 'CRM_REFUSED' }));
  troubles.add('CRM_REFUSED', notes.map(dialogOf));
  await locked(deps.db, userId, async trx => {
    const again = { tries: REFUSED_TRIES, pauseSeconds: REFUSED_PAUSE_SECONDS, isUnclear };
    const { digestIds } = await repo.refuse(trx, claimOf(delivery, batch), refusals, again);
    await refuseNotes(trx, { userId, digestIds, now: deps.clock.now() });
  });
}

/** Nobody plans meanwhile. */
async function locked(db: Db, userId: string, work: (trx: Db) => Promise<void>): Promise<void> {
  await db.transaction(async trx => {
    await lockNotes(trx, userId);
    await work(trx);
  });
}

export function claimOf({ userId }: Delivery, { claim }: Batch): repo.Claim {
  return { userId, claim };
}

const dialogOf = ({ dialogId }: ClaimedNote) => dialogId;
