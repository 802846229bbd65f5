import { expect } from 'chai';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import * as rules from '../../../../src/features/promises/fromDigests/rules.ts';
import type { KnownPromise, OpenPromiseRow } from '../../../../src/features/promises/fromDigests/schema.ts';
import { item } from '../../pages/today/digests.ts';

const { dropBystanderSources, reuseKnownItemIds } = rules;
const DIRECTIONS = { user: 'mine', contact: 'theirs', unknown: 'unassigned' } as const;

function known(one: ActionItem, isOpen = true): KnownPromise {
  const { id: itemId, text: words, ownerName: who, dueDate, dueTime = null, kind = 'promise', sourceMessageIds } = one;
  const said = { itemId, words, shownWords: words, who, kind, dueDate, dueTime } satisfies Partial<KnownPromise>;
  const other = { dialogId: 'a', sourceMessageIds, isSideEdited: false, request: null, sources: null };
  return { ...said, ...other, direction: DIRECTIONS[one.owner], isOpen };
}

const ids = (before: ActionItem[], after: ActionItem[], isOpen?: boolean) =>
  reuseKnownItemIds(
    after,
    before.map(one => known(one, isOpen)),
  ).map(({ id }) => id);

describe('Reworded action items', () => {
  const old = (id: string, ...sourceMessageIds: string[]) => item({ id, sourceMessageIds });

  it('keep an id of several that rest on their message, though the words don’t tell which', () => {
    expect(ids([old('a', '11'), old('b', '11')], [old('x', '11')])).to.deep.equal(['a']);
    expect(ids([old('a', '11'), old('b', '11')], [old('x', '11'), old('y', '11')])).to.deep.equal(['a', 'b']);
  });

  it('get new ids when they only answer the same request', () => {
    const request = { words: 'Could you send both?', messageId: '10', who: 'Priya', fromUser: false };
    const before = { ...known(old('a', '11')), request };
    expect(reuseKnownItemIds([{ ...old('x', '12'), text: 'Book the room', request }], [before])[0]?.id).to.equal('x');
  });

  it('keep the id of what is settled when they also say what they answer', () => {
    const request = { words: 'Could you send it?', messageId: '10', who: 'Priya', fromUser: false };
    const other = { ...old('x', '11'), text: 'Vertrag schicken', request };
    expect(ids([old('a', '11')], [other], false)).to.deep.equal(['a']);
  });

  it('get new ids when they rest on another message too, and say something else than what is settled', () => {
    const other = { ...old('x', '11', '12'), text: 'Book the call with Marcus' };
    expect(ids([old('a', '11')], [other], false)).to.deep.equal(['x']);
    expect(ids([old('a', '11')], [other])).to.deep.equal(['a']);
    expect(ids([old('a', '11')], [{ ...old('x', '11', '12'), text: 'Send it by mail' }], false)).to.deep.equal(['a']);
  });

  it('keep the id of the one whose request they answer, or that answers theirs', () => {
    const request = { words: 'Could you send it?', messageId: '10', who: 'Priya', fromUser: false };
    const before = { ...known(old('a', '11')), request };
    expect(reuseKnownItemIds([{ ...old('x', '10'), text: 'Vertrag schicken' }], [before])[0]?.id).to.equal('a');
    expect(ids([old('a', '10')], [{ ...old('x', '11'), text: 'Vertrag schicken', request }])).to.deep.equal(['a']);
  });

  it('keep the id in other words where it is not known whose they are, or where their person wrote whose', () => {
    const other = { ...old('x', '11'), text: 'Vertrag schicken' };
    expect(ids([old('a', '11')], [{ ...other, owner: 'unknown' }])).to.deep.equal(['a']);
    expect(ids([{ ...old('a', '11'), owner: 'unknown' }], [other])).to.deep.equal(['a']);
    const edited = { ...known({ ...old('a', '11'), owner: 'contact' }), isSideEdited: true };
    expect(reuseKnownItemIds([other], [edited])[0]?.id).to.equal('a');
  });

  it('get new ids when they are another owner’s or rest on another message', () => {
    const theirs = { ...old('x', '11'), owner: 'contact' as const, text: 'Pay the deposit' };
    expect(ids([old('a', '11')], [theirs])).to.deep.equal(['x']);
    expect(ids([old('a', '11')], [old('x', '12')])).to.deep.equal(['x']);
  });

  it('never share an id', () => {
    expect(ids([old('a', '11')], [old('x', '11'), old('y', '11')])).to.deep.equal(['a', 'y']);
    expect(ids([old('a', '11')], [old('a', '11'), old('y', '11')])).to.deep.equal(['a', 'y']);
  });

  it('are told apart by their words where several rest on one message', () => {
    const before = [old('a', '11'), { ...old('b', '11'), text: 'Book the call with Marcus' }];
    const after = [
      { ...old('x', '11'), text: 'Book a call with Marcus on Tuesday' },
      { ...old('y', '11'), text: 'Send it over' },
    ];
    expect(ids(before, after)).to.deep.equal(['b', 'a']);
  });
});

