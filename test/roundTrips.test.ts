import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { STATEMENTS } from '../bench/pages/bounds.ts';
import { type Asked, type FarDatabase, farDatabase, inARow } from '../bench/support/farDatabase.ts';
import { fillMornings } from '../bench/support/morning.ts';
import { type Agent, signIn } from './support/people.ts';
import { mountedRoutes } from './support/routes.ts';
import { type Service, startService, stopServices } from './support/service.ts';
import { createToken } from './support/tokens.ts';

/** So often at the most someone waits for the database before a page is there. */
const MOST_IN_A_ROW = 4;
/**
 * And at the most after pressing a button. A decision about a promise is one statement. One about a match is a transaction,
 * which can't be asked side by side: begin, lock, read, write, let the notes follow, commit, and then what the page shows.
 */
const MOST_OF_FORMS: Readonly<Record<string, number>> = {
  'promise on Today': 4,
  'promise on Today undone': 4,
  promise: 3,
  'bulk of promises': 3,
  'no answer needed': 3,
  confirm: 9,
  'undo of a confirmation': 10,
  'confirm under Contacts': 11,
  'search of contacts': 3,
  'sync start': 9,
  'switch of a conversation': 4,
  'pin of a conversation': 3,
  settings: 7,
};
/** So long that statements sent together are seen together, however busy the machine is. */
const MILLISECONDS = 30;

/** No pages: files, what a program or the load balancer asks, what a browser stores, what leads on, what the export streams. */
const NO_PAGES = [
  ...[
    '/healthz',
    '/readyz',
    '/assets/:file',
    '/manifest.webmanifest',
    '/promises/:id/task',
    '/calendar/:secret.ics',
    '/settings/account/export',
  ],
];
const KEY = 'the-key-of-the-operator-of-this-test';
const OF_OPERATOR = ['/status', '/metrics'];
/** What else is asked of Today. */
const ON_TODAY = ['?view=urgent', '?view=everything&page=2', '?view=table', '?q=tender'];

