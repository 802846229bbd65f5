import type { ReadTyped, TypedPromise } from '../../clients/summarizer/types.ts';
import type { Timed } from '../../lib/clock.ts';
import type { Db, UserKey } from '../../lib/db.ts';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts';
import type { Queue, Queued, UserJobData } from '../../lib/queue.ts';
import { getSettings } from '../base/settings/service.ts';
import { getConnection } from '../crm/repo.ts';
import * as repo from './repo.ts';
import { isLivePromise, TRANSITIONS, toUserMoment, type UserMoment } from './rules.ts';
import {
  type AddInput,
  type ChangeInput,
  type ChangeRefusal,
  type EditInput,
  encodeCursor,
  type ListInput,
  TASKS_QUEUE,
  type UserPromise,
} from './schema.ts';

export { applyTaskChanges, markAllPromisesShown } from './repo.ts';

/** A page of a person's promises in one state, by due day; those without one come last. `among`: only these conversations. */
export async function getPromises(
  deps: Timed,
  { userId, cursor, limit, ...filters }: UserKey & ListInput & { among?: readonly string[] },
): Promise<{ promises: UserPromise[]; nextCursor: string | null }> {
  const moment = await findUserMoment(deps, { userId });
  const rows = await repo.listReadablePromises(deps.db, { userId, ...moment, after: cursor, limit: limit + 1, ...filters });
  const promises = rows.slice(0, limit);
  const last = promises.at(-1);
  return { promises, nextCursor: rows.length > limit && last ? encodeCursor(last) : null };
}

type ChangeRequest = UserKey & { promiseId: string; change: ChangeInput };

/**
 * Applies a person's decision about a promise. If it was already decided that way, it stays as it is. Throws NotFound,
 * Conflict for a move that its state does not allow, InvalidInput for a day in the past.
 */
export async function changePromise(deps: Queued, { userId, promiseId, change }: ChangeRequest): Promise<UserPromise> {
  const [changed] = await applyChange(deps, { userId, ids: [promiseId], change });
  if (!changed) throw new NotFound('promise');
  const refusal = findRefusal(changed, change);
  if (refusal) throw new Conflict(refusal, describeRefusal(refusal, changed.promise));
  return changed.promise;
}

type ChangesRequest = UserKey & { ids: readonly string[]; change: ChangeInput };
type BulkChange = { promises: UserPromise[]; refused: { id: string; code: ChangeRefusal }[] };

/** Makes one decision about many promises at once; names those that can't be changed. Throws InvalidInput. */
export async function changeMany(deps: Queued, { userId, ids, change }: ChangesRequest): Promise<BulkChange> {
  const outcomes = await applyChange(deps, { userId, ids, change });
  const refusals = new Map(outcomes.map(outcome => [outcome.promise.id, findRefusal(outcome, change)]));
  const refused = [...new Set(ids)].flatMap(id => {
    const code = refusals.has(id) ? refusals.get(id) : 'NOT_FOUND';
    return code ? [{ id, code }] : [];
  });
  return { promises: outcomes.map(({ promise }) => promise).filter(({ id }) => !refusals.get(id)), refused };
}

async function applyChange(deps: Queued, request: ChangesRequest): Promise<repo.ChangeOutcome[]> {
  const changed = await storeChange(deps, request);
  if (changed.some(({ isChanged }) => isChanged)) await requestTasks(deps, request);
  return changed;
}

/** Seconds before tasks are written, so that decisions made in quick succession go to the CRM together. */
const GATHERED_SECONDS = 2;

/** Queues updates of tasks after the user's decisions, if tasks are on. */
export async function requestTasks({ db, queue }: { db: Db; queue: Queue }, { userId }: UserKey): Promise<void> {
  const { status, tasksWrite } = await getConnection(db, userId);
  if (status !== 'active' || !tasksWrite) return;
  await queue.send(TASKS_QUEUE.name, { userId } satisfies UserJobData, {
    singletonKey: userId,
    startAfter: GATHERED_SECONDS,
  });
}

async function storeChange(
  { db, clock }: Timed,
  { userId, ids, change: { action, until, dueDate } }: ChangesRequest,
): Promise<repo.ChangeOutcome[]> {
  const moment = await findUserMoment({ db, clock }, { userId });
  const { today } = moment;
  const selection = { userId, ids, ...moment, now: clock.now() };
  if (action === 'undo') return repo.undoChanges(db, selection);
  if (action === 'snooze' && until && until <= today) throw createDayError('until', 'Choose a day after today.');
  if (action === 'move' && dueDate && dueDate < today) throw createDayError('dueDate', 'Choose today or a day after it.');
  const parameters = { ...(action === 'snooze' && { until }), ...(action === 'move' && { dueDate }) };
  return repo.changePromises(db, selection, { move: action, ...parameters });
}

