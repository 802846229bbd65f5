import { expect } from 'chai';
import type { ScanResult } from '../../../src/clients/messenger/types.ts';
import { owner, person, world } from '../../support/worlds.ts';
import { errorOf } from './errorOf.ts';
import { allDialogs, startMessenger } from './messenger.ts';

const PASSWORD = 'correct horse';

describe('Signing in at the messenger by a scanned code', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;

  before(async () => {
    const guarded = person(2000, { firstName: 'Ada', phone: '+34600333444' });
    const distant = person(4000, { firstName: 'Bo', phone: '+34600444444' });
    messenger = await startMessenger(
      world(),
      world({ key: 'guarded', owner: guarded, password: PASSWORD }),
      world({ key: 'distant', owner: distant, dc: 4 }),
      world({ key: 'both', owner: person(5000, { phone: '+34600555555' }), dc: 5, password: PASSWORD }),
    );
  });
  after(() => messenger.stop());
  afterEach(() => messenger.sandbox.faults.clear());

  async function shown(session = '') {
    const answer = await messenger.client.showScanCode(session);
    if (answer.state !== 'waiting') throw new Error(`the code is ${answer.state}`);
    return answer;
  }

  async function scannedBy(worldKey: string): Promise<ScanResult> {
    const { session, link } = await shown();
    messenger.sandbox.scan(worldKey, link);
    return messenger.client.showScanCode(session);
  }

  it('shows the same code until it expires, and then another', async () => {
    const first = await shown();
    expect(first.link).to.match(/^tg:\/\/login\?token=[\w-]{20,}$/);
    expect(first.expiresAt.getTime() - Date.now()).to.be.within(1, 30_000);
    expect((await shown(first.session)).link).to.equal(first.link);
    messenger.sandbox.faults.expireLoginTokens();
    expect((await shown(first.session)).link).not.to.equal(first.link);
  });

  it('says who scanned it, with a session that reads', async () => {
    const answer = await scannedBy('test');
    if (answer.state !== 'scanned' || answer.signIn.needsPassword) throw new Error('no one is signed in');
    const { user, session } = answer.signIn;
    expect(user).to.deep.equal({
      id: String(owner.id),
      ...{ firstName: 'Nora', lastName: 'Lind', username: '', phone: owner.phone },
    });
    expect(await allDialogs(messenger.client, session)).to.be.an('array');
  });

  it('asks for the password of an account that has one, and takes it', async () => {
    const answer = await scannedBy('guarded');
    if (answer.state !== 'scanned') throw new Error(answer.state);
    expect(answer.signIn.needsPassword).to.equal(true);
    const { session } = answer.signIn;
    const refused = await errorOf(messenger.client.checkPassword({ session, password: 'wrong' }));
    expect(refused).to.include({ code: 'PASSWORD_INVALID' });
    const signIn = await messenger.client.checkPassword({ session, password: PASSWORD });
    expect('user' in signIn && signIn.user.firstName).to.equal('Ada');
    expect(await allDialogs(messenger.client, signIn.session)).to.be.an('array');
  });

  it('continues in the data center of whoever scanned it, even when asked twice', async () => {
    const moved = await scannedBy('distant');
    if (moved.state !== 'moved') throw new Error(moved.state);
    expect(messenger.sandbox.devices('distant')).to.equal(0);
    const [first, second] = [await messenger.client.followScan(moved), await messenger.client.followScan(moved)];
    expect([first, second].map(({ needsPassword }) => needsPassword)).to.deep.equal([false, false]);
    expect(await allDialogs(messenger.client, first.session)).to.be.an('array');
    expect(messenger.sandbox.devices('distant')).to.equal(1);
  });

  it('closes a session that was scanned and never asked for', async () => {
    const { session, link } = await shown();
    const before = messenger.sandbox.devices('test');
    messenger.sandbox.scan('test', link);
    expect(messenger.sandbox.devices('test')).to.equal(before + 1);
    await messenger.client.logOut(session);
    expect(messenger.sandbox.devices('test')).to.equal(before);
  });
});