describe('Repeated action items', () => {
  const said = (text: string, details: Partial<ActionItem> = {}) => item({ text, sourceMessageIds: ['1'], ...details });
  const again = (text: string, details: Partial<ActionItem> = {}) => item({ text, sourceMessageIds: ['9'], ...details });
  const isSame = (one: ActionItem, other: ActionItem, isOpen?: boolean) => ids([one], [other], isOpen)[0] === one.id;

  for (const [one, other] of [
    ['Send the signed contract', 'Send signed contracts'],
    ['Прислать подписанное соглашение', 'Прислать подписанные соглашения'],
    ['Enviar la factura de marzo', 'Enviar las facturas de marzo'],
    ['Return the 2 loggers to Leeds', 'Return the 2 loggers to Leeds'],
  ] as const) {
    it(`are the same promise: ${other}`, () => expect(isSame(said(one), again(other))).to.equal(true));
  }

  for (const [one, other] of [
    ['Send the signed contract to Ann', 'Send the signed contract to Bob'],
    ['Pay invoice 104571', 'Pay invoice 104572'],
    ['Send the report for Q3', 'Send the report for Q4'],
    ['Send it', 'Send it'],
    ['Send the contract', 'Sign the contract'],
    ['把签好的合同发给我，谢谢', '把签好的发票发给我，谢谢'],
  ] as const) {
    it(`are another promise: ${other}`, () => expect(isSame(said(one), again(other))).to.equal(false));
  }

  it('are the same where a later day says a part of the words, or another word for the meeting of that hour', () => {
    const visit = { kind: 'appointment', dueDate: '2026-12-04', dueTime: '10:30' } as const;
    const before = said('Visit Claire at Harrow Foods in Leeds', visit);
    expect(isSame(before, again('Visit Claire', { ...visit, dueTime: null }))).to.equal(true);
    expect(isSame(before, again('Visit Claire', { ...visit, dueTime: '16:00' }))).to.equal(false);
    expect(isSame(before, again('Visit Claire', { ...visit, dueDate: '2026-12-11' }))).to.equal(false);
    const meeting = again('Meeting on site', { ...visit, owner: 'contact' });
    expect(isSame(before, meeting)).to.equal(true);
    const inGroup = { ...known(before), sources: [] };
    expect(reuseKnownItemIds([meeting], [inGroup])[0]?.id).to.equal(meeting.id);
    expect(isSame(said('Send Farid the contract'), again('Send Farid the contract and the guide'))).to.equal(true);
  });

  it('are the promise that the same messages move to that day, unless two items or another side could be meant', () => {
    const evidence = { who: 'Aigul', when: '', words: '', messageIds: ['9'] };
    const closings = [{ promiseId: 'p', dialogId: 'a', state: 'moved', newDueDate: '2026-12-02', evidence } as const];
    const promises = [{ promiseId: 'p', itemId: 'a', direction: 'mine' }] as unknown as OpenPromiseRow[];
    const moved = again('Call at noon, her time', { dueDate: '2026-12-02' });
    const areIt = (...all: ActionItem[]) => reuseKnownItemIds(all, [], { closings, promises }).map(({ id }) => id === 'a');
    expect(areIt(moved, again('Bring it', { dueDate: null }))).to.deep.equal([true, false]);
    expect(areIt(moved, again('Pay', { dueDate: '2026-12-02' }))).to.deep.equal([false, false]);
    expect(areIt({ ...moved, owner: 'contact' })).to.deep.equal([false]);
    expect(areIt(moved, said('Call', { id: 'a' }))).to.deep.equal([false, true]);
  });

  it('are another promise with another owner, another day, or once the first is settled', () => {
    const words = 'Send the weekly report';
    expect(isSame(said(words), again(words, { owner: 'contact' }))).to.equal(false);
    expect(isSame(said(words, { dueDate: '2026-11-20' }), again(words, { dueDate: '2026-11-27' }))).to.equal(false);
    expect(isSame(said(words), again(words), false)).to.equal(false);
    expect(isSame(said(words, { dueDate: '2026-11-20' }), again(words))).to.equal(true);
  });

  it('are another one in the same words where someone else repeats them', () => {
    const said = (id: string, ownerName: string, sourceMessageId: string) =>
      item({ id, owner: 'contact', ownerName, text: 'I will pay the invoice 4711', sourceMessageIds: [sourceMessageId] });
    const before = [said('a', 'Marco Bianchi', '11')];
    expect(ids(before, [said('x', 'Mallory', '21')])).to.deep.equal(['x']);
    expect(ids(before, [said('x', 'Marco', '21')])).to.deep.equal(['a']);
  });
});

