import { expect } from 'chai';
import * as shown from '../../../../migrations/20261124110000_promises__shown__add.ts';
import * as hand from '../../../../migrations/20261125100000_promises__hand__add.ts';
import * as saidBy from '../../../../migrations/20261125110000_promises__said_by__add.ts';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { NO_SOURCES, NOTHING_YET } from '../../../../src/features/digests/schema.ts';
import { planTasks } from '../../../../src/features/outbox/taskPlan/planTasks.ts';
import { keepIdentities } from '../../../../src/features/promises/fromDigests/keepIdentities.ts';
import { closeLeftOut, recordPromises } from '../../../../src/features/promises/fromDigests/repo.ts';
import { rewriteDigest } from '../../../../src/features/sync/rewrites/repo.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { dayAgo, storeAccount, storeDialog, storedItem } from '../../pages/today/stored.ts';

const PORTAL = '4711';
const CONTACT = '501';

/** How each promise stood before, with the words that the built-in summarizer gave it, and in other words since. */
const BEFORE = {
  open: ['Please send me the signed contract', 'Vertrag unterschrieben zurückschicken', {}],
  done: ['Call the bank about the deposit', 'Bank anrufen', { state: 'done', changed_by: 'person', is_touched: true }],
  closed: ['Order the samples', 'Muster bestellen', { state: 'done', changed_by: 'automatic' }],
  dismissed: [
    'Think about the drawing',
    'Zeichnung überlegen',
    { state: 'dismissed', changed_by: 'person', is_touched: true },
  ],
  snoozed: [
    'Renew the licence',
    'Lizenz erneuern',
    { state: 'snoozed', snoozed_until: dayAgo(-3), changed_by: 'person', is_touched: true },
  ],
  moved: [
    'Print the brochure',
    'Prospekt drucken',
    { due_date: dayAgo(-5), moved_from: dayAgo(0), changed_by: 'person', is_touched: true },
  ],
} as const satisfies Record<string, readonly [string, string, object]>;
const NAMES = Object.keys(BEFORE) as (keyof typeof BEFORE)[];

const messageOf = (name: keyof typeof BEFORE) => String(10 + 2 * NAMES.indexOf(name));
const requestOf = (name: keyof typeof BEFORE) => {
  const messageId = String(Number(messageOf(name)) - 1);
  return { words: 'Could you?', messageId, who: 'Farid', fromUser: false };
};

