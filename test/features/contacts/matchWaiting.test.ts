import { expect } from 'chai';
import { matchAfterConnecting } from '../../../src/features/contacts/createContact.ts';
import { wordsOf } from '../../support/pages.ts';
import { connectCrm, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { readerOf, worldOf } from './crmPeople.ts';

const PEOPLE = [{ name: 'Anna Petersen', phone: '+491713920027' }, { name: 'Carla Rossi' }, { name: 'Olu Adeyemi' }];
const ANNA = { id: 501, firstname: 'Anna', lastname: 'Petersen', phone: '+49 171 3920027' };

/** Everything the queue was asked to do is done. */
async function idle({ db }: Service): Promise<void> {
  const open = `select 1 from pgboss.job where state in ('created', 'active', 'retry')
    and name in ('crm-connected', 'crm-ready', 'notes')`;
  await until(async () => (await db.raw(open)).rows.length === 0);
}

describe('A CRM connected after conversations were read', () => {
  let service: Service;
  afterEach(stopServices);

  const statuses = () => service.db('dialogs').orderBy('peer_id').pluck('match_status');

  it('is shown as matching until all are matched, by any worker', async () => {
    service = await startService({ worker: false, worlds: [worldOf(PEOPLE)], crm: [ANNA] });
    const { agent, userId } = await readerOf(service, 'lena@example.com');
    await service.db('dialogs').update({ last_synced_at: new Date() });
    expect(wordsOf((await agent.get('/contacts')).text)).not.to.include('Matching');
    await connectCrm(service, agent);
    const words = wordsOf((await agent.get('/contacts').expect(200)).text);
    expect(words).to.include('Matching 3 conversations…').and.not.include('All matched');
    const poll = (waiting: number, shows: string) =>
      agent.get(`/contacts/matching?waiting=${waiting}&shows=${shows}`).set('HX-Request', 'true');
    await poll(3, 'none').expect(204);
    service.crm.resetCalls();
    const workers = await Promise.all([service.startWorker(), service.startWorker()]);
    const { signal } = new AbortController();
    await Promise.all(workers.map(worker => matchAfterConnecting(worker, { userId, signal })));
    await idle(service);
    expect(await statuses()).to.deep.equal(['AUTO_PHONE', 'UNMATCHED', 'UNMATCHED']);
    const asked = service.crm.calls();
    for (const worker of workers) await matchAfterConnecting(worker, { userId, signal });
    expect(service.crm.calls(), 'asked again for nothing').to.deep.equal(asked);
    expect((await poll(3, 'none').expect(200)).headers['hx-refresh']).to.equal('true');
    expect(wordsOf((await poll(3, 'case').expect(200)).text)).to.include('Matching finished');
    const after = wordsOf((await agent.get('/contacts').expect(200)).text);
    expect(after).to.include('2 conversations have no match').and.not.include('All matched');
    expect(after).not.to.include('Matching');
  });

  it('gets the notes of what was read, once, also when a sync runs beside it', async () => {
    service = await startService({ worlds: [worldOf(PEOPLE)], crm: [ANNA] });
    const { agent } = await readerOf(service, 'lena@example.com');
    await syncNow(agent);
    expect(await statuses()).to.deep.equal(['UNMATCHED', 'UNMATCHED', 'UNMATCHED']);
    await connectCrm(service, agent);
    await syncNow(agent);
    await idle(service);
    expect(await statuses()).to.deep.equal(['AUTO_PHONE', 'UNMATCHED', 'UNMATCHED']);
    expect(service.crm.notes()).to.have.length(1);
    const { body } = await agent.get('/api/digests').expect(200);
    expect(body.digests[0].status).to.equal('COMPLETE');
  });
});
