import { expect } from 'chai';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';
import { type WorldLine, writeLines } from '../../support/writeLines.ts';

const ANNA = 2001;
const KEY = `user:${ANNA}`;

describe('A promise that a later message keeps, without a model', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const asked = 'Could you please send me the signed lease for the bakery by Friday?';
    const talk = [
      message(1, { from: ANNA, text: 'Good morning, the bakery opens next week.' }),
      message(2, { from: ANNA, text: asked }),
      message(3, { from: owner.id, text: 'I will send you the signed lease for the bakery by Friday.' }),
    ];
    service = await startService({ worlds: [world({ users: [person(ANNA)], dialogs: [dialog(KEY, talk)] })] });
    nora = await connectedNora(service);
    await syncNow(nora);
    service.clock.advance(24 * 3600 * 1000);
  });
  afterEach(stopServices);

  const write = (...lines: WorldLine[]) => writeLines(service, KEY, lines);
  const promises = () => service.db('promises').orderBy('first_said_on');
  const lease = async () => (await promises())[0];
  const sent = (): [number, string][] => [
    [owner.id, '[file: lease.pdf] Here is the signed lease for the bakery'],
    [ANNA, 'Thank you! The oven comes on Monday then.'],
    [ANNA, 'The painters are done as well.'],
  ];

  it('is asked about by the next sync, with what was said, by whom and when, and once answered never again', async () => {
    write(...sent());
    await syncNow(nora);
    const { id, state, is_doubtful, evidence } = await lease();
    expect({ state, is_doubtful }).to.deep.equal({ state: 'open', is_doubtful: true });
    expect(evidence.words).to.match(/lease for the bakery/);
    expect(evidence.who).not.to.equal('');
    expect(evidence.messageIds).to.have.length.above(0);
    expect(Date.parse(evidence.when)).to.be.above(0);
    await nora.patch(`/api/promises/${id}`).send({ action: 'undo' }).expect(200);
    expect(await lease()).to.include({ state: 'open', is_doubtful: false });
    await syncNow(nora);
    expect(await lease()).to.include({ state: 'open', is_doubtful: false });
  });

  it('is asked about on a day that is too quiet for a digest', async () => {
    await nora.post('/api/settings').send({ minMessages: 5 }).expect(200);
    write([owner.id, 'Hi, here is the signed lease: [file: lease.pdf]'], [ANNA, 'Got the lease, thank you!']);
    await syncNow(nora);
    const digests = await service.db('digests').orderBy('digest_date');
    expect(digests.map(({ status }) => status)).to.deep.equal(['COMPLETE', 'SKIPPED']);
    expect(await lease()).to.include({ state: 'open', is_doubtful: true });
  });

  it('keeps no secret in its evidence', async () => {
    write(
      [owner.id, 'I sent you the signed lease for the bakery, the password is hunter2hunter2.'],
      [ANNA, 'Got it.'],
      [ANNA, 'See you on Monday.'],
    );
    await syncNow(nora);
    expect(JSON.stringify(await promises())).not.to.include('hunter2');
  });
});
