import { expect } from 'chai';
import { Api } from 'telegram';
import { createFloods, fasterLimits, REPORTED_LIMITS } from '../../../sandbox/messenger/floods.ts';
import * as messenger from './client.ts';
import { dialog, message, PHONE, person, world } from './worlds.ts';

const HISTORY = 'messages.GetHistory';
const DIALOGS = 'messages.GetDialogs';

describe('Flood waits of the messenger sandbox', () => {
  let now = 0;
  const flooding = (limits = REPORTED_LIMITS) => {
    now = 1_000_000;
    const floods = createFloods(() => now);
    floods.limit(limits);
    return floods;
  };
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };

  it('come after 3,000 messages of histories in 30 seconds, for 30 seconds', () => {
    const floods = flooding();
    for (let read = 0; read < 60; read += 1) {
      expect(floods.waitFor('a', HISTORY)).to.equal(0);
      floods.note('a', HISTORY, 50);
      pass(0.1);
    }
    expect(floods.waitFor('a', HISTORY)).to.equal(30);
    pass(29.5);
    expect(floods.waitFor('a', HISTORY)).to.equal(1);
    pass(0.5);
    expect(floods.waitFor('a', HISTORY)).to.equal(0);
    expect(floods.counts()).to.deep.equal({ waits: 1, refused: 2 });
  });

  it('spare who takes less than that in any window', () => {
    const floods = flooding();
    for (let read = 0; read < 500; read += 1) {
      expect(floods.waitFor('a', HISTORY)).to.equal(0);
      floods.note('a', HISTORY, 50);
      pass(0.6);
    }
  });

  it('are counted for each account and for each kind of call', () => {
    const floods = flooding();
    floods.note('a', HISTORY, 3000);
    for (let page = 0; page < 10; page += 1) floods.note('b', DIALOGS, 100);
    expect(floods.waitFor('a', HISTORY)).to.equal(30);
    expect(floods.waitFor('a', DIALOGS)).to.equal(0);
    expect(floods.waitFor('b', DIALOGS)).to.equal(30);
    expect(floods.waitFor('b', HISTORY)).to.equal(0);
    expect(floods.waitFor('a', 'contacts.GetContacts')).to.equal(0);
  });

  it('run faster where a test or a bench wants them to', () => {
    const floods = flooding(fasterLimits(30));
    floods.note('a', HISTORY, 3000);
    expect(floods.waitFor('a', HISTORY)).to.equal(1);
    pass(1);
    expect(floods.waitFor('a', HISTORY)).to.equal(0);
  });

  it('end with all other faults', async () => {
    const friends = { users: [person(5)], dialogs: [dialog('user:5', [message(1)])] };
    const server = await messenger.startServer(world(friends));
    const session = await messenger.signIn(server.sandbox, PHONE);
    const list = () => messenger.refusalOf(messenger.call(server.sandbox, session, messenger.dialogsRequest()));
    server.sandbox.faults.flood({ ...REPORTED_LIMITS, dialogPages: 2 });
    expect([await list(), await list()]).to.deep.equal(['', '']);
    expect(await list()).to.equal('FLOOD_WAIT_30');
    expect(server.sandbox.faults.floods()).to.deep.equal({ waits: 1, refused: 1 });
    expect(await messenger.refusalOf(messenger.call(server.sandbox, session, new Api.help.GetConfig()))).to.equal('');
    server.sandbox.faults.clear();
    expect(await list()).to.equal('');
    await server.stop();
  });
});
