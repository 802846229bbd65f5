import { expect } from 'chai';
import { knownNameOf, nameOf } from '../../../../src/features/messenger/dialogs/rules.ts';

const NOTHING = { peerName: '', peerUsername: '', peerPhone: '' };
const ALL = { peerName: 'Lena Vogt', peerUsername: 'lenav', peerPhone: '+491713920012' };

describe('What a conversation is called', () => {
  it('is its name, else its handle, else its phone number as people write it', () => {
    expect(nameOf(ALL)).to.equal('Lena Vogt');
    expect(nameOf({ ...ALL, peerName: '' })).to.equal('lenav');
    expect(nameOf({ ...NOTHING, peerPhone: ALL.peerPhone })).to.equal('+49 171 3920012');
  });

  it('is said not to be known where it isn’t, and left out where nothing is said in its place', () => {
    expect(nameOf(NOTHING)).to.equal('Without a name');
    expect(knownNameOf(NOTHING)).to.equal('');
  });
});