const createDayError = (field: string, sentence: string): InvalidInput => new InvalidInput(sentence, { [field]: sentence });

/** Why a change was refused; undefined if it was made, or the promise already is as wanted. */
function findRefusal({ promise, isChanged }: repo.ChangeOutcome, { action }: ChangeInput): ChangeRefusal | undefined {
  if (isChanged) return undefined;
  if (action === 'undo') return 'NOTHING_TO_UNDO';
  return promise.state === TRANSITIONS[action].to ? undefined : 'PROMISE_STATE';
}

function describeRefusal(refusal: ChangeRefusal, { state }: UserPromise): string {
  if (refusal === 'NOTHING_TO_UNDO') return 'There is nothing to undo.';
  return `This promise is ${state} already. Reopen it first.`;
}

export async function findUserMoment({ db, clock }: Timed, owner: UserKey): Promise<UserMoment> {
  const { timezone } = await getSettings({ db }, owner);
  return toUserMoment(clock.now(), timezone);
}

/** Stores what a person edited; no later digest changes it. Throws NotFound, and Conflict for one that is closed. */
export async function editPromise(
  deps: Queued,
  { userId, promiseId, edit }: UserKey & { promiseId: string; edit: EditInput },
): Promise<UserPromise> {
  const { words, dueDate, dueTime, direction, who, kind } = edit;
  const moment = await findUserMoment(deps, { userId });
  const fields: repo.Edit = {
    words,
    kind,
    ...(dueDate !== undefined && { due: dueDate === null ? null : { date: dueDate, time: dueTime ?? null } }),
    ...(direction !== undefined && { side: { direction, who: direction === 'mine' ? null : (who ?? null) } }),
  };
  const selection = { userId, ids: [promiseId], ...moment, now: deps.clock.now() };
  const [changed] = await repo.editPromise(deps.db, selection, fields);
  if (!changed) throw new NotFound('promise');
  const { promise, isChanged } = changed;
  if (!isLivePromise(promise)) throw new Conflict('PROMISE_STATE', describeRefusal('PROMISE_STATE', promise));
  if (isChanged) await requestTasks(deps, { userId });
  return promise;
}

/** Adds a promise of the person's own. Throws NotFound for a conversation that is not theirs. */
export async function addPromise(deps: Queued, { userId, ...added }: UserKey & AddInput): Promise<UserPromise> {
  const { dialogId, words, dueDate, dueTime, direction, who, kind, messageIds } = added;
  const moment = await findUserMoment(deps, { userId });
  const edit = {
    words,
    kind,
    due: dueDate === null ? null : { date: dueDate, time: dueTime },
    side: { direction, who: direction === 'mine' ? null : who },
  };
  const place = { userId, dialogId, ...moment, now: deps.clock.now(), messageIds };
  const promise = await repo.addPromise(deps.db, place, edit);
  if (!promise) throw new NotFound('conversation');
  await requestTasks(deps, { userId });
  return promise;
}

/** Reads something to do as it is typed, as a message of the present moment: what, and when. */
export async function parseTypedPromise(
  deps: Timed & { readTyped: ReadTyped },
  { userId, text }: UserKey & { text: string },
): Promise<TypedPromise> {
  const { timezone } = await getSettings(deps, { userId });
  return deps.readTyped(text, { saidAt: deps.clock.now(), timezone });
}

const MAX_CHOICES = 300;

/** The conversations that a promise can be added to: at most 300. Throws NotFound for one that is not theirs. */
export async function getChoices(
  { db }: { db: Db },
  { userId, dialogId }: UserKey & { dialogId?: string | undefined },
): Promise<repo.DialogChoice[]> {
  const choices = await repo.listDialogChoices(db, { userId, dialogId, limit: MAX_CHOICES });
  if (dialogId && !choices.some(({ id }) => id === dialogId)) throw new NotFound('conversation');
  return choices;
}

export async function getPromiseToEdit(
  { db, clock }: Timed,
  { userId, promiseId }: UserKey & { promiseId: string },
): Promise<{ promise: UserPromise; isClosed: boolean }> {
  const moment = await findUserMoment({ db, clock }, { userId });
  const promise = await repo.findPromise(db, { userId, promiseId, ...moment });
  if (!promise) throw new NotFound('promise');
  return { promise, isClosed: !isLivePromise(promise) };
}
