import { randomUUID } from 'node:crypto';
import type { ClientError } from '../../clients/errors.ts';
import { updateContacts } from '../contactProperties/updateContacts.ts';
import { crmFailure, isCrmError } from '../crm/rules.ts';
import { findCrm, getConnection } from '../crm/service.ts';
import { planNotes } from '../notePlan/planNotes.ts';
import { collectFailures, type FailureCollector, pauseAfter } from './collectFailures.ts';
import { createNotes } from './createNotes.ts';
import { type Batch, type Delivery, giveUpRefused, type NotesDeps } from './finishNotes.ts';
import { removeNotes } from './removeNotes.ts';
import * as repo from './repo.ts';
import type { NoteFailure, ToDo } from './schema.ts';
import { updateNotes } from './updateNotes.ts';

type Wanted = {
  userId: string;
  /** Only the notes of digests this sync wrote, and notes to be removed. */
  jobId?: string | undefined;
  /** Leaves the notes of this sync to it. */
  exceptJobId?: string | undefined;
  signal?: AbortSignal | undefined;
};

const BATCH = 100;
const EXTEND_EVERY_MS = 10_000;

/**
 * Writes the user's notes to the CRM in batches, as far as it accepts them now; each note is worked on by one process.
 * Returns what stood in the way: those notes wait. Without a connected CRM, nothing is done and nothing reported.
 */
export async function deliverNotes(
  deps: NotesDeps,
  wanted: Wanted,
): Promise<(NoteFailure & { dialogIds: string[] })[]> {
  const { userId } = wanted;
  const failures = collectFailures<NoteFailure>();
  try {
    const open = await findCrm(deps, { userId });
    const delivery = open && { userId, portalId: open.connection.portalId, crm: open.crm, failures };
    if (delivery) await allPasses(deps, delivery, wanted);
    else await tellExpired(deps, userId, failures);
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, 'notes wait for the CRM');
    failures.add({ failure: crmFailure(err) });
  }
  return failures.list();
}

/** Decisions made while a note was on its way show up in the next plan; a pass that moves nothing is the last. */
async function allPasses(deps: NotesDeps, delivery: Delivery, wanted: Wanted): Promise<void> {
  for (let passes = 0; ; passes++) {
    const touched = await onePass(deps, delivery, wanted);
    if (touched.length > 0) await planNotes(deps, { userId: wanted.userId, dialogIds: touched });
    else if (passes > 0) return updateContacts(deps, delivery);
    else return;
  }
}

async function tellExpired(deps: NotesDeps, userId: string, failures: FailureCollector<NoteFailure>): Promise<void> {
  if ((await getConnection(deps, { userId })).status === 'expired') failures.add({ failure: 'CRM_AUTH' });
}

type Step = {
  state: ToDo;
  work(deps: NotesDeps, batch: Batch): Promise<void>;
};

/** Removals come first, so that a note that moves is never on two contacts. */
const STEPS: readonly Step[] = [
  { state: 'unwanted', work: removeNotes },
  { state: 'waiting', work: createNotes },
  { state: 'outdated', work: updateNotes },
];

/** Returns the conversations of the notes it claimed. Throws ClientError, with all claims released. */
async function onePass(deps: NotesDeps, delivery: Delivery, { jobId, exceptJobId, signal }: Wanted): Promise<string[]> {
  const { userId, portalId } = delivery;
  const touched = new Set<string>();
  for (const { state, work } of STEPS) {
    for (;;) {
      signal?.throwIfAborted();
      const claim = randomUUID();
      const scope = state === 'unwanted' ? {} : { jobId, exceptJobId };
      const notes = await repo.claimNotes(deps.db, { userId, portalId, claim, state, ...scope, limit: BATCH });
      if (notes.length === 0) break;
      for (const { dialogId } of notes) touched.add(dialogId);
      await holding(deps, { ...delivery, claim, notes }, work);
    }
  }
  return [...touched];
}

/** Keeps the claim for as long as the work takes, and then releases what is left of it. */
async function holding(deps: NotesDeps, batch: Batch, work: Step['work']): Promise<void> {
  const extend = () =>
    repo.extendClaim(deps.db, batch).catch((err: unknown) => deps.log.warn({ err }, 'claim on notes not extended'));
  const timer = setInterval(extend, EXTEND_EVERY_MS);
  try {
    await work(deps, batch);
    await repo.releaseClaim(deps.db, batch, { failure: null, pauseSeconds: 1 });
  } catch (err) {
    if (isCrmError(err)) await letGo(deps, batch, err);
    throw err;
  } finally {
    clearInterval(timer);
  }
}

/** Notes that were being sent stay unclear: they are looked up before they are sent again. */
async function letGo(deps: NotesDeps, batch: Batch, err: ClientError): Promise<void> {
  if (err.kind === 'permanent')
    return giveUpRefused(deps, batch, { notes: batch.notes, failure: crmFailure(err), isUnclear: true });
  const again = { failure: crmFailure(err), pauseSeconds: pauseAfter(err) };
  await repo.releaseClaim(deps.db, batch, again);
}
