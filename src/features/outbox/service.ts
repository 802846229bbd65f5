import { randomUUID } from 'node:crypto';
import type { Created, Crm, Updated } from '../../clients/crm/types.ts';
import type { ClientError } from '../../clients/errors.ts';
import { type Db, lockNamed, type UserKey } from '../../lib/db.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { saveProblems } from '../contacts/matching/matchConversations.ts';
import { getConnection } from '../crm/repo.ts';
import { chooseRetries, crmFailure, isCrmError } from '../crm/rules.ts';
import type { CrmConnection } from '../crm/schema.ts';
import { type CrmDeps, findCrm } from '../crm/service.ts';
import * as repo from './repo.ts';
import {
  type ClaimedRecord,
  type OutboxFailure,
  PENDING_STATES,
  type PendingState,
  type RecordKind,
  type WrittenRecord,
} from './schema.ts';

/** Collects failures, equal ones once, with the conversations that they concern. */
export function createFailureCollector<Failure extends object>() {
  const byKey = new Map<string, Failure & { dialogIds: string[] }>();
  return {
    add(failure: Failure, dialogIds: readonly string[] = []): void {
      const key = JSON.stringify(failure);
      const before = byKey.get(key)?.dialogIds ?? [];
      byKey.set(key, { ...failure, dialogIds: [...new Set([...before, ...dialogIds])] });
    },
    list: () => [...byKey.values()],
  };
}
export type FailureCollector<Failure extends object> = ReturnType<typeof createFailureCollector<Failure>>;

export type OutboxDeps = CrmDeps & { appUrl: string };

/** Delivery of one kind of records to one CRM account, with the failures so far. */
type Delivery = { userId: string; portalId: string; kind: RecordKind; crm: Crm; failures: FailureCollector<OutboxFailure> };
export type Batch<One extends ClaimedRecord> = Delivery & {
  claim: string;
  items: One[];
  /** The marker in a record's text by which the CRM finds it; undefined if it is no longer known. */
  markerOf(item: One): string | undefined;
};

/**
 * Runs `work` in a transaction while no other process plans the user's records of this kind or stores their outcome:
 * otherwise each would wait for rows that the other has locked.
 */
export async function runWithPlanLock<T>(
  { db }: { db: Db },
  { kind, userId }: Pick<Delivery, 'kind' | 'userId'>,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction(async trx => {
    await lockNamed(trx, kind.name, userId);
    return work(trx);
  });
}

const BATCH = 100;
const EXTEND_EVERY_MS = 10_000;
/** Maximum number of passes, as decisions made during one need another; the queue handles the rest. */
const MAX_PASSES = 5;

type Step<One extends ClaimedRecord> = (deps: OutboxDeps, batch: Batch<One>) => Promise<void>;

/** How one kind of a user's records is written. */
export type Writer<One extends ClaimedRecord> = Pick<Batch<One>, 'markerOf'> & {
  kind: RecordKind;
  rows: repo.ClaimedRows<One>;
  /** Which records in a state may be claimed; all if absent. */
  filter?(state: PendingState): repo.RowFilter;
  steps: Record<PendingState, Step<One>>;
  /** Called before the first pass. */
  begin?(delivery: Delivery): Promise<void>;
  /** Decisions made while records were on their way show up in the next plan. */
  plan(dialogIds: string[]): Promise<void>;
  /** Called after the last pass. */
  end?(delivery: Delivery): Promise<void>;
};

/**
 * Brings a user's records of one kind into the CRM in batches, as far as it accepts them now; each record is worked on
 * by one process. Returns what stood in the way: those records wait. Does nothing without a CRM or while switched off.
 */
