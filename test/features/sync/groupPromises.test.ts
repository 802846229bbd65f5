import { expect } from 'chai';
import { type Agent, connectMessenger, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

const MARCO = 11;
const IMPOSTOR = 13;
const KEY = 'chat:21';

describe('A promise made in a group', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const marco = person(MARCO, { firstName: 'Marco', lastName: 'Bianchi' });
    const talk = [
      message(1, { from: MARCO, text: 'Nora, can you send me the signed contract?' }),
      message(2, { text: 'Sure Marco, I will send you the signed contract tomorrow' }),
      message(3, { from: MARCO, text: 'I will pay the invoice 4711 by Friday' }),
    ];
    const users = [marco, { ...marco, id: IMPOSTOR }];
    const chats = [{ id: 21, kind: 'group' as const, title: 'Launch', username: null }];
    service = await startService({ worlds: [world({ users, chats, dialogs: [dialog(KEY, talk)] })] });
    nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    await syncNow(nora);
  });
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
    const words = ['Got the signed contract, thanks!', 'The invoice 4711 is paid', 'The contract is no longer needed'];
    expect(await afterWords(IMPOSTOR, ...words)).to.deep.equal({ mine: 'open', theirs: 'open' });
  });

  it('is closed by the one it was made to and the one who owes it', async () => {
    const words = ['Got the signed contract, thanks!', 'The invoice 4711 is paid'];
    expect(await afterWords(MARCO, ...words)).to.deep.equal({ mine: 'done', theirs: 'done' });
  });
});