describe('Action items that say a promise of a group again', () => {
  const message = (id: string, senderId: string, sender = senderId) => {
    return { id, sender, senderId, fromUser: senderId === 'user:1', sentAt: '2026-11-17T09:00:00.000Z' };
  };
  const before = {
    ...known(item({ id: 'a', sourceMessageIds: ['10', '11'], dueDate: null })),
    sources: [message('11', 'user:2')],
  };
  const again = (...sourceMessageIds: string[]) => item({ id: 'a', sourceMessageIds, dueDate: '2026-11-23' });
  const told = [
    message('20', 'user:66', 'user:2'),
    message('21', 'user:2'),
    message('22', 'user:1'),
    message('23', 'user:3'),
  ];
  const kept = (one: ActionItem, promise = before) =>
    dropBystanderSources([one], [promise], told).map(({ sourceMessageIds, dueDate }) => [sourceMessageIds.join(), dueDate]);

  it('are left out where only someone says so who has no say, also under the name of one who has', () => {
    expect(kept(again('20'))).to.deep.equal([]);
    expect(kept(again('23'))).to.deep.equal([]);
  });

  it('take their day from whoever promised it, was promised it, or is the user', () => {
    expect(kept(again('21'))).to.deep.equal([['21', '2026-11-23']]);
    expect(kept(again('22'))).to.deep.equal([['22', '2026-11-23']]);
    expect(kept(again('10'))).to.deep.equal([['10', '2026-11-23']]);
    const request = { words: 'The contract?', messageId: '9', who: 'Marco', senderId: 'user:3', fromUser: false };
    expect(kept(again('23'), { ...before, request })).to.deep.equal([['23', '2026-11-23']]);
    expect(kept(again('20', '21'))).to.deep.equal([['21', null]]);
  });

  it('are left as they are in a private chat and where they are new', () => {
    expect(kept(again('20'), { ...before, sources: null as never })).to.deep.equal([['20', '2026-11-23']]);
    expect(kept({ ...again('20'), id: 'new' })).to.deep.equal([['20', '2026-11-23']]);
  });
});