export async function deliver<One extends ClaimedRecord>(
  deps: OutboxDeps,
  writer: Writer<One>,
  { userId, signal }: { userId: string; signal?: AbortSignal | undefined },
) {
  const { kind } = writer;
  const failures = createFailureCollector<OutboxFailure>();
  try {
    const crmAccess = await findCrm(deps, { userId });
    const { connection, crm } = crmAccess ?? { connection: await getConnection(deps.db, userId), crm: undefined };
    if (connection.status === 'expired') failures.add({ failure: 'CRM_AUTH' });
    if (!crm || !mayWrite(kind, connection)) return failures.list();
    const delivery = { userId, portalId: connection.portalId, kind, crm, failures };
    await writer.begin?.(delivery);
    for (let passes = 0; passes < MAX_PASSES; passes++) {
      const touched = new Set<string>();
      for (const state of PENDING_STATES) {
        const inState = { ...writer, ...writer.filter?.(state), state, step: writer.steps[state], signal };
        for (const id of await processClaimedBatches(deps, delivery, inState)) touched.add(id);
      }
      // A pass that moves nothing is the last.
      if (touched.size === 0) break;
      await writer.plan([...touched]);
    }
    await writer.end?.(delivery);
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, `${kind.name} wait for the CRM`);
    failures.add({ failure: crmFailure(err) });
  }
  return failures.list();
}

/** Which records are claimed, of any state if none is given, and what is done with them. */
type Batches<One extends ClaimedRecord> = Pick<Writer<One>, 'markerOf' | 'rows'> &
  repo.RowFilter & { state?: PendingState; step: Step<One>; signal: AbortSignal | undefined };

/**
 * Works on all that can be claimed, and keeps each claim for as long as the work takes. Returns the conversations of what
 * it claimed. Records that may be in the CRM without our knowing are looked up first: those found have their `crmId`. Throws
 * ClientError, with all claims released; after another error they run out. Records that were being sent stay unclear.
 */
export async function processClaimedBatches<One extends ClaimedRecord>(
  deps: OutboxDeps,
  delivery: Delivery,
  { markerOf, step, signal, state, ...which }: Batches<One>,
): Promise<string[]> {
  const touched: string[] = [];
  const { userId, portalId, kind, crm } = delivery;
  for (;;) {
    signal?.throwIfAborted();
    const claim = randomUUID();
    const items = await repo.claimRecords(deps.db, kind, { userId, portalId, state, claim, limit: BATCH }, which);
    if (items.length === 0) return touched;
    touched.push(...items.map(({ dialogId }) => dialogId));
    const batch = { ...delivery, claim, items, markerOf };
    const release = (again: { failure: string | null; pauseSeconds: number }) =>
      runWithPlanLock(deps, batch, trx => repo.releaseClaim(trx, kind, batch, again));
    const extend = () =>
      runWithPlanLock(deps, batch, trx => repo.extendClaim(trx, kind, batch)).catch((err: unknown) =>
        deps.log.warn({ err }, `claim on ${kind.name} not extended`),
      );
    const timer = setInterval(extend, EXTEND_EVERY_MS);
    try {
      const lost = new Map<One, string>();
      for (const item of items) {
        const marker = item.crmId === null && item.isUnclear ? markerOf(item) : undefined;
        if (marker !== undefined) lost.set(item, marker);
      }
      const lookups = [...lost].map(([{ contactId }, marker]) => ({ contactId, marker }));
      const found = lookups.length > 0 ? await crm.findRecords(kind.name, lookups) : new Map<string, string>();
      batch.items = items.map(item => ({ ...item, crmId: item.crmId ?? found.get(lost.get(item) ?? '') ?? null }));
      await step(deps, batch);
      await release({ failure: null, pauseSeconds: 1 });
    } catch (err) {
      if (!isCrmError(err)) throw err;
      const failure = crmFailure(err);
      if (err.kind === 'permanent') await retryOrEnd(deps, batch, { reasonOf: () => failure, mayBeThere: true });
      else await release({ failure, pauseSeconds: pauseAfter(err) });
      throw err;
    } finally {
      clearInterval(timer);
    }
  }
}

/** New records that the CRM was found to have. */
export function listFound({ items }: Pick<Batch<ClaimedRecord>, 'items'>): WrittenRecord[] {
  return items.flatMap(({ id, crmId }) => (crmId === null ? [] : [{ id, crmId }]));
}

/** Stores which of the batch's records the CRM created, and which it refused. */
export async function storeCreated<One extends ClaimedRecord>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { created, refused }: Created,
  finish: (trx: Db, written: WrittenRecord[]) => Promise<void>,
): Promise<void> {
  const written = batch.items.flatMap(item => {
    const crmId = created.get(batch.markerOf(item) ?? '');
    return crmId === undefined ? [] : [{ id: item.id, crmId }];
  });
  await runWithPlanLock(deps, batch, trx => finish(trx, written));
  await retryOrEnd(deps, batch, { reasonOf: item => refused.get(batch.markerOf(item) ?? ''), mayBeThere: false });
}

