import { expect } from 'chai';
import { getDay } from '../../../../src/features/pages/today/service.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { storeAccount, storeDigest } from '../today/stored.ts';

/** Someone who opens Today in the very moment in which the first sync writes its first digest. */
describe('The first digest', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(service.db, 'nora@example.com');
    await service.db('sync_jobs').insert({
      ...{ id: `sync:${owner.userId}:manual:1`, user_id: owner.userId, queue_id: owner.userId, kind: 'manual' },
      ...{ state: 'active', conversations_total: 1 },
    });
  });
  after(stopServices);
  beforeEach(() => service.db('digests').delete());

  it('appears automatically on a page that only shows progress', async () => {
    await storeDigest(service.db, owner, { status: 'SUMMARIZING', summary: '' });
    const { text } = await nora.get('/today').expect(200);
    expect(text).to.match(/hx-get="\/sync\?[^"]*from=empty"/);
  });

  it('is read after the sync that says it was written', async () => {
    const asked: string[] = [];
    const note = ({ sql }: { sql: string }) => asked.push(`asked ${tableOf(sql)}`);
    const noteAnswer = (_rows: unknown, { sql }: { sql: string }) => asked.push(`answered ${tableOf(sql)}`);
    service.db.on('query', note).on('query-response', noteAnswer);
    const { db, clock } = service;
    await getDay({ db, clock, aiService: undefined, crm: undefined }, { userId: owner.userId, day: undefined });
    service.db.removeListener('query', note).removeListener('query-response', noteAnswer);
    expect(asked).to.include('asked digests');
    expect(asked.indexOf('answered sync_jobs')).to.be.within(0, asked.indexOf('asked digests'));
  });
});

function tableOf(sql: string): string {
  return /\bfrom "?(\w+)/.exec(sql)?.[1] ?? '';
}
