import { closePastOfAllUsers, noteShown } from '../../../../../src/features/promises/repo.ts';
import { changeMany, editPromise } from '../../../../../src/features/promises/service.ts';
import { brokenBetween, type Row, restsOn } from './broken.ts';
import { BEGIN, createConversation, DAY, NOUNS } from './conversation.ts';
import type { Step } from './makeLife.ts';
import { type Bench, createWork, pickOf } from './work.ts';

const READINGS: readonly Step['do'][] = ['sync', 'rewrite', 'cleanUp'];
const EDITS = {
  words: (at: number) => ({ words: `In my own words ${at}` }),
  side: () => ({ direction: 'theirs', who: 'Zoe' }) as const,
};

/** Lives the steps in a conversation of their own. Throws after the step that breaks what must hold. */
export async function live(bench: Bench, steps: readonly Step[]): Promise<void> {
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
  const [{ id: dialogId }] = await db('dialogs')
    .insert({ user_id: userId, account_id: accountId, ...peer })
    .returning('id');
  const conversation = createConversation(time);
  const { said, closes, write, writerIn, doubles, dayIn } = conversation;
  const { base, sync, rewrite, list } = createWork(bench, dialogId, conversation);
  /** By promise: on what its closings rested that the person took back. They must not return from the same messages. */
  const taken = new Map<string, Set<unknown>>();
  let rows: Row[] = [];

  /** What a person takes back is what they did not do themselves. */
  async function decide({ pick, action }: Extract<Step, { do: 'decide' }>): Promise<void> {
    const isBack = action === 'undo' || action === 'reopen';
    const one = pickOf(isBack ? rows.filter(row => row.changedBy === 'automatic' && row.canUndo) : rows, pick);
    if (!one) return;
    const { promises } = await changeMany(base, { userId, ids: [one.id], change: { action } });
    if (!isBack || promises.length === 0) return;
    taken.set(one.id, new Set([...(taken.get(one.id) ?? []), ...restsOn(one)]));
  }

  type Take<K extends Step['do']> = (step: Extract<Step, { do: K }>, at: number) => unknown;
  const TAKE: { [K in Step['do']]: Take<K> } = {
    say({ by, of, answers, cites, due, kind }) {
      const requestId = answers ? write(by === 'user' ? 'contact' : 'user') : null;
      const binding = write(by);
      const dueDate = due === null ? null : dayIn(due);
      said.push({ binding, requestId, cites, of, thing: said.length % NOUNS.length, dueDate, kind });
    },
    close({ pick, by, state }) {
      const one = pickOf(said, pick);
      if (one) closes.set(write(by), { binding: one.binding, state });
    },
    sync: step => sync(step),
    rewrite: step => rewrite(step.pick, writerIn(step)),
    day({ days }) {
      time.now += days * DAY;
    },
    look: () => noteShown(db, { userId }),
    decide,
    edit({ pick, field }, at) {
      const open = rows.filter(({ storedState }) => storedState === 'open');
      const one = pickOf(open, pick);
      return one && editPromise(base, { userId, promiseId: one.id, edit: EDITS[field](at) });
    },
    cleanUp: () => closePastOfAllUsers(db, clock.now()),
  };

  for (const [at, step] of steps.entries()) {
    time.now += 60_000;
    await (TAKE[step.do] as Take<Step['do']>)(step as never, at);
    const now = await list();
    const isReading = READINGS.includes(step.do);
    const [broken] = [
      ...rows.flatMap(was => {
        const is = now.find(({ id }) => id === was.id);
        return brokenBetween({ was, is, isReading, taken: taken.get(was.id) });
      }),
      ...doubles(now),
    ];
    if (broken) throw new Error(`${broken}, after step ${at} (${step.do})`);
    rows = now;
  }
  await db('dialogs').where({ id: dialogId }).delete();
}