type Change<One extends ClaimedRecord, D extends { item: One }> = {
  drafts: D[];
  /** Marks rows whose call must not be repeated. Returns the ids of rows that are still wanted and claimed. */
  markSending?(trx: Db, drafts: D[]): Promise<Set<string>>;
  update(drafts: D[]): Promise<Updated>;
  finish(trx: Db, drafts: D[]): Promise<void>;
  /** A person deleted these in the CRM. */
  lose(trx: Db, ids: string[]): Promise<void>;
};

/** Writes records changed since their last write. */
export async function updateRecords<One extends ClaimedRecord, D extends { item: One }>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { drafts, markSending, update, finish, lose }: Change<One, D>,
): Promise<void> {
  const sendableIds = markSending && (await runWithPlanLock(deps, batch, trx => markSending(trx, drafts)));
  const fresh = drafts.filter(({ item }) => !sendableIds || sendableIds.has(item.id));
  const outcome = await update(fresh);
  const gone = new Set(outcome.gone);
  const reasonOf = ({ crmId }: One) => outcome.refused.get(crmId ?? '');
  const written = fresh.filter(({ item }) => !gone.has(item.crmId ?? '') && !reasonOf(item));
  const lost = fresh.filter(({ item }) => gone.has(item.crmId ?? '')).map(({ item }) => item.id);
  if (written.length > 0) await runWithPlanLock(deps, batch, trx => finish(trx, written));
  if (lost.length > 0) await runWithPlanLock(deps, batch, trx => lose(trx, lost));
  await retryOrEnd(deps, batch, { reasonOf, mayBeThere: true });
}

type Refusals<One> = {
  /** Undefined for a record that was not refused. */
  reasonOf(item: One): CrmFailure | undefined;
  /** The CRM may have carried out an earlier call about them. */
  mayBeThere: boolean;
};

/** Stores that the CRM refused records: whether they are tried again, and whether their contact no longer exists. */
async function retryOrEnd<One extends ClaimedRecord>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { reasonOf, mayBeThere }: Refusals<One>,
): Promise<void> {
  for (const [failure, items] of Map.groupBy(batch.items, reasonOf)) {
    if (!failure) continue;
    const isGone = failure === 'CRM_CONTACT_GONE';
    const retry = isGone ? { tries: 1, pauseSeconds: 0 } : chooseRetries(failure);
    const refusal = { ids: items.map(({ id }) => id), failure, mayBeThere, ...retry };
    const dialogIds = items.map(({ dialogId }) => dialogId);
    batch.failures.add({ failure }, dialogIds);
    await runWithPlanLock(deps, batch, trx => repo.refuseRecords(trx, batch.kind, batch, refusal));
    if (!isGone) continue;
    // Recorded with the match, so that nothing else is planned on this contact.
    const problems = items.map(({ dialogId, contactId }) => ({ dialogId, contactId, problem: 'CONTACT_GONE' as const }));
    await saveProblems(deps, { userId: batch.userId, problems });
  }
}

/** Seconds until the first record to do may be tried; undefined if all are done, or none can be. */
export async function secondsToNextTry(deps: { db: Db }, kind: RecordKind, { userId }: UserKey, which?: repo.RowFilter) {
  const connection = await getConnection(deps.db, userId);
  if (!mayWrite(kind, connection)) return undefined;
  return repo.findNextTry(deps.db, kind, { userId, portalId: connection.portalId }, which);
}

function mayWrite({ writtenIf }: RecordKind, connection: Pick<CrmConnection, 'status' | 'tasksWrite'>): boolean {
  return connection.status === 'active' && (writtenIf === undefined || connection[writtenIf]);
}

/** Seconds before the next try. A call that may still come through late is given time to do so. */
function pauseAfter(err: ClientError): number {
  if (err.kind === 'rateLimited') return err.retryAfterSeconds ?? 10;
  if (err.kind === 'temporary') return 5;
  return err.kind === 'auth' ? 1 : 60;
}
