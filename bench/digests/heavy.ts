import { parseArgs } from 'node:util';
import { listRows } from '../../src/features/data/account/repo.ts';
import { EXPORTED_TABLES } from '../../src/features/data/account/service.ts';
import { listNewestCoverage, searchDigests } from '../../src/features/digests/repo.ts';
import { takeSnapshot } from '../../src/features/operator/admin/service.ts';
import { getNoteStatus } from '../../src/features/outbox/notes/repo.ts';
import { planNotes } from '../../src/features/outbox/notes/service.ts';
import { askDigests } from '../../src/features/pages/ask/service.ts';
import { getBrief } from '../../src/features/pages/brief/service.ts';
import { getExtent } from '../../src/features/pages/conversation/repo.ts';
import { getDay } from '../../src/features/pages/today/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { median, print, withGround } from '../support/ground.ts';
import { fillMornings } from '../support/morning.ts';
import { fillOthers } from './others.ts';

/*
 * What grows over the years: a user with 300 digests a day for a year (109,500) among five million of other users,
 * against the same person's first five days alone. Each question is asked in turns; printed is the median. `--others`
 * sets how many digests the others have: five million take some ten minutes to write and 6 GB. Ends with 1 when one
 * takes longer than its milliseconds.
 */

const PER_DAY = 300;
const ROUNDS = 9;

const { values } = parseArgs({ options: { others: { type: 'string', default: '5000000' } } });

type Person = { db: Db; userId: string; accountId: string; dialogId: string };
const askFor =
  (typed: string) =>
  ({ db, userId }: Person) =>
    askDigests({ db, clock: systemClock }, { userId, typed });

type Question = { name: string; milliseconds: number; ask(of: Person): Promise<unknown> };

const TODAY = new Date().toISOString().slice(0, 10);
const digests = EXPORTED_TABLES.filter(({ table }) => table === 'digests');

const QUESTIONS: Question[] = [
  { name: 'newest digest of each conversation', milliseconds: 50, ask: ({ db, ...of }) => listNewestCoverage(db, of) },
  {
    name: 'the day',
    milliseconds: 150,
    ask: ({ db, userId }) =>
      getDay({ db, clock: systemClock, aiService: undefined, crm: undefined }, { userId, day: TODAY }),
  },
  { name: 'days of a conversation', milliseconds: 20, ask: ({ db, ...of }) => getExtent(db, of) },
  {
    name: 'search for a rare word',
    milliseconds: 50,
    ask: ({ db, userId }) => searchDigests(db, { userId, words: ['zzzz'], since: '2000-01-01', limit: 240 }),
  },
  {
    name: 'search for a word of most digests',
    milliseconds: 100,
    ask: ({ db, userId }) => searchDigests(db, { userId, words: ['monday'], since: '2000-01-01', limit: 240 }),
  },
  { name: 'brief', milliseconds: 100, ask: ({ db, ...of }) => getBrief({ db, clock: systemClock, crm: undefined }, of) },
  { name: 'a question about a rare word', milliseconds: 300, ask: askFor('What did they say about the zzzzing?') },
  { name: 'a question about words of most digests', milliseconds: 400, ask: askFor('What about the tender on monday?') },
  { name: 'a question about what is owed', milliseconds: 200, ask: askFor('What do I owe?') },
  { name: 'last note', milliseconds: 20, ask: ({ db, userId }) => getNoteStatus(db, userId) },
  { name: 'plan of all notes', milliseconds: 500, ask: ({ db, userId }) => planNotes({ db }, { userId }) },
  { name: 'status and metrics', milliseconds: 400, ask: ({ db }) => takeSnapshot({ db, clock: systemClock }) },
  {
    name: 'a piece of the export',
    milliseconds: 100,
    ask: async ({ db, userId }) => {
      for (const table of digests) await listRows(db, table, { userId, after: undefined, limit: 500 });
    },
  },
];

let holds = true;

await withGround(few =>
  withGround(async many => {
    const light = await settle(few.db, 5);
    const heavy = await settle(many.db, 365);
    await fillOthers(many.db, { digests: Number(values.others) });
    for (const question of QUESTIONS) report(question, await inTurns(question, { light, heavy }));
  }),
);
process.exitCode = holds ? 0 : 1;

/** A user with that many days of digests, a third of whose conversations have notes. */
async function settle(db: Db, days: number): Promise<Person> {
  const [{ id: userId }] = await db('users').insert({ email: 'bench@example.com' }).returning('id');
  await fillMornings(db, userId, { perDay: PER_DAY, days, script: 'latin' });
  const connection = { status: 'active', portal_id: '1', credentials: 'none', connected_at: new Date() };
  await db('crm_connections').insert({ user_id: userId, ...connection });
  await db.raw(
    `insert into outbox_notes (user_id, dialog_id, digest_id, portal_id, crm_contact_id, crm_id, state, content_hash,
                            created_at, written_at, contact_synced_at)
     select digests.user_id, dialog_id, digests.id, '1', crm_contact_id, digests.id, 'written', '', now(), now(), now()
     from digests join dialogs on dialogs.id = dialog_id where match_status = 'CONFIRMED'`,
  );
  const dialog = await db('dialogs').where({ user_id: userId }).first('id', 'account_id');
  await db.raw('vacuum analyze');
  return { db, userId, accountId: dialog.account_id, dialogId: dialog.id };
}

async function inTurns({ ask }: Question, people: { light: Person; heavy: Person }) {
  const times = { light: [] as number[], heavy: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['light', 'heavy'] as const) {
      const began = performance.now();
      await ask(people[name]);
      times[name].push(performance.now() - began);
    }
  }
  return { light: median(times.light), heavy: median(times.heavy) };
}

function report({ name, milliseconds }: Question, { light, heavy }: { light: number; heavy: number }): void {
  const isWithin = heavy <= milliseconds;
  holds &&= isWithin;
  const times = `${light.toFixed(1)} ms with five days, ${heavy.toFixed(1)} ms with a year among others`;
  print(`${isWithin ? 'holds ' : 'BROKEN'} ${name.padEnd(36)} ${times} (at most ${milliseconds})`);
}
