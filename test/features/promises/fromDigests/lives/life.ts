import { ClientError } from '../../../../../src/clients/errors.ts';
import { closePastOfAllUsers, noteShown } from '../../../../../src/features/promises/repo.ts';
import { addPromise, changeMany, editPromise } from '../../../../../src/features/promises/service.ts';
import { brokenBetween, brokenIn, type Hand, type Row } from './broken.ts';
import { BEGIN, createConversation, DAY, NOUNS } from './conversation.ts';
import type { Action, Step } from './makeLife.ts';
import { type Bench, createWork, pickOf } from './work.ts';

/** A promise of the issue that was not kept. */
export class Broken extends Error {}

/** Lives the steps in a conversation of their own. Throws {@link Broken} after the step that breaks the promise. */
export async function live(bench: Bench, steps: readonly Step[]): Promise<void> {
  const life = await beginLife(bench);
  try {
    for (const [at, step] of steps.entries()) await life.take(step, at);
  } finally {
    await life.end();
  }
}

async function beginLife(bench: Bench) {
  const { db, time, clock, userId, accountId } = bench;
  bench.lives.begun += 1;
  time.now = BEGIN;
  const key = String(bench.lives.begun);
  const peer = {
    peer_id: `user:${key}`,
    peer_type: 'user',
    peer_kind: 'user',
    peer_key: key,
    peer_name: 'Farid Nazari',
  };
  const [{ id }] = await db('dialogs')
    .insert({ user_id: userId, account_id: accountId, ...peer })
    .returning('id');
  const dialogId = String(id);
  const conversation = createConversation(time);
  const { said, closes, answers, write, writerIn, doubles, today, dayIn } = conversation;
  const { base, asSync, sync, rewrite, list } = createWork(bench, dialogId, conversation);
  const hand = new Map<string, Hand>();
  const undone = new Map<string, Set<string>>();
  const redone = new Set<string>();
  let newest: Row[] = [];

  async function decide(ids: string[], action: Action, days: number): Promise<void> {
    const change = {
      action,
      ...(action === 'snooze' && { until: dayIn(days) }),
      ...(action === 'move' && { dueDate: dayIn(days) }),
    };
    await changeMany(base, { userId, ids, change });
  }

  /** What a person takes back is mostly what they did not do themselves. */
  function wantedBy({ pick, action }: Extract<Step, { do: 'decide' }>, rows: Row[]): Row | undefined {
    const others = rows.filter(({ changedBy }) => changedBy === 'automatic');
    return pickOf(['undo', 'reopen'].includes(action) && others.length > 0 ? others : rows, pick);
  }

  /** Remembers what the person took back: it must not come back from the same messages. */
  function noteUndone(before: Row | undefined, after: Row | undefined): void {
    if (!before || !after || before.changedBy !== 'automatic' || !before.canUndo) return;
    if (after.changedAt === before.changedAt && after.state === before.state && after.isDoubtful === before.isDoubtful)
      return;
    const ids = undone.get(before.id) ?? new Set();
    for (const messageId of before.evidence?.messageIds ?? []) ids.add(messageId);
    if (before.reason === 'past') ids.add('past');
    undone.set(before.id, ids);
  }

  const EDITS = {
    words: (at: number) => ({ words: `In my own words ${at}` }),
    due: () => ({ dueDate: dayIn(1), dueTime: null }),
    side: () => ({ direction: 'theirs', who: 'Zoe' }) as const,
    kind: () => ({ kind: 'deadline' }) as const,
  };

  type Take<K extends Step['do']> = (step: Extract<Step, { do: K }>, at: number, before: Row[]) => unknown;
  const TAKE: { [K in Step['do']]: Take<K> } = {
    say({ by, of, answers: isAnswer, cites, due, kind }) {
      const requestId = isAnswer ? write(by === 'user' ? 'contact' : 'user') : null;
      const binding = write(by);
      const dueDate = due === null ? null : dayIn(due);
      for (const one of of) {
        said.push({ binding, requestId, cites, of: one, thing: said.length % NOUNS.length, dueDate, kind });
      }
    },
    repeat({ pick }) {
      const one = pickOf(said, pick);
      if (one) said.push({ ...one, binding: write(one.of), requestId: null });
    },
    close({ pick, by, state }) {
      const one = pickOf(said, pick);
      if (one) closes.set(write(by), { binding: one.binding, state });
    },
    answer: () => answers.add(write('user')),
    sync: step => asSync(() => sync(step, step)),
    rewrite: step => rewrite(step.pick, writerIn(step)),
    syncTwice: step =>
      asSync(async () => {
        const twice = [sync(step), sync({ voice: 'german', seed: step.seed + 1 }), noteShown(db, { userId })];
        const failed = (await Promise.allSettled(twice)).filter(({ status }) => status === 'rejected');
        const other = failed.find(one => 'reason' in one && !/taken over/.test(one.reason.message));
        if (other && 'reason' in other) throw other.reason;
      }),
    async rewriteAtOnce(step, _, before) {
      let meanwhile: Promise<unknown> = Promise.resolve();
      const writer = writerIn(step, async () => {
        const one = pickOf(before, step.pick);
        const other = asSync(() => sync({ voice: 'builtIn', seed: step.seed + 1 }));
        const decided = one && decide([one.id], step.action, 2);
        meanwhile = Promise.all([other, decided, closePastOfAllUsers(db, clock.now())]);
      });
      await rewrite(step.pick, writer);
      await meanwhile;
    },
    day({ days }) {
      time.now += days * DAY;
    },
    look: () => noteShown(db, { userId }),
    mail: () => noteShown(db, { userId }),
    decide(step, _, before) {
      const one = wantedBy(step, before);
      return one && decide([one.id], step.action, step.days);
    },
    edit({ pick, field }, at, before) {
      const open = before.filter(({ storedState }) => storedState === 'open');
      const one = pickOf(open, pick);
      return one && editPromise(base, { userId, promiseId: one.id, edit: EDITS[field](at) });
    },
    add({ pick, kind, due }, at) {
      const about = pick < 0.5 ? pickOf(said, pick) : undefined;
      const fields = { words: `Added by hand ${at}`, dueTime: null, direction: 'mine', who: null, kind } as const;
      const messageIds = about ? [String(about.binding)] : [];
      return addPromise(base, { userId, dialogId, ...fields, dueDate: due === null ? null : dayIn(due), messageIds });
    },
    merge: (_, at) =>
      db('dialogs')
        .where({ id: dialogId })
        .update({ match_status: 'CONFIRMED', crm_contact_id: String(at) }),
    cleanUp: () => closePastOfAllUsers(db, clock.now()),
  };

  const READINGS: readonly Step['do'][] = ['sync', 'rewrite', 'syncTwice', 'cleanUp'];

  function keepHand(step: Step, before: Row[], after: Row[]): void {
    const was = new Map(before.map(row => [row.id, row]));
    const mine = step.do === 'decide' || step.do === 'edit' || step.do === 'add' || step.do === 'rewriteAtOnce';
    if (!mine) return;
    for (const row of after) {
      const isPersons = was.get(row.id)?.changedAt !== row.changedAt || was.get(row.id)?.canUndo !== row.canUndo;
      if (!isPersons && was.has(row.id)) continue;
      hand.set(row.id, {
        ...(row.edited.includes('words') && { words: row.words }),
        ...(row.edited.includes('due') && { dueDate: row.dueDate }),
        ...(row.edited.includes('side') && { direction: row.direction }),
        ...(row.edited.includes('kind') && { kind: row.kind }),
      });
    }
  }

  function noteDecision(step: Extract<Step, { do: 'decide' | 'rewriteAtOnce' }>, before: Row[], now: Map<string, Row>) {
    const one = step.do === 'decide' ? wantedBy(step, before) : pickOf(before, step.pick);
    if (!one) return;
    if (['undo', 'reopen'].includes(step.action)) noteUndone(one, now.get(one.id));
    // Who takes back that they opened it has closed it themselves.
    const isClosed = now.get(one.id)?.canUndo === false;
    if (step.action === 'undo' && one.changedBy === 'person' && isClosed) redone.add(one.id);
    else if (step.do === 'decide' && now.get(one.id)?.changedAt !== one.changedAt) redone.delete(one.id);
  }

  async function take(step: Step, at: number): Promise<void> {
    time.now += 60_000;
    const before = newest;
    await (TAKE[step.do] as Take<Step['do']>)(step as never, at, before);
    newest = await list();
    const now = new Map(newest.map(row => [row.id, row]));
    if (step.do === 'decide' || step.do === 'rewriteAtOnce') noteDecision(step, before, now);
    keepHand(step, before, newest);
    const isReading = READINGS.includes(step.do);
    const broken = [
      ...before.flatMap(was => brokenBetween({ was, is: now.get(was.id), isReading })),
      ...newest.flatMap(row => {
        const taken = (!redone.has(row.id) && undone.get(row.id)) || new Set();
        return brokenIn({ row, taken, isRedone: redone.has(row.id), hand: hand.get(row.id) ?? {}, today: today() });
      }),
      ...(newest.some(row => row.state === 'open' && !row.isListed) ? ['on no list'] : []),
      ...doubles(newest),
    ];
    if (broken[0]) throw new Broken(`${broken[0]}, after step ${at} (${step.do})`);
  }

  return { take, end: () => db('dialogs').where({ id: dialogId }).delete() };
}

/** Takes out steps for as long as the rest still breaks the promise. */
export async function shrink(bench: Bench, steps: readonly Step[]): Promise<{ steps: Step[]; error: unknown }> {
  let least = [...steps];
  let error = await errorOf(bench, least);
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const fewer = least.toSpliced(at, size);
      const found = await errorOf(bench, fewer);
      if (found) [least, error] = [fewer, found];
      else at += size;
    }
  }
  return { steps: least, error };
}

export async function errorOf(bench: Bench, steps: readonly Step[]): Promise<unknown> {
  try {
    await live(bench, steps);
    return undefined;
  } catch (err) {
    if (err instanceof ClientError) throw err;
    return err;
  }
}
