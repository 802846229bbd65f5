import { expect } from 'chai';
import { dialog, message, person, world } from '../../support/worlds.ts';
import { errorOf } from './errorOf.ts';
import { allDialogs, clientOf, codeOf, signedIn, startMessenger } from './messenger.ts';

const phone = '+34600444444';
const guardedPhone = '+34600555555';
const password = 'correct horse';

describe('A phone that lives in another data center', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;

  beforeEach(async () => {
    const friend = person(11);
    const talk = { users: [friend], dialogs: [dialog('user:11', [message(1), message(2, { from: 11 })])] };
    messenger = await startMessenger(
      world({ key: 'fourth', dc: 4, owner: person(4000, { phone }), ...talk }),
      world({ key: 'fifth', dc: 5, owner: person(5000, { phone: guardedPhone }), password, ...talk }),
    );
  });

  afterEach(() => messenger.stop());

  it('is followed there by each step of signing in', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(guardedPhone);
    const step = { ...sent, phone: guardedPhone, code: codeOf(sandbox, guardedPhone) };
    const halfway = await client.signIn(step);
    expect(halfway.needsPassword).to.equal(true);
    const { session } = await client.checkPassword({ session: halfway.session, password });
    expect([sent, halfway, { session }].map(step => dataCentreOf(step.session))).to.deep.equal([5, 5, 5]);
    await client.logOut(session);
    expect(await errorOf(allDialogs(client, session))).to.include({ kind: 'auth', code: 'SESSION_EXPIRED' });
  });

  it('is read there directly with the stored session', async () => {
    const session = await signedIn(messenger.sandbox, messenger.client, phone);
    messenger.sandbox.resetCalls();
    const later = clientOf(messenger.sandbox, messenger.reported);
    const messages = await later.withConnection(session, async reader => {
      const pages = await Array.fromAsync(reader.dialogs('main'));
      const [found] = pages.flatMap(page => page.dialogs).filter(each => each.unreadable === null);
      if (!found) throw new Error('The account has no conversation');
      return reader.history(found.peer, { afterId: 0, untilId: 1000, limit: 50 });
    });
    expect(messages.map(each => each.text)).to.deep.equal(['Message 1', 'Message 2']);
    expect(messenger.sandbox.calls()).to.deep.equal({
      'help.GetConfig': 1,
      'contacts.GetContacts': 1,
      'messages.GetDialogs': 1,
      'messages.GetHistory': 1,
    });
  });
});

/** The first byte of a stored session. */
function dataCentreOf(session: string): number {
  return Buffer.from(session.slice(1), 'base64').readUInt8(0);
}
