import type { QuotedClosing } from '../../../../../src/clients/summarizer/types.ts';
import { closePastOfAllUsers, markAllPromisesShown } from '../../../../../src/features/promises/repo.ts';
import { changeMany } from '../../../../../src/features/promises/service.ts';
import { BEGIN, createChance, createConversation, DAY, NOUNS, type Side, type Voiced } from './conversation.ts';
import { type Bench, createWork, pickOf, type Row } from './work.ts';

type Action = 'done' | 'cancel' | 'dismiss' | 'snooze' | 'move' | 'reopen' | 'undo';

/**
 * The life of one conversation: what is written in it, how its days are read and read again, and what its person does.
 * Each step holds all of its own chance.
 */
export type Step =
  /** A message with promises of whoever writes it, or of the other side; perhaps it answers a request just before. */
  | { do: 'say'; by: Side; of: Side[]; answers: boolean; due: number | null }
  /** A message that says what became of an earlier promise. */
  | { do: 'close'; pick: number; by: Side; state: QuotedClosing['state'] }
  | ({ do: 'sync' } & Voiced)
  | ({ do: 'rewrite'; pick: number } & Voiced)
  /** Two syncs of the day at once, as when a worker is presumed dead, and the person looks meanwhile. */
  | ({ do: 'syncTwice' } & Voiced)
  /** A rewrite of a digest and a sync at once, and the person decides meanwhile. */
  | ({ do: 'rewriteAtOnce'; pick: number; action: Action } & Voiced)
  | { do: 'day'; days: number }
  | { do: 'look' }
  | { do: 'decide'; pick: number; action: Action; days: number }
  | { do: 'cleanUp' };

const SIDES = ['user', 'contact'] as const;
const VOICES = ['builtIn', 'model'] as const;
const ACTIONS = ['done', 'cancel', 'dismiss', 'snooze', 'move', 'reopen', 'undo', 'undo', 'undo'] as const;
const CLOSINGS = ['done', 'cancelled', 'moved', 'doubtful', 'handedOver'] as const;

/** A life of about a dozen steps, each of which changes something. */
export function randomScenario(seed: number): Step[] {
  const { whole, is, one, next } = createChance(seed);
  const voiced = () => ({ voice: one(VOICES), seed: whole(1e6) });
  const say = (): Step => {
    const by = one(SIDES);
    const of = is(0.25) ? [by, one(SIDES)] : [is(0.7) ? by : one(SIDES)];
    return { do: 'say', by, of, answers: is(0.4), due: is(0.5) ? whole(4) : null };
  };
  const sync = (): Step => ({ do: 'sync', ...voiced() });
  const rewrite = (): Step => ({ do: 'rewrite', pick: next(), ...voiced() });
  const close = (): Step => ({ do: 'close', pick: next(), by: one(SIDES), state: one(CLOSINGS) });
  const back = (): Step => ({ do: 'decide', pick: next(), action: is(0.7) ? 'undo' : 'reopen', days: 1 });
  const again = (): Step => (is(0.5) ? { do: 'cleanUp' } : rewrite());
  const others: (readonly [number, () => Step | Step[]])[] = [
    [20, say],
    [9, close],
    [16, sync],
    [18, rewrite],
    [4, () => ({ do: 'syncTwice', ...voiced() })],
    [5, () => ({ do: 'rewriteAtOnce', pick: next(), action: one(ACTIONS), ...voiced() })],
    [8, () => ({ do: 'day', days: 1 + whole(2) })],
    [8, () => ({ do: 'look' })],
    [18, () => ({ do: 'decide', pick: next(), action: one(ACTIONS), days: 1 + whole(3) })],
    [4, () => ({ do: 'cleanUp' })],
    // Taken back, and then read once more.
    [5, () => [{ do: 'day', days: 3 }, { do: 'cleanUp' }, back(), again()]],
    [5, () => [close(), sync(), back(), rewrite()]],
  ];
  const bag = others.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  const begun: Step[] = [say(), sync(), ...(is(0.7) ? [{ do: 'look' } as const] : [])];
  return [...begun, ...Array.from({ length: 4 + whole(5) }, () => bag[whole(bag.length)]?.() ?? sync()).flat()];
}

