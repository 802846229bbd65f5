import { expect } from 'chai';
import { type Agent, connectMessenger, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

const MARCO = 11;
const ANNA = 12;
const IMPOSTOR = 13;
const ANNAS_NAMESAKE = 14;
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
      message(3, { from: MARCO, text: 'I will pay the invoice 4711 by Friday' }),
      ...more,
    ];
    const anna = person(ANNA, { firstName: 'Anna', lastName: 'Keller' });
    const namesake = person(ANNAS_NAMESAKE, { firstName: 'Anna' });
    const users = [marco, anna, namesake, { ...marco, id: IMPOSTOR }, ...others];
    const chats = [{ id: 21, kind: 'group' as const, title: 'Launch', username: null }];
    service = await startService({ worlds: [world({ users, chats, dialogs: [dialog(KEY, talk)] })] });
    nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    await syncNow(nora);
  }
  afterEach(stopServices);

  /** What the promises are after these words were read on the next day. */
  async function afterWords(from: number, ...texts: string[]): Promise<Record<string, string>> {
    service.clock.advance(24 * 3600 * 1000);
    service.sandbox.addMessages(
      'test',
      KEY,
      texts.map(text => ({ from, text })),
    );
    await syncNow(nora);
    const rows = await service.db('promises').orderBy('direction');
    return Object.fromEntries(rows.map(({ direction, state }) => [direction, state]));
  }

  it('is not closed by someone who took the name of the one it was made to or who owes it', async () => {
    await begin();
    const words = ['Got the signed contract, thanks!', 'The invoice 4711 is paid', 'The contract is no longer needed'];
    expect(await afterWords(IMPOSTOR, ...words)).to.deep.equal({ mine: 'open', theirs: 'open' });
  });

  it('is closed by the one it was made to and the one who owes it', async () => {
    await begin();
    const words = ['Got the signed contract, thanks!', 'The invoice 4711 is paid'];
    expect(await afterWords(MARCO, ...words)).to.deep.equal({ mine: 'done', theirs: 'done' });
  });

  it('to Anna is closed by the Anna who wrote there before, and not by one who comes later', async () => {
    const talk = [
      message(4, { from: ANNA, text: 'The fair opens on 3 December, I booked the hall for it' }),
      message(5, { from: MARCO, text: 'Great, thank you Anna' }),
      message(6, { text: 'I will send Anna the floor plan by Friday' }),
    ];
    const stateOfPlan = () => service.db('promises').whereLike('words', '%floor plan%').pluck('state');
    await begin(talk);
    await afterWords(ANNAS_NAMESAKE, 'Got the floor plan, thanks!');
    expect(await stateOfPlan()).to.deep.equal(['open']);
    await afterWords(ANNA, 'Got the floor plan, thanks!');
    expect(await stateOfPlan()).to.deep.equal(['done']);
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
