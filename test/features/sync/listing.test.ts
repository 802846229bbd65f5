import { expect } from 'chai';
import type { World } from '../../../sandbox/messenger/world.ts';
import type { MessengerReader } from '../../../src/clients/messenger/types.ts';
import { refreshDialogs } from '../../../src/features/messenger/service.ts';
import { withAccount } from '../../../src/features/messenger/withAccount.ts';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

const HOUR = 3600 * 1000;
const PEOPLE = 210;

let service: Service;
let nora: Agent;

async function start(details: Partial<World>): Promise<void> {
  service = await startService({ worlds: [world(details)], env: { RATE_LIMIT_CONNECT: '50' } });
  nora = await connectedNora(service);
}

const write = (id: number, date?: number) =>
  service.sandbox.addMessages('test', `user:${id}`, [
    { from: id, text: 'Could you send me the offer by Friday?', ...(date && { date }) },
  ]);
const named = (id: number) => `Person ${id}`;
const digested = async (): Promise<string[]> =>
  service.db('digests').join('dialogs', 'dialogs.id', 'dialog_id').where('digests.status', 'COMPLETE').pluck('peer_name');
/** A sync, with the pages it listed and the histories it asked for. */
async function synced() {
  service.sandbox.resetCalls();
  const { state, result } = await syncNow(nora);
  const calls = service.sandbox.calls();
  return { state, result, pages: calls['messages.GetDialogs'] ?? 0, histories: calls['messages.GetHistory'] ?? 0 };
}

describe('A first sync of more conversations than one page of the list has', () => {
  const archived = new Set([5010, 5200]);

  before(async () => {
    const { users, dialogs } = crowd(PEOPLE);
    const placed = dialogs.map(one => ({ ...one, archived: archived.has(Number(one.key.split(':')[1])) }));
    await start({ users, dialogs: placed });
  });
  after(stopServices);

  it('has the newest ones on Today before it asks for the next page', async () => {
    const page = { on: 'messages.GetDialogs' };
    service.sandbox.faults.next({ ...page, times: 2 });
    service.sandbox.faults.next({ ...page, status: 420, message: 'FLOOD_WAIT_1800' });
    const { state, result, histories } = await synced();
    expect(state).to.equal('completed');
    expect(result.errors.map(({ code }) => code)).to.deep.equal(['FLOOD_WAIT']);

    // A page of the main list, with the chat that carries the sign-in code, and the archive.
    const names = await digested();
    expect(histories).to.equal(101);
    const main = Array.from({ length: 100 }, (_, n) => 5210 - n).filter(id => !archived.has(id));
    expect(names).to.have.members([...main, 5200, 5010].map(named));
    const today = wordsOf((await nora.get('/today').expect(200)).text);
    for (const id of [5210, 5209]) expect(today).to.include(named(id));
    const job = await service.db('sync_jobs').first();
    expect(job).to.include({ conversations_done: 101 });
    expect(job.conversations_total).to.be.within(PEOPLE, PEOPLE + 1);
  });

  it('goes on with the others, and reads none of them twice', async () => {
    service.clock.advance(1_801_000);
    // So long a wait for the list slows its pages down, which is not what is tested here.
    await service.db('messenger_accounts').update({ call_rates: {} });
    const { result, pages, histories } = await synced();
    expect(result).to.deep.include({ dialogsProcessed: PEOPLE - 101, digestsCreated: PEOPLE - 101, errors: [] });
    expect({ pages, histories }).to.deep.equal({ pages: 4, histories: PEOPLE - 101 });
    expect((await digested()).sort()).to.deep.equal(Array.from({ length: PEOPLE }, (_, n) => named(5001 + n)));
  });
});

describe('The list of conversations of an account', () => {
  before(async () => {
    const { users, dialogs } = crowd(PEOPLE);
    const placed = dialogs.map((one, n) => ({ ...one, archived: n < 103, pinned: n === 150 }));
    await start({ users, dialogs: placed });
    await synced();
  });
  after(stopServices);

  it('includes at the next sync a conversation that moved to the top while the list was paged through', async () => {
    const [account] = await service.db('messenger_accounts');
    const owned = { userId: account.user_id, accountId: account.id };
    await service.db('messenger_accounts').update({ all_dialogs_listed_at: null });
    const deps = service.worker();
    const moves = (reader: MessengerReader): MessengerReader => ({
      ...reader,
      async *dialogs(list) {
        for await (const page of reader.dialogs(list)) {
          yield page;
          if (list === 'main' && !page.isLast) write(5105);
        }
      },
    });
    await withAccount(deps, { ...owned, waitSeconds: 5 }, ({ reader, account: leased }) =>
      refreshDialogs(
        { write: work => work(service.db), clock: service.clock },
        { userId: owned.userId, account: leased },
        moves(reader),
      ),
    );
    const [{ top_message_id: stored }] = await service.db('dialogs').where({ peer_name: named(5105) });
    expect(Number(stored)).to.equal(5105);
    const { result, pages } = await synced();
    expect(pages).to.equal(2);
    expect(result).to.include({ digestsCreated: 1 });
  });

  it('is asked for as a whole once a day', async () => {
    service.clock.advance(21 * HOUR);
    expect(await synced()).to.deep.include({ pages: 4, histories: 0 });
    expect(await synced()).to.deep.include({ pages: 2, histories: 0 });
  });
});

describe('Syncs that list what moved', () => {
  const size = 110;

  before(async () => {
    const { users, dialogs } = crowd(size);
    const placed = dialogs.map((one, n) => ({ ...one, archived: n % 3 === 0, pinned: n % 40 === 7 }));
    await start({ users, dialogs: placed });
  });
  after(stopServices);

  it('have every message in exactly one digest', async () => {
    await synced();
    let written = size;
    for (let round = 1; round <= 5; round += 1) {
      for (let step = 0; step < 9; step += 1) write(5001 + ((round * 37 + step * step * 11) % size));
      written += 9;
      // A message may be dated a little before one that is known already.
      write(5001 + ((round * 53) % size), Math.floor(Date.now() / 1000) - 120);
      written += 1;
      if (round % 2 === 0) service.clock.advance(11 * HOUR);
      await synced();
    }
    const [total] = await service.db('digests').where({ status: 'COMPLETE' }).sum('message_count');
    expect(Number(total?.sum)).to.equal(written);
    expect(await service.db('digests').whereNot({ status: 'COMPLETE' })).to.deep.equal([]);
  });
});
