import { expect } from 'chai';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';
import { type WorldLine, writeLines } from '../../support/writeLines.ts';

const MARCO = 11;
const YOU = 15;
const KEY = 'chat:21';

describe('A promise made in a group', () => {
  let service: Service;
  let nora: Agent;

  async function begin(more: ReturnType<typeof message>[] = [], others: ReturnType<typeof person>[] = []) {
    const marco = person(MARCO, { firstName: 'Marco', lastName: 'Bianchi' });
    const talk = [
      message(1, { from: MARCO, text: 'Nora, can you send me the signed contract?' }),
      message(2, { text: 'Sure Marco, I will send you the signed contract tomorrow' }),
      message(3, { from: MARCO, text: 'OK, I will transfer the money for invoice 4711 by Friday' }),
      ...more,
    ];
    const users = [marco, ...others];
    const chats = [{ id: 21, kind: 'group' as const, title: 'Launch', username: null }];
    service = await startService({ worlds: [world({ users, chats, dialogs: [dialog(KEY, talk)] })] });
    nora = await connectedNora(service);
    await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    await syncNow(nora);
  }
  afterEach(stopServices);

  /** What the promises are after these words were read on the next day, and whether their person is asked about them. */
  async function afterWords(...lines: WorldLine[]): Promise<Record<string, string>> {
    service.clock.advance(24 * 3600 * 1000);
    writeLines(service, KEY, lines);
    await syncNow(nora);
    const rows = await service.db('promises').orderBy('direction');
    return Object.fromEntries(
      rows.map(({ direction, state, is_doubtful }) => [direction, is_doubtful ? 'asked about' : state]),
    );
  }

  it('is closed by nobody’s words without a model: its person is asked', async () => {
    await begin();
    const states = await afterWords(
      [MARCO, 'Nora did you send the contract?'],
      [owner.id, 'yes, signed contract is sent, check your mail'],
      [MARCO, 'got it, thanks!'],
    );
    expect(states).to.include({ mine: 'asked about' });
    expect(Object.values(states)).to.not.include('done');
  });

  it('by someone who calls themselves You is theirs wherever it is named', async () => {
    const you = person(YOU, { firstName: 'You' });
    await begin([message(4, { from: YOU, text: 'I will pay the deposit of 300 EUR by Friday' })], [you]);
    const digest = await service.db('digests').first();
    expect(JSON.stringify([digest.summary, digest.structured, digest.sources]))
      .to.include('“You”')
      .and.not.match(/[":]You\b/);
    const [promise] = await service.db('promises').whereLike('words', '%deposit%');
    expect(promise).to.deep.include({ direction: 'theirs', who: '“You”' });
    for (const path of ['/today', '/promises', '/api/promises', `/digests/${digest.id}`])
      expect((await nora.get(path)).text, path).to.not.match(/>\s*You: I will pay/);
  });
});
