import { expect } from 'chai';
import { createFloods, fasterLimits, REPORTED_LIMITS } from '../../../sandbox/messenger/floods.ts';

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
});
