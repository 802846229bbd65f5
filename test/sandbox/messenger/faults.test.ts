import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { Api } from 'telegram';
import * as messenger from './client.ts';
import { dialog, message, PHONE, person, world } from './worlds.ts';

const OTHER_PHONE = '+34600999888';

describe('Planned faults in the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;

  before(async () => {
    const friends = { users: [person(5)], dialogs: [dialog('user:5', [message(1)])] };
    const other = world({ key: 'other', owner: person(2000, { phone: OTHER_PHONE }) });
    server = await messenger.startServer(world(friends), other);
    session = await messenger.signIn(server.sandbox, PHONE);
  });
  afterEach(() => server.sandbox.faults.clear());
  after(() => server.stop());

  it('fails the next calls of one method, as often as asked', async () => {
    server.sandbox.faults.next({ on: 'messages.GetDialogs', times: 2, status: 420, message: 'FLOOD_WAIT_77' });
    const outcomes = await messenger.withClient(server.sandbox, session, async client => {
      const me = messenger.refusalOf(client.getMe());
      const lists = [];
      for (let times = 0; times < 3; times += 1) {
        lists.push(await messenger.refusalOf(client.invoke(messenger.dialogsRequest())));
      }
      return [await me, ...lists];
    });
    expect(outcomes.result).to.deep.equal(['', 'FLOOD_WAIT_77', 'FLOOD_WAIT_77', '']);
  });

  it('fails the calls of one account only', async () => {
    server.sandbox.faults.next({ about: OTHER_PHONE, status: 400, message: 'PHONE_NUMBER_FLOOD' });
    expect(await messenger.refusalOf(messenger.call(server.sandbox, session, messenger.dialogsRequest()))).to.equal('');
    const sending = messenger.sendCode(server.sandbox, OTHER_PHONE);
    expect(await messenger.refusalOf(sending)).to.equal('PHONE_NUMBER_FLOOD');
  });

  it('fails a share of the calls', async () => {
    const failure = { on: 'messages.GetDialogs', share: 0.25, status: 400, message: 'CHANNEL_PRIVATE' };
    server.sandbox.faults.always(failure);
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const calls = Array.from({ length: 8 }, () => client.invoke(messenger.dialogsRequest()));
      return Promise.all(calls.map(messenger.refusalOf));
    });
    expect(result.filter(refusal => refusal === 'CHANNEL_PRIVATE')).to.have.length(2);
  });

  it('answers later', async () => {
    server.sandbox.faults.delay(300, 'messages.GetDialogs');
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const begun = Date.now();
      await client.invoke(messenger.dialogsRequest());
      return Date.now() - begun;
    });
    expect(result).to.be.within(290, 2000);
  });

  it('leaves a call unanswered, but not the next one', async () => {
    server.sandbox.faults.next({ on: 'messages.GetDialogs', isSilent: true });
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const first = messenger.refusalOf(client.invoke(messenger.dialogsRequest()));
      await client.invoke(messenger.dialogsRequest());
      return Promise.race([first, wait(100, 'no answer')]);
    });
    expect(result).to.equal('no answer');
  });

  it('drops every connection', async () => {
    server.sandbox.faults.next({ on: 'messages.GetDialogs', isSilent: true });
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const pending = messenger.refusalOf(client.invoke(messenger.dialogsRequest()));
      await wait(50);
      server.sandbox.faults.dropConnections();
      return pending;
    });
    expect(result).to.contain('was lost');
  });

  it('does not know any key for a while', async () => {
    server.sandbox.faults.refuseKeys(true);
    const reading = messenger.call(server.sandbox, session, messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.contain('was lost');
    server.sandbox.faults.refuseKeys(false);
    expect(await messenger.refusalOf(messenger.call(server.sandbox, session, messenger.dialogsRequest()))).to.equal('');
  });

  it('accepts connections and does not answer', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, client => {
      server.sandbox.faults.silence(true);
      return Promise.race([messenger.refusalOf(client.invoke(messenger.dialogsRequest())), wait(200, 'no answer')]);
    });
    expect(result).to.equal('no answer');
  });

  it('ends the sessions of an account, and lets it sign in again', async () => {
    const ended = await messenger.signIn(server.sandbox, OTHER_PHONE);
    server.sandbox.faults.revokeSessions(OTHER_PHONE);
    const reading = messenger.call(server.sandbox, ended, messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.equal('SESSION_REVOKED');
    expect(await messenger.refusalOf(messenger.call(server.sandbox, session, messenger.dialogsRequest()))).to.equal('');
    const renewed = await messenger.signIn(server.sandbox, OTHER_PHONE);
    expect(await messenger.refusalOf(messenger.call(server.sandbox, renewed, messenger.dialogsRequest()))).to.equal('');
  });

  it('ends a session whose key is seen on two connections, for good', async () => {
    server.sandbox.faults.endSharedKeys(true);
    const shared = await messenger.signIn(server.sandbox, OTHER_PHONE);
    const read = (client: messenger.Client) => messenger.refusalOf(client.invoke(messenger.dialogsRequest()));
    const { result } = await messenger.withClient(server.sandbox, shared, async first => {
      const before = await read(first);
      const { result: second } = await messenger.withClient(server.sandbox, shared, read);
      return [before, second, await read(first)];
    });
    expect(result).to.deep.equal(['', 'AUTH_KEY_DUPLICATED', 'AUTH_KEY_DUPLICATED']);
    const later = messenger.call(server.sandbox, shared, messenger.dialogsRequest());
    expect(await messenger.refusalOf(later)).to.equal('AUTH_KEY_DUPLICATED');
    const renewed = await messenger.signIn(server.sandbox, OTHER_PHONE);
    expect(await messenger.refusalOf(messenger.call(server.sandbox, renewed, messenger.dialogsRequest()))).to.equal('');
  });

  it('leaves a key alone that is used on one connection after the other', async () => {
    server.sandbox.faults.endSharedKeys(true);
    for (let times = 0; times < 20; times += 1) {
      const reading = messenger.call(server.sandbox, session, messenger.dialogsRequest());
      expect(await messenger.refusalOf(reading)).to.equal('');
    }
  });

  it('closes an account', async () => {
    server.sandbox.faults.deactivate(PHONE);
    const reading = messenger.call(server.sandbox, session, messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.equal('USER_DEACTIVATED');
    expect(await messenger.refusalOf(messenger.sendCode(server.sandbox, PHONE))).to.equal('PHONE_NUMBER_BANNED');
  });

  it('counts the calls by method', async () => {
    server.sandbox.resetCalls();
    await messenger.withClient(server.sandbox, session, async client => {
      const query = messenger.dialogsRequest();
      await client.invoke(new Api.InvokeWithoutUpdates({ query }));
      await client.invoke(query);
    });
    expect(server.sandbox.calls()['messages.GetDialogs']).to.equal(2);
    server.sandbox.resetCalls();
    expect(server.sandbox.calls()).to.deep.equal({});
  });
});
