import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import * as messenger from './client.ts';
import { dialog, message, PHONE, person, world } from './worlds.ts';

describe('The people of the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;

  before(async () => {
    const people = [
      person(5, { isContact: true, phone: '+34 611-111-111' }),
      person(6, { username: 'luis', phone: '+34622222222' }),
      person(7, { isContact: true, isDeleted: true, phone: '+34633333333' }),
      person(8, { isContact: true, phone: null }),
    ];
    const dialogs = people.map(({ id }) => dialog(`user:${id}`, [message(id, { from: id })]));
    server = await messenger.startServer(
      world({ users: people, dialogs }),
      world({ key: 'other', owner: person(2000, { phone: '+34600999888' }), users: people, dialogs }),
    );
    session = await messenger.signIn(server.sandbox, PHONE);
  });
  after(() => server.stop());

  it('show their phone only to themselves and to those who have them as a contact', async () => {
    const phones = (await listed(session)).map(user => [Number(user.id), user.phone]);
    expect(Object.fromEntries(phones)).to.deep.equal({ 5: '34611111111', 6: null, 7: null, 8: null, 777000: null });
    const me = await messenger.withClient(server.sandbox, session, client => client.getMe());
    expect(me.result.phone).to.equal('34600111222');
  });

  it('are contacts unless they are deleted', async () => {
    const contacts = await messenger.call(server.sandbox, session, new Api.contacts.GetContacts({ hash: bigInt.zero }));
    if (!(contacts instanceof Api.contacts.Contacts)) throw new Error(contacts.className);
    expect(contacts.users.map(user => Number(user.id))).to.deep.equal([5, 8]);
  });

  it('have another access hash for every account', async () => {
    const other = await messenger.signIn(server.sandbox, '+34600999888');
    const hashOf = (users: Api.User[]) => String(users.find(user => user.id.eq(5))?.accessHash);
    expect(hashOf(await listed(session))).not.to.equal(hashOf(await listed(other)));
  });

  it('are found by their name', async () => {
    const found = await messenger.call(server.sandbox, session, new Api.contacts.ResolveUsername({ username: 'Luis' }));
    expect(found.users.map(user => Number(user.id))).to.deep.equal([6]);
    const asked = messenger.call(server.sandbox, session, new Api.contacts.ResolveUsername({ username: 'nobody' }));
    expect(await messenger.refusalOf(asked)).to.equal('USERNAME_NOT_OCCUPIED');
  });

  async function listed(of: string): Promise<Api.User[]> {
    const list = await messenger.call(server.sandbox, of, messenger.dialogsRequest());
    if (!(list instanceof Api.messages.Dialogs)) throw new Error(list.className);
    return list.users.filter(user => user instanceof Api.User);
  }
});
