import type { ReadTyped, TypedPromise } from '../../../clients/summarizer/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { getSettings } from '../../base/settings/service.ts';
import { LIVE_STATES } from '../rules.ts';
import type { LedgerPromise } from '../schema.ts';
import { requestTasks, sentenceOf, todayOf } from '../service.ts';
import * as repo from './repo.ts';
import type { AddInput, EditInput } from './schema.ts';

type ChangeDeps = { db: Db; clock: Clock; queue: Queue };
type ReadDeps = { db: Db; clock: Clock; readTyped: ReadTyped };
type Owner = { userId: string };

/**
 * Stores what a person edited; no later digest changes it. Throws NotFound, and Conflict for one that is closed.
 */
export async function editPromise(
  deps: ChangeDeps,
  { userId, promiseId, edit }: Owner & { promiseId: string; edit: EditInput },
): Promise<LedgerPromise> {
  const { words, dueDate, dueTime, direction, who, kind } = edit;
  const today = await todayOf(deps, { userId });
  const fields: repo.Edit = {
    words,
    kind,
    ...(dueDate !== undefined && { due: dueDate === null ? null : { date: dueDate, time: dueTime ?? null } }),
    ...(direction !== undefined && { side: { direction, who: direction === 'mine' ? null : (who ?? null) } }),
  };
  const asked = { userId, ids: [promiseId], today, now: deps.clock.now() };
  const [changed] = await repo.editPromise(deps.db, asked, fields);
  if (!changed) throw new NotFound('promise');
  if (!changed.isChanged) throw new Conflict('PROMISE_STATE', sentenceOf('PROMISE_STATE', changed.promise));
  await requestTasks(deps, { userId });
  return changed.promise;
}

/** Adds a promise of the person's own. Throws NotFound for a conversation that is not theirs. */
export async function addPromise(deps: ChangeDeps, { userId, ...added }: Owner & AddInput): Promise<LedgerPromise> {
  const { dialogId, words, dueDate, dueTime, direction, who, kind, messageIds } = added;
  const today = await todayOf(deps, { userId });
  const edit = {
    words,
    kind,
    due: dueDate === null ? null : { date: dueDate, time: dueTime },
    side: { direction, who: direction === 'mine' ? null : who },
  };
  const place = { userId, dialogId, today, now: deps.clock.now(), messageIds };
  const promise = await repo.addPromise(deps.db, place, edit);
  if (!promise) throw new NotFound('conversation');
  await requestTasks(deps, { userId });
  return promise;
}

/** Reads something to do as it is typed, as a message of the present moment: what, and when. */
export async function readTyped(deps: ReadDeps, { userId, text }: Owner & { text: string }): Promise<TypedPromise> {
  const { timezone } = await getSettings(deps, { userId });
  return deps.readTyped(text, { saidAt: deps.clock.now(), timezone });
}

const MOST_CHOICES = 300;

/** The conversations that a promise can be added to: at most 300. Throws NotFound for one that is not theirs. */
export async function getChoices(
  { db }: { db: Db },
  { userId, dialogId }: Owner & { dialogId?: string | undefined },
): Promise<repo.Choice[]> {
  const choices = await repo.listChoices(db, { userId, dialogId, limit: MOST_CHOICES });
  if (dialogId && !choices.some(({ id }) => id === dialogId)) throw new NotFound('conversation');
  return choices;
}

/** A promise to edit, and whether it is closed. Throws NotFound. */
export async function getEditable(
  { db, clock }: { db: Db; clock: Clock },
  { userId, promiseId }: Owner & { promiseId: string },
): Promise<{ promise: LedgerPromise; today: string; isClosed: boolean }> {
  const today = await todayOf({ db, clock }, { userId });
  const promise = await repo.findPromise(db, { userId, promiseId, today });
  if (!promise) throw new NotFound('promise');
  return { promise, today, isClosed: !LIVE_STATES.some(state => state === promise.state) };
}