describe('A distant database', () => {
  let service: Service;
  let far: FarDatabase;
  let agent: Agent;
  let ids: Record<string, string>;

  before(async () => {
    const vendors = { crm: true, payments: true, mail: true } as const;
    // With a model there is the question of who writes.
    const env = { ADMIN_API_KEY: KEY, AI_API_KEY: 'key', AI_MODEL: 'model' };
    service = await startService({ ...vendors, worker: false, env });
    far = await farDatabase(service.databaseUrl, { milliseconds: MILLISECONDS });
    const url = await service.anotherWeb({ DATABASE_URL: far.url, DATABASE_POOL: '8' });
    agent = await signIn({ url }, 'nora@example.com');
    ids = await fill();
  });
  after(async () => {
    far.stop();
    await stopServices();
  });

  it('is waited for at most four times in a row by every page', async () => {
    const pages = await addresses();
    expect(pages).to.include.members(['/today', '/contacts', '/settings', `/conversations/${ids.dialogId}`]);
    // Connections are opened, and the CRM's and the payment provider's answers kept.
    for (const path of pages) await agent.get(path);
    const isTooOften = ({ row }: Waits) => row.length > MOST_IN_A_ROW;
    const read = async (paths: string[]) => {
      const waits: Waits[] = [];
      for (const path of paths) waits.push(await waitsOf(path, () => agent.get(path)));
      return waits;
    };
    const waits = await read(pages);
    const isAlways = await stays(waits.filter(isTooOften), async paths => (await read(paths)).filter(isTooOften));
    expect(isAlways.map(told)).to.deep.equal([]);
    // A link of a mail that is no longer good is refused with a page.
    expect(waits.filter(({ status }) => status >= 404).map(told)).to.deep.equal([]);
  });

  it('is never asked for the same row twice by Today', async () => {
    await agent.get('/today');
    const { asked } = await waitsOf('/today', () => agent.get('/today'));
    const statements = asked.map(({ sql }) => sql);
    expect(statements).to.have.length.above(5);
    expect(new Set(statements).size).to.equal(statements.length);
    for (const table of ['crm_connections', 'sync_configs', 'messenger_accounts', 'subscriptions', 'sync_jobs']) {
      const reading = statements.filter(sql => sql.startsWith(`select * from "${table}"`));
      expect(reading, table).to.have.length.at.most(1);
    }
  });

  it('gets at most as many statements from each of Today’s pages as the bench allows, and one more for who writes', async () => {
    const paths = ['', ...ON_TODAY].map(query => `/today${query}`);
    for (const path of paths) await agent.get(path);
    for (const path of paths) {
      const { asked } = await waitsOf(path, () => agent.get(path));
      expect(
        asked.map(({ sql }) => sql),
        path,
      ).to.have.length.within(5, STATEMENTS + 1);
    }
  });

  it('takes no more round trips for a page that shows what was just done', async () => {
    await agent.post('/settings').type('form').send(SETTINGS).expect(303);
    const { row } = await waitsOf('/settings', () => agent.get('/settings').expect(200, /Saved/));
    expect(row.length).to.be.at.most(MOST_IN_A_ROW);
  });

  it('does not delay a page to note that the browser was used', async () => {
    let isFirst = false;
    // On a busy machine the page may be seen late.
    for (let tries = 0; tries < 10 && !isFirst; tries++) {
      const heard = far.listen();
      await agent.get('/privacy').expect(200);
      const seen = performance.now();
      await sleep(3 * MILLISECONDS);
      isFirst = heard.some(one => isTouch(one) && one.until > seen);
    }
    expect(isFirst).to.equal(true);
  });

  it('is waited for by every button only as often as its work needs', async () => {
    const isTooOften = ({ path, row }: Waits) => row.length > (MOST_OF_FORMS[path] ?? 0);
    const press = async () => {
      const waits: Waits[] = [];
      for (const { name, send } of await buttons()) waits.push(await waitsOf(name, send));
      return waits;
    };
    await press();
    const waits = await press();
    expect(waits.map(({ path }) => path)).to.have.members(Object.keys(MOST_OF_FORMS));
    expect(waits.filter(({ status }) => ![200, 303].includes(status)).map(told)).to.deep.equal([]);
    const isAlways = await stays(waits.filter(isTooOften), async paths =>
      (await press()).filter(one => paths.includes(one.path) && isTooOften(one)),
    );
    expect(isAlways.map(told)).to.deep.equal([]);
  });

  type Waits = { path: string; status: number; asked: Asked[]; row: Asked[] };

  /** On a busy machine two that run side by side may look like one behind the other; what waits for the other always does. */
  async function stays(found: Waits[], again: (paths: string[]) => Promise<Waits[]>): Promise<Waits[]> {
    let left = found;
    for (let tries = 0; tries < 3 && left.length > 0; tries++) left = await again(left.map(({ path }) => path));
    return left;
  }

  async function waitsOf(path: string, ask: () => PromiseLike<{ status: number }>): Promise<Waits> {
    const begin = performance.now();
    const heard = far.listen();
    const { status } = await ask();
    // That someone was here is written after their page, perhaps while the next one is asked for.
    const asked = heard.filter(one => one.from >= begin && !isTouch(one));
    return { path, status, asked, row: inARow(asked) };
  }

  function told({ path, status, row }: Waits): string {
    return `${path}: ${status}, ${row.length} in a row: ${row.map(({ sql }) => sql.slice(0, 60)).join(' | ')}`;
  }

  /** Each of them in the state in which it is found by whoever presses it. */
  async function buttons() {
    const { db } = service;
    const promise = await db('promises').where({ state: 'open' }).orderBy('last_said_on', 'desc').first();
    const [guess, other] = await db('dialogs').where({ match_status: 'AUTO_NAME' }).orderBy('id').select('id');
    const plain = (path: string, form: object = {}) => agent.post(path).type('form').send(form);
    const quick = (path: string, form: object = {}) =>
      plain(path, form).set('HX-Request', 'true').set('HX-Current-URL', `${service.url}/today`);
    const newest = () => db('match_decisions').orderBy('number', 'desc').first('id');
    let token = '';
    return [
      { name: 'promise on Today', send: () => quick(`/promises/${promise.id}`, { action: 'done', back: '/today' }) },
      {
        name: 'promise on Today undone',
        send: () => quick(`/promises/${promise.id}`, { action: 'undo', back: '/today' }),
      },
      { name: 'promise', send: () => plain(`/promises/${promise.id}`, { action: 'done', back: '/promises' }) },
      { name: 'bulk of promises', send: () => plain('/promises', { ids: promise.id, action: 'done' }) },
      {
        name: 'no answer needed',
        send: () => quick(`/waiting/${ids.dialogId}`, { action: 'dismiss', back: '/promises?view=waiting' }),
      },
      {
        name: 'confirm',
        send: async () => {
          const answer = await quick(`/contacts/${guess.id}/confirm`, { contactId: '9', from: 'today' });
          token = (await newest()).id;
          return answer;
        },
      },
      { name: 'undo of a confirmation', send: () => quick(`/contacts/undo/${token}`, { from: 'today' }) },
      { name: 'confirm under Contacts', send: () => quick(`/contacts/${other.id}/confirm`, { contactId: '9' }) },
      { name: 'search of contacts', send: () => agent.get(`/contacts?id=${guess.id}&q=`).set('HX-Request', 'true') },
      { name: 'sync start', send: () => quick('/sync') },
      {
        name: 'switch of a conversation',
        send: () => quick(`/conversations/${ids.dialogId}/track`, { isTracked: 'true', page: '1' }),
      },
      {
        name: 'pin of a conversation',
        send: () => quick(`/conversations/${ids.dialogId}/prominence`, { choice: 'pinned' }),
      },
      { name: 'settings', send: () => plain('/settings', SETTINGS) },
    ];
  }

  async function addresses(): Promise<string[]> {
    const routes = await mountedRoutes(service);
    const paths = routes
      .filter(
        ({ method, path }) =>
          method === 'get' && !/^\/(api\/|mcp)/.test(path) && ![...NO_PAGES, ...OF_OPERATOR].includes(path),
      )
      .map(({ path }) =>
        path.replace(/:(\w+)/g, (_, name) => ids[nameIn(path, name)] ?? expect.fail(`${path}: no id`)),
      );
    const onToday = ON_TODAY.map(query => `/today${query}`);
    return [...paths, ...onToday, `/contacts?id=${ids.dialogId}`, ...OF_OPERATOR.map(path => `${path}?key=${KEY}`)];
  }

  /** Accounts, promises and conversations are all called `id` in addresses. */
  function nameIn(path: string, name: string): string {
    if (name !== 'id') return name;
    if (path.startsWith('/promises/')) return 'promiseId';
    if (path.startsWith('/settings/apps/')) return 'tokenId';
    return path.startsWith('/settings/connections/') ? 'accountId' : 'dialogId';
  }

  async function fill(): Promise<Record<string, string>> {
    const { db } = service;
    const { id: userId } = await db('users').first('id');
    await fillMornings(db, userId, { perDay: 20, days: 20, script: 'latin' });
    const connection = { status: 'active', portal_id: '1', credentials: 'none', connected_at: new Date() };
    await db('crm_connections').insert({ user_id: userId, ...connection });
    await db('sync_jobs').delete();
    await db('messenger_accounts').update({ dialogs_listed_at: service.clock.now() });
    const dialog = await db('dialogs').where({ match_status: 'UNMATCHED' }).first('id', 'account_id');
    const guess = { match_status: 'AUTO_NAME', match_confidence: 0.8, crm_contact_id: '9', crm_contact_name: 'Ada' };
    await db('dialogs').where({ id: dialog.id }).update(guess);
    await db('dialogs')
      .whereIn('id', db('dialogs').whereNot({ id: dialog.id }).select('id').limit(4))
      .update(guess);
    const digest = await db('digests').where({ dialog_id: dialog.id }).orderBy('digest_date', 'desc').first('id');
    const asks = { dialog_id: dialog.id, user_id: userId, message_id: 1, asked_at: '2026-01-01', words: 'Asks.' };
    await db('waiting_questions').insert(asks);
    const promise = await db('promises').where({ user_id: userId, state: 'open' }).first('id');
    const ids = { dialogId: dialog.id, accountId: dialog.account_id, digestId: digest.id, promiseId: promise.id };
    const { id: tokenId } = await createToken(agent, { scopes: ['assistant'] });
    return { ...ids, tokenId, token: 'unknown' };
  }
});

function isTouch({ sql }: Asked): boolean {
  return sql.startsWith('update browser_sessions set expire');
}

const SETTINGS = { syncTime: '07:30', timezone: 'Europe/Berlin', minMessages: '1', summaryStyle: 'BUSINESS' };