describe('Promises of the version before', () => {
  let service: Service;
  let db: Db;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let dialogId: string;
  let digestId: string;
  let old: Record<string, unknown>[];

  before(async () => {
    service = await startService({ worker: false });
    ({ db } = service);
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(db, 'nora@example.com');
    dialogId = await storeDialog(db, owner, 'Farid Nazari');
    await saidBy.down(db);
    await hand.down(db);
    await shown.down(db);
    await fill();
    old = await list();
    await shown.up(db);
    await hand.up(db);
    await saidBy.up(db);
  });
  after(stopServices);

  const list = () => db('promises').where({ dialog_id: dialogId }).orderBy('item_id');

  async function fill(): Promise<void> {
    const { userId } = owner;
    await db('dialogs').where({ id: dialogId }).update({ match_status: 'CONFIRMED', crm_contact_id: CONTACT });
    const connection = { user_id: userId, status: 'active', portal_id: PORTAL, credentials: 'none', tasks_write: true };
    await db('crm_connections').insert(connection);
    const items = NAMES.map(name =>
      storedItem(BEFORE[name][0], { id: name, dueDate: dayAgo(0), sourceMessageIds: [messageOf(name)] }),
    );
    const range = { after_message_id: 0, last_message_id: 100, summary: 'They wrote.', engine: 'built-in' };
    const digest = { user_id: userId, dialog_id: dialogId, digest_date: dayAgo(0), status: 'COMPLETE', ...range };
    const structured = JSON.stringify({ ...NOTHING_YET, actionItems: items });
    [{ id: digestId }] = await db('digests')
      .insert({ ...digest, structured })
      .returning('id');
    for (const name of NAMES)
      await store(name, BEFORE[name][0], { source_message_ids: [messageOf(name)], ...BEFORE[name][2] });
    for (const days of [10, 40]) {
      const changed_at = new Date(service.clock.now().getTime() - days * 24 * 3600 * 1000);
      const previous = JSON.stringify({ state: 'open', isTouched: false });
      const gone = { state: 'withdrawn', changed_at, previous, source_message_ids: [String(200 + days)] };
      await store(`withdrawn-${days}`, `Gone for ${days} days`, gone);
    }
  }

  async function store(item_id: string, words: string, more: Record<string, unknown>): Promise<void> {
    const said = {
      first_said_on: dayAgo(0),
      last_said_on: dayAgo(0),
      first_digest_id: digestId,
      last_digest_id: digestId,
    };
    const row = {
      user_id: owner.userId,
      dialog_id: dialogId,
      item_id,
      words,
      direction: 'mine',
      due_date: dayAgo(0),
      ...said,
    };
    const [{ id, due_date, state }] = await db('promises')
      .insert({ changed_at: service.clock.now(), ...row, ...more })
      .returning(['id', 'due_date', 'state']);
    if (!['open', 'done', 'snoozed'].includes(state)) return;
    const day = db.raw(`(greatest(?::date, ?::date) + time '09:00') at time zone 'UTC'`, [
      due_date,
      state === 'snoozed' ? dayAgo(-3) : due_date,
    ]);
    // The subject is in words that even the promise no longer has.
    const task = {
      user_id: owner.userId,
      promise_id: id,
      portal_id: PORTAL,
      crm_contact_id: CONTACT,
      crm_id: `task-${item_id}`,
    };
    await db('outbox_tasks').insert({
      ...task,
      state: 'written',
      subject: `${words} today`,
      due_at: day,
      is_completed: state === 'done',
    });
  }

  /** Stores what a writer says of the day now, as a rewrite does. */
  async function rewrite(actionItems: ActionItem[]): Promise<void> {
    const { userId } = owner;
    const now = service.clock.now();
    const range = { afterMessageId: 0, lastMessageId: 100, firstMessageAt: now, messageCount: 9 };
    const written = {
      userId,
      digestId,
      dialogId,
      ...range,
      summary: 'Sie schrieben.',
      sources: NO_SOURCES,
      engine: 'model',
      style: 'DETAILED',
      costUsd: null,
      now,
    };
    await db.transaction(async trx => {
      for (const digest of await keepIdentities(trx, { userId }, [
        { ...written, structured: { ...NOTHING_YET, actionItems } },
      ]))
        expect(await rewriteDigest(trx, digest)).to.equal(true);
      await recordPromises(trx, { userId, digestIds: [digestId], now });
      await closeLeftOut(trx, { userId, digestIds: [digestId], now }, []);
    });
  }

  const byModel = () =>
    NAMES.toReversed().map(name =>
      storedItem(BEFORE[name][1], {
        dueDate: dayAgo(0),
        sourceMessageIds: [messageOf(name)],
        request: requestOf(name),
      }),
    );
  const byBuiltIn = () =>
    NAMES.map(name =>
      storedItem(`${BEFORE[name][0]}, today`, { dueDate: dayAgo(0), sourceMessageIds: [messageOf(name)] }),
    );

  const WRITERS: [string, () => ActionItem[]][] = [
    ['the model, in another language and order', byModel],
    ['the built-in summarizer, in other words', byBuiltIn],
    ['the model, which finds only half of them', () => byModel().slice(0, 3)],
    ['the model, which finds none', () => []],
  ];

  for (const [writer, items] of WRITERS) {
    it(`stay as they were when their digest is written again by ${writer}`, async () => {
      await rewrite(items());
      const after = await list();
      const kept = [
        'id',
        'item_id',
        'words',
        'state',
        'direction',
        'due_date',
        'snoozed_until',
        'moved_from',
        'changed_by',
        'is_touched',
      ];
      const only = (row: Record<string, unknown>) => kept.map(column => row[column]);
      expect(after.map(only)).to.deep.equal(old.map(only));
      await planTasks({ db }, { userId: owner.userId });
      expect(await db('outbox_tasks').distinct('state').pluck('state')).to.deep.equal(['written']);
      expect(await db('outbox_tasks').whereNull('crm_id')).to.deep.equal([]);
    });
  }

  it('are listed by the API in each state', async () => {
    for (const [state, count] of [
      ['open', 2],
      ['done', 2],
      ['dismissed', 1],
      ['snoozed', 1],
      ['withdrawn', 2],
    ] as const) {
      const { body } = await nora.get('/api/promises').query({ state }).expect(200);
      expect(body.promises, state).to.have.length(count);
    }
    const { body } = await nora.get('/api/promises?state=done').expect(200);
    expect(body.promises.map(({ reason }: { reason: string }) => reason)).to.deep.equal(['kept', 'kept']);
  });

  it('that were withdrawn in the last thirty days are listed as closed, with Undo, and no older ones', async () => {
    const { text } = await nora.get('/promises?view=closed').expect(200);
    expect(wordsOf(text)).to.include('Gone for 10 days').and.not.include('Gone for 40 days');
    const [, below = ''] = text.split('class="group withdrawn"');
    expect(wordsOf(below)).to.include('Gone for 10 days').and.include('Undo');
  });
});