/** Lives the steps in a conversation of their own. Throws after the step that breaks what a promise is to keep. */
export async function runScenario(bench: Bench, steps: readonly Step[]): Promise<void> {
  const { db, time, clock, userId, accountId } = bench;
  bench.lives.begun += 1;
  time.now = BEGIN;
  const key = String(bench.lives.begun);
  const peer = { peer_id: `user:${key}`, peer_type: 'user', peer_kind: 'user', peer_key: key, peer_name: 'Farid' };
  const [{ id: dialogId }] = await db('dialogs')
    .insert({ user_id: userId, account_id: accountId, ...peer })
    .returning('id');
  const conversation = createConversation(time);
  const { said, closes, write, writerIn, doubles, today, dayIn } = conversation;
  const { base, asSync, sync, rewrite, list } = createWork(bench, String(dialogId), conversation);
  /** By promise: the messages of closings that its person took back. */
  const undone = new Map<string, Set<string>>();
  /** Promises that their person's own undo closed again. */
  const redone = new Set<string>();
  let newest: Row[] = [];

  async function decide({ id }: Row, action: Action, days: number): Promise<void> {
    const change = {
      action,
      ...(action === 'snooze' && { until: dayIn(days) }),
      ...(action === 'move' && { dueDate: dayIn(days) }),
    };
    await changeMany(base, { userId, ids: [id], change });
  }

  /** What a person takes back is mostly what they did not do themselves. */
  function wantedBy(step: Step, rows: Row[]): Row | undefined {
    if (step.do === 'rewriteAtOnce') return pickOf(rows, step.pick);
    if (step.do !== 'decide') return undefined;
    const others = rows.filter(({ changedBy }) => changedBy === 'automatic');
    return pickOf(['undo', 'reopen'].includes(step.action) && others.length > 0 ? others : rows, step.pick);
  }

  type Take<K extends Step['do']> = (step: Extract<Step, { do: K }>, before: Row[]) => unknown;
  const TAKE: { [K in Step['do']]: Take<K> } = {
    say({ by, of, answers: isAnswer, due }) {
      const requestId = isAnswer ? write(by === 'user' ? 'contact' : 'user') : null;
      const binding = write(by);
      const dueDate = due === null ? null : dayIn(due);
      for (const one of of) said.push({ binding, requestId, of: one, thing: said.length % NOUNS.length, dueDate });
    },
    close({ pick, by, state }) {
      const one = pickOf(said, pick);
      if (one) closes.set(write(by), { binding: one.binding, state });
    },
    sync: step => asSync(() => sync(step)),
    rewrite: step => rewrite(step.pick, writerIn(step)),
    syncTwice: step =>
      asSync(async () => {
        const twice = [sync(step), sync({ voice: 'model', seed: step.seed + 1 }), markAllPromisesShown(db, { userId })];
        const outcomes = await Promise.allSettled(twice);
        const failed = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
        const other = failed.find(reason => !/taken over/.test(reason.message));
        if (other) throw other;
      }),
    async rewriteAtOnce(step, before) {
      let meanwhile: Promise<unknown> = Promise.resolve();
      const writer = writerIn(step, async () => {
        const one = wantedBy(step, before);
        const other = asSync(() => sync({ voice: 'builtIn', seed: step.seed + 1 }));
        meanwhile = Promise.all([other, one && decide(one, step.action, 2), closePastOfAllUsers(db, clock.now())]);
      });
      await rewrite(step.pick, writer);
      await meanwhile;
    },
    day({ days }) {
      time.now += days * DAY;
    },
    look: () => markAllPromisesShown(db, { userId }),
    decide(step, before) {
      const one = wantedBy(step, before);
      return one && decide(one, step.action, step.days);
    },
    cleanUp: () => closePastOfAllUsers(db, clock.now()),
  };

  /** Remembers what the person took back: it must not come back from the same messages. */
  function noteDecision(step: Extract<Step, { do: 'decide' | 'rewriteAtOnce' }>, before: Row[], after: Row[]): void {
    const was = wantedBy(step, before);
    const is = after.find(({ id }) => id === was?.id);
    if (!was || !is) return;
    const isChanged = is.changedAt !== was.changedAt || is.state !== was.state || is.isDoubtful !== was.isDoubtful;
    if (['undo', 'reopen'].includes(step.action) && was.changedBy === 'automatic' && was.canUndo && isChanged) {
      const past = was.reason === 'past' ? ['past'] : [];
      undone.set(was.id, new Set([...(undone.get(was.id) ?? []), ...(was.evidence?.messageIds ?? []), ...past]));
    }
    // Who takes back that they opened it has closed it themselves.
    if (step.action === 'undo' && was.changedBy === 'person' && !is.canUndo) redone.add(was.id);
    else if (step.do === 'decide' && is.changedAt !== was.changedAt) redone.delete(was.id);
  }

  const READINGS: readonly Step['do'][] = ['sync', 'rewrite', 'syncTwice', 'cleanUp'];

  /** What no step may do to a row, and what no row may be. */
  function broken(step: Step, before: Row[], after: Row[]): string[] {
    const isReading = READINGS.includes(step.do);
    const between = before.flatMap(was => {
      const is = after.find(({ id }) => id === was.id);
      if (!is) return [`a row is gone: ${JSON.stringify(was)}`];
      const wasShown = was.isShown && was.storedState !== 'withdrawn';
      // By a rewrite of the digest that said it before; another day may say it in other words.
      const isRewritten = isReading && wasShown && is.lastDigestId === was.lastDigestId;
      const isClosed = ['done', 'cancelled', 'dismissed'].includes(was.state);
      return [
        is.itemId !== was.itemId && 'it is another item',
        wasShown && is.storedState === 'withdrawn' && 'it was shown, and is withdrawn',
        isReading && isClosed && is.state !== was.state && 'a reading changed that it was closed',
        isRewritten && is.words !== was.words && 'a rewrite changed words that were shown',
        isRewritten &&
          was.direction !== 'unassigned' &&
          is.direction !== was.direction &&
          'a rewrite changed whose it was shown to be',
      ].flatMap(name => (name ? [`${name}: ${JSON.stringify({ was, is })}`] : []));
    });
    const standing = after.flatMap(row => {
      const hasReason = row.state === 'done' || row.state === 'cancelled';
      const isAutomatic = hasReason && row.changedBy === 'automatic';
      const rests = row.reason === 'past' ? ['past'] : (row.evidence?.messageIds ?? []);
      const taken = undone.get(row.id);
      const isBack = isAutomatic && !redone.has(row.id) && rests.some(one => taken?.has(one));
      return [
        hasReason && row.reason === null && 'it is closed without a reason',
        isAutomatic && !row.canUndo && !redone.has(row.id) && 'its automatic closing has no undo',
        isBack && 'a closing that was taken back has returned',
        row.reason === 'replaced' && row.replacedBy === null && 'it is replaced by nothing',
        row.reason === 'past' && (row.dueDate ?? today()) >= today() && 'it is past before its day',
        row.state === 'open' && !row.isListed && 'it is open on no list',
      ].flatMap(name => (name ? [`${name}: ${JSON.stringify(row)}`] : []));
    });
    return [...between, ...standing, ...doubles(after)];
  }

  for (const [at, step] of steps.entries()) {
    time.now += 60_000;
    const before = newest;
    await (TAKE[step.do] as Take<Step['do']>)(step as never, before);
    newest = await list();
    if (step.do === 'decide' || step.do === 'rewriteAtOnce') noteDecision(step, before, newest);
    const [first] = broken(step, before, newest);
    if (first) throw new Error(`${first}, after step ${at} (${step.do})`);
  }
  await db('dialogs').where({ id: dialogId }).delete();
}
