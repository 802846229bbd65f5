import { expect } from 'chai';
import { sampleWorld } from '../../../sandbox/messenger/samples.ts';
import { type Agent, connectMessenger, finished, type SyncStatus, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

const PAGES_OF_100 = 3;
/** Contacts for the phones, the archive, the configuration at connecting: not more with more conversations. */
const CONSTANT_CALLS = 6;

async function connected(service: Service, email: string): Promise<Agent> {
  const agent = await signIn(service, email);
  const [account] = service.sandbox.accounts();
  await connectMessenger(service, agent, account?.phone ?? '');
  return agent;
}

function expectCompleted(status: SyncStatus, counts: { dialogsProcessed: number; digestsCreated: number }) {
  expect(status).to.deep.equal({ state: 'completed', progress: 100, result: { ...counts, notesCreated: 0, errors: [] } });
}

describe('A sync of 250 conversations', () => {
  let service: Service;
  let sam: Agent;

  before(async () => {
    service = await startService({ worlds: [world(crowd(250))] });
    sam = await connected(service, 'sam@example.com');
  });
  after(stopServices);

  it('ends completed with a digest for each and no error', async () => {
    service.sandbox.resetCalls();
    expectCompleted(await syncNow(sam), { dialogsProcessed: 250, digestsCreated: 250 });
    const rows = await service.db('digests').where({ status: 'COMPLETE' });
    expect(rows).to.have.length(250);
    expect(rows.every(row => row.summary !== '' && row.message_count > 0)).to.equal(true);
    expect(callsOf(service)).to.be.at.most(PAGES_OF_100 + 250 + CONSTANT_CALLS);
    expect(service.sandbox.calls()['messages.GetHistory']).to.equal(250);
  });

  it('reads only the changed conversations after a new day of messages', async () => {
    const [account] = service.sandbox.accounts();
    const { conversations } = service.sandbox.simulateNextDay(account?.worldKey ?? '');
    service.sandbox.resetCalls();
    expectCompleted(await syncNow(sam), { dialogsProcessed: conversations, digestsCreated: conversations });
    expect(service.sandbox.calls()['messages.GetHistory']).to.equal(conversations);
    expect(callsOf(service)).to.be.at.most(PAGES_OF_100 + conversations + CONSTANT_CALLS);
  });
});

describe('A sync of the sample account', () => {
  let service: Service;
  let lena: Agent;

  before(async () => {
    service = await startService({ worlds: [sampleWorld(new Date())] });
    lena = await connected(service, 'lena@example.com');
    await syncNow(lena);
  });
  after(stopServices);

  it('keeps nothing of the service chat, of a login code or of a message’s text', async () => {
    const tables = await service
      .db('pg_tables')
      .whereIn('schemaname', ['public', 'pgboss'])
      .select('schemaname', 'tablename');
    const everything = await Promise.all(
      tables.map(({ schemaname, tablename }) => service.db.withSchema(schemaname).table(tablename).select()),
    );
    const text = JSON.stringify(everything);
    expect(text).not.to.include('777000');
    expect(text).not.to.match(/Login code/i);
    for (const code of sampleLoginCodes()) expect(text).not.to.match(new RegExp(`\\b${code}\\b`));
  });

  it('leaves groups out until the setting takes them in', async () => {
    const types = () =>
      service.db('digests').join('dialogs', 'dialogs.id', 'dialog_id').distinct('peer_type').pluck('peer_type');
    expect(await types()).to.deep.equal(['user']);
    await lena.post('/api/settings').send({ includeGroups: true }).expect(200);
    const { result } = await syncNow(lena);
    expect(result.digestsCreated).to.be.within(1, 5);
    expect((await types()).sort()).to.deep.equal(['group', 'supergroup', 'user']);
  });
});

describe('Asking for a sync', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(12) })] });
    nora = await connected(service, 'nora@example.com');
    userId = (await nora.get('/api/auth/session')).body.user.id;
  });
  after(stopServices);

  it('gives ids that name the user and count up', async () => {
    for (const n of [1, 2]) {
      const { body } = await nora.post('/api/sync/trigger').expect(200);
      expect(body).to.deep.equal({ jobId: `sync:${userId}:manual:${n}` });
      await finished(nora, body.jobId);
    }
  });

  it('returns the same id while one waits or runs', async () => {
    const other = await signIn({ url: await service.anotherWeb() }, 'nora@example.com');
    // Else the first sync may be over before the last request arrives.
    service.sandbox.faults.delay(1500);
    const asked = await Promise.all([nora, other, nora, other, nora, other].map(one => one.post('/api/sync/trigger')));
    service.sandbox.faults.clear();
    const ids = new Set(asked.map(answer => answer.body.jobId));
    expect(asked.map(answer => answer.status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    const [jobId] = ids;
    expect([...ids]).to.deep.equal([`sync:${userId}:manual:3`]);
    await finished(nora, jobId);
  });

  it('answers not_found for an unknown job and for someone else’s', async () => {
    const stranger = await signIn(service, 'stranger@example.com');
    const result = { dialogsProcessed: 0, digestsCreated: 0, notesCreated: 0, errors: [] };
    for (const jobId of [`sync:${userId}:manual:1`, 'sync:x:manual:1', 'anything']) {
      const { body } = await stranger.get('/api/sync/status').query({ jobId }).expect(200);
      expect(body).to.deep.equal({ state: 'not_found', progress: 0, result });
    }
  });
});

const callsOf = (service: Service): number => Object.values(service.sandbox.calls()).reduce((sum, calls) => sum + calls, 0);

/** Codes our own words in the sample's service chat carry. */
function sampleLoginCodes(): string[] {
  const service = sampleWorld(new Date()).dialogs.find(dialog => dialog.key === 'user:777000');
  return (service?.messages ?? []).flatMap(message => message.text.match(/\b\d{5}\b/g) ?? []);
}
