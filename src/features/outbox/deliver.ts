import { randomUUID } from 'node:crypto';
import type { ClientError } from '../../clients/errors.ts';
import { getConnection } from '../crm/repo.ts';
import { crmFailure, isCrmError } from '../crm/rules.ts';
import { findCrm } from '../crm/service.ts';
import * as repo from './repo.ts';
import { type Held, type Kind, type Met, type OutboxFailure, TO_DO, type ToDo } from './schema.ts';
import {
  type Batch,
  collectFailures,
  type Delivery,
  giveUp,
  mayWrite,
  type OutboxDeps,
  pauseAfter,
  whilePlansWait,
} from './service.ts';

const BATCH = 100;
const EXTEND_EVERY_MS = 10_000;
/** Decisions made meanwhile are written in another pass; after this many passes the queue takes over. */
const MOST_PASSES = 5;

type Work<One extends Held> = (deps: OutboxDeps, batch: Batch<One>) => Promise<void>;
/** Claims at most `limit` records for this process alone. */
type ClaimSome<One extends Held> = (wanted: repo.Wanted) => Promise<One[]>;

/** How one kind of a user's records is written. */
export type Writer<One extends Held> = {
  kind: Kind;
  claim(wanted: repo.Wanted, state: ToDo): Promise<One[]>;
  work: Record<ToDo, Work<One>>;
  /** Before the first pass. */
  begin?(delivery: Delivery): Promise<void>;
  /** Decisions made while records were on their way show up in the next plan. */
  plan(dialogIds: string[]): Promise<void>;
  /** After the last pass, if any record was worked on. */
  end?(delivery: Delivery): Promise<void>;
};

type Wanted = { userId: string; signal?: AbortSignal | undefined };

/**
 * Brings a user's records of one kind into the CRM in batches, as far as it accepts them now; each record is worked on by
 * one process. Returns what stood in the way: those records wait. Without a connected CRM, or while this kind is switched
 * off, nothing is done.
 */
export async function deliver<One extends Held>(
  deps: OutboxDeps,
  writer: Writer<One>,
  { userId, signal }: Wanted,
): Promise<Met[]> {
  const { kind } = writer;
  const failures = collectFailures<OutboxFailure>();
  try {
    const open = await findCrm(deps, { userId });
    const { connection, crm } = open ?? { connection: await getConnection(deps.db, userId), crm: undefined };
    const { portalId } = connection;
    if (connection.status === 'expired') failures.add({ failure: 'CRM_AUTH' });
    else if (crm && mayWrite(kind, connection))
      await allPasses(deps, writer, { userId, portalId, kind, crm, failures }, signal);
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, `${kind.name} wait for the CRM`);
    failures.add({ failure: crmFailure(err) });
  }
  return failures.list();
}

async function allPasses<One extends Held>(
  deps: OutboxDeps,
  writer: Writer<One>,
  delivery: Delivery,
  signal: AbortSignal | undefined,
): Promise<void> {
  await writer.begin?.(delivery);
  let hasWorked = false;
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const touched = new Set<string>();
    for (const state of TO_DO) {
      const claimSome: ClaimSome<One> = wanted => writer.claim(wanted, state);
      for (const id of await inBatches(deps, delivery, claimSome, writer.work[state], signal)) touched.add(id);
    }
    // A pass that moves nothing is the last.
    if (touched.size === 0) break;
    hasWorked = true;
    await writer.plan([...touched]);
  }
  if (hasWorked) await writer.end?.(delivery);
}

/**
 * Works on all that can be claimed. Returns the conversations of what it claimed. Throws ClientError, with all claims
 * released.
 */
export async function inBatches<One extends Held>(
  deps: OutboxDeps,
  delivery: Delivery,
  claimSome: ClaimSome<One>,
  work: Work<One>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const touched: string[] = [];
  const { userId, portalId } = delivery;
  for (;;) {
    signal?.throwIfAborted();
    const claim = randomUUID();
    const items = await claimSome({ userId, portalId, claim, limit: BATCH });
    if (items.length === 0) return touched;
    touched.push(...items.map(({ dialogId }) => dialogId));
    await hold(deps, { ...delivery, claim, items }, work);
  }
}

/** Keeps the claim for as long as the work takes, and then releases what is left of it. */
async function hold<One extends Held>(deps: OutboxDeps, batch: Batch<One>, work: Work<One>): Promise<void> {
  const extend = () =>
    whilePlansWait(deps, batch, trx => repo.extendClaim(trx, batch.kind, batch)).catch((err: unknown) =>
      deps.log.warn({ err }, `claim on ${batch.kind.name} not extended`),
    );
  const timer = setInterval(extend, EXTEND_EVERY_MS);
  try {
    await work(deps, batch);
    await release(deps, batch, { failure: null, pauseSeconds: 1 });
  } catch (err) {
    if (isCrmError(err)) await letGo(deps, batch, err);
    throw err;
  } finally {
    clearInterval(timer);
  }
}

/** Records that were being sent stay unclear: they are looked up before they are sent again. */
async function letGo<One extends Held>(deps: OutboxDeps, batch: Batch<One>, err: ClientError): Promise<void> {
  const failure = crmFailure(err);
  if (err.kind === 'permanent') await giveUp(deps, batch, { items: batch.items, failure, mayBeThere: true });
  else await release(deps, batch, { failure, pauseSeconds: pauseAfter(err) });
}

async function release<One extends Held>(
  deps: OutboxDeps,
  batch: Batch<One>,
  again: { failure: string | null; pauseSeconds: number },
): Promise<void> {
  await whilePlansWait(deps, batch, trx => repo.releaseClaim(trx, batch.kind, batch, again));
}
