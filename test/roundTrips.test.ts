import { expect } from 'chai';
import { type FarDatabase, farDatabase, type RecordedQuery, sequentialQueries } from '../bench/support/farDatabase.ts';
import { fillMornings } from '../bench/support/morning.ts';
import { type Agent, signIn } from './support/people.ts';
import { mountedRoutes } from './support/routes.ts';
import { type Service, startService, stopServices } from './support/service.ts';
import { createToken } from './support/tokens.ts';

/** So often at the most someone waits for the database before a page is there. */
const MAX_IN_A_ROW = 4;
/** So long that statements sent together are seen together, however busy the machine is. */
const MILLISECONDS = 30;

/** No pages: files, what a program or the load balancer asks, what a browser stores, what leads on, what the export streams. */
const NO_PAGES = [
  ...['/healthz', '/readyz', '/assets/:file', '/manifest.webmanifest', '/promises/:id/task', '/calendar/:secret.ics'],
  '/settings/account/export',
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
    const isTooOften = ({ row }: Waits) => row.length > MAX_IN_A_ROW;
    const read = async (paths: string[]) => {
      const waits: Waits[] = [];
      for (const path of paths) waits.push(await waitsOf(path, () => agent.get(path)));
      return waits;
    };
    const waits = await read(pages);
    const isAlways = await repeatedly(waits.filter(isTooOften), async paths => (await read(paths)).filter(isTooOften));
    expect(isAlways.map(describeWait)).to.deep.equal([]);
    // A link of a mail that is no longer good is refused with a page.
    expect(waits.filter(({ status }) => status >= 404).map(describeWait)).to.deep.equal([]);
  });

  it('gives no more conversations than a page of their list shows', async () => {
    const { asked } = await waitsOf('/conversations', () => agent.get('/conversations'));
    const lists = asked.map(({ sql }) => sql).filter(sql => sql.includes('"dialogs"') && sql.includes('order by'));
    expect(lists).to.have.length(1);
    expect(lists[0]).to.include(' limit ');
  });

  type Waits = { path: string; status: number; asked: RecordedQuery[]; row: RecordedQuery[] };

  /** On a busy machine two that run side by side may look like one behind the other; what waits for the other always does. */
  async function repeatedly(found: Waits[], again: (paths: string[]) => Promise<Waits[]>): Promise<Waits[]> {
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
    return { path, status, asked, row: sequentialQueries(asked) };
  }

  function describeWait({ path, status, row }: Waits): string {
    return `${path}: ${status}, ${row.length} in a row: ${row.map(({ sql }) => sql.slice(0, 60)).join(' | ')}`;
  }

  async function addresses(): Promise<string[]> {
    const routes = await mountedRoutes(service);
    const paths = routes
      .filter(
        ({ method, path }) =>
          method === 'get' && !/^\/(api\/|mcp)/.test(path) && ![...NO_PAGES, ...OF_OPERATOR].includes(path),
      )
      .map(({ path }) => path.replace(/:(\w+)/g, (_, name) => ids[nameIn(path, name)] ?? expect.fail(`${path}: no id`)));
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

function isTouch({ sql }: RecordedQuery): boolean {
  return sql.startsWith('update browser_sessions set expire');
}
