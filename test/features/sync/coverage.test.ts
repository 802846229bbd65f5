import { expect } from 'chai';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, firstMessageAt, message, owner, person, world } from '../../support/worlds.ts';

const DAY = 24 * 3600;
const ANNA = person(2001, { firstName: 'Anna' });
const BORIS = person(2002, { firstName: 'Boris' });

/** What a digest covers, which the reader of a digest has to be able to rely on. */
describe('A digest', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    service = await startService({ worlds: [noraWithTwo()], env: { RATE_LIMIT_CONNECT: '50' } });
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const rowsOf = (name: string) =>
    service
      .db('digests')
      .join('dialogs', 'dialogs.id', 'dialog_id')
      .where('peer_name', 'like', `${name}%`)
      .orderBy('digest_date')
      .select('digests.*');
  const cursorOf = async (name: string): Promise<number> =>
    Number((await service.db('dialogs').where('peer_name', 'like', `${name}%`).first()).cursor_message_id);
  const write = (key: string, text: string) =>
    service.sandbox.addMessages('test', key, [{ from: Number(key.split(':')[1]), text }]);
  const nextDay = () => service.clock.advance(DAY * 1000);

  it('covers the newest 200 messages at first, and these again with however many come that day', async () => {
    write('user:2002', 'I will send you the signed contract tomorrow.');
    await syncNow(nora);
    const [row] = await rowsOf('Boris');
    expect(row).to.include({ status: 'COMPLETE', message_count: 200, after_message_id: '71', last_message_id: '272' });
    expect(await cursorOf('Boris')).to.equal(272);
    service.sandbox.addMessages('test', 'user:2002', Array(600).fill({ from: BORIS.id, text: 'The sun is shining here.' }));
    await syncNow(nora);
    expect((await rowsOf('Boris'))[0]).to.include({ message_count: 800, after_message_id: '71', last_message_id: '872' });
    const { body } = await nora.get('/api/digests').expect(200);
    expect(JSON.stringify(body)).to.include('signed contract');
  });

  it('is not written in the first sync for what moved more than 14 days before the newest message', async () => {
    await stopServices();
    service = await startService({ worlds: [withOldConversation()] });
    nora = await connectedNora(service);
    const { result } = await syncNow(nora);
    expect(result.digestsCreated).to.equal(1);
    expect(await rowsOf('Boris')).to.deep.equal([]);
    expect(await cursorOf('Boris')).to.equal(2);
    write('user:2002', 'Hello again');
    expect((await syncNow(nora)).result.digestsCreated).to.equal(1);
    expect((await rowsOf('Boris'))[0]).to.include({ message_count: 1, after_message_id: '2' });
  });

  it('is skipped below the minimum and adds up until there is enough', async () => {
    await nora.post('/api/settings').send({ minMessages: 5 }).expect(200);
    await syncNow(nora);
    expect((await rowsOf('Anna'))[0]).to.include({ status: 'SKIPPED', reason: 'TOO_FEW_MESSAGES', message_count: 3 });

    service.sandbox.resetCalls();
    nextDay();
    await syncNow(nora);
    expect(service.sandbox.calls()).not.to.have.property('messages.GetHistory');
    expect(await rowsOf('Anna')).to.have.length(1);

    for (const text of ['Four', 'Five', 'Six']) write('user:2001', text);
    await syncNow(nora);
    const [skipped, written] = await rowsOf('Anna');
    expect(written).to.include({ status: 'COMPLETE', message_count: 6 });
    expect(skipped.covered_by).to.be.a('string');
  });

  it('is written of a file whose name is cut within a character', async () => {
    const file = { from: ANNA.id, text: '', media: 'document', fileName: `a${'😀'.repeat(99)}.pdf` } as const;
    service.sandbox.addMessages('test', 'user:2001', [file]);
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
  });

  it('is written anew with what came since, even if the minimum is higher by then', async () => {
    await syncNow(nora);
    await nora.post('/api/settings').send({ minMessages: 5 }).expect(200);
    write('user:2001', 'Four');
    await syncNow(nora);
    expect((await rowsOf('Anna'))[0]).to.include({ status: 'COMPLETE', message_count: 4 });
  });

  it('is continued where its day is yet to come, after a journey to the west', async () => {
    await nora.post('/api/settings').send({ timezone: 'Pacific/Kiritimati' }).expect(200);
    await syncNow(nora);
    await nora.post('/api/settings').send({ timezone: 'Pacific/Honolulu' }).expect(200);
    write('user:2001', 'Four');
    await syncNow(nora);
    expect((await rowsOf('Anna')).map(({ message_count }) => message_count)).to.deep.equal([4]);
  });

  it('covers nothing where only service messages are new', async () => {
    await syncNow(nora);
    nextDay();
    service.sandbox.addMessages('test', 'user:2001', [{ from: 2001, text: '', service: 'pinned a message' }]);
    const { result } = await syncNow(nora);
    expect(result).to.include({ dialogsProcessed: 0, digestsCreated: 0 });
    expect(await rowsOf('Anna')).to.have.length(1);
    service.sandbox.resetCalls();
    await syncNow(nora);
    expect(service.sandbox.calls()).not.to.have.property('messages.GetHistory');
  });
});

function noraWithTwo() {
  const anna = [1, 2, 3].map(id => message(id, { from: id === 2 ? owner.id : ANNA.id, text: `Offer number ${id} for you` }));
  const boris = Array.from({ length: 267 }, (_, i) => message(4 + i, { from: BORIS.id }));
  return world({ users: [ANNA, BORIS], dialogs: [dialog('user:2001', anna), dialog('user:2002', boris)] });
}

function withOldConversation() {
  const old = [1, 2].map(id => message(id, { from: BORIS.id }));
  const late = [3, 4].map(id => message(id, { from: ANNA.id, date: firstMessageAt + 15 * DAY + id }));
  return world({ users: [ANNA, BORIS], dialogs: [dialog('user:2001', late), dialog('user:2002', old)] });
}
