import { expect } from 'chai';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

describe('The newest digests', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(60) })] });
    nora = await connectedNora(service);
  });
  after(stopServices);

  const digests = async () => (await nora.get('/api/digests').expect(200)).body.digests;

  it('are an empty list before the first sync', async () => {
    expect(await digests()).to.deep.equal([]);
  });

  it('carry the fields of the specification and no others', async () => {
    await syncNow(nora);
    const { body } = await nora.get('/api/digests').expect(200);
    expect(Object.keys(body)).to.deep.equal(['digests']);
    for (const digest of body.digests) {
      const fields = ['id', 'digestDate', 'messageCount', 'status', 'summary', 'structuredData', 'dialog'];
      expect(Object.keys(digest)).to.have.members(fields);
      expect(Object.keys(digest.structuredData)).to.have.members(['topics', 'action_items', 'sentiment', 'urgency']);
      expect(Object.keys(digest.dialog)).to.have.members(['peerName', 'peerUsername']);
      expect(digest.digestDate).to.match(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
      expect(digest.dialog.peerUsername).to.be.a('string');
    }
  });

  it('are 50 at the most', async () => {
    expect(await service.db('digests').count()).to.deep.equal([{ count: '60' }]);
    expect(await digests()).to.have.length(50);
  });

  it('come by day, those with a summary first, then by the last message', async () => {
    const rows = await service.db('digests').orderBy('last_message_at', 'desc');
    const [older, emptied] = [rows[0], rows[1]];
    await service.db('digests').where({ id: older.id }).update({ digest_date: '2020-01-01' });
    await service.db('digests').where({ id: emptied.id }).update({ summary: '', structured: null, status: 'PENDING' });
    const listed = (await digests()).map((digest: { id: string }) => digest.id);
    expect(listed).not.to.include(older.id);
    expect(listed.slice(0, 49)).to.deep.equal(rows.slice(2, 51).map(row => row.id));
    await service.db('digests').whereNotIn('id', [older.id, emptied.id]).delete();
    expect((await digests()).map((digest: { id: string }) => digest.id)).to.deep.equal([emptied.id, older.id]);
  });
});
