import { expect } from 'chai';
import { digestDays } from '../digestDays.ts';

const itemsOf = async (text: string) => {
  const { structured } = await digestDays([`17 Ann: ${text}`]);
  return structured.actionItems.map(({ owner, text: task, dueDate }) => [owner, task, dueDate]);
};

describe('What one takes on', () => {
  const PROMISES: Record<string, [task: string, day: string | null]> = {
    "I'll send you the lease tomorrow": ['Send Sam the lease', '2026-11-18'],
    'gonna send the lease tomorrow': ['Send the lease', '2026-11-18'],
    "I'm going to send the lease tomorrow": ['Send the lease', '2026-11-18'],
    'planning to send the lease Friday': ['Send the lease on Friday', '2026-11-20'],
    'happy to send the lease tomorrow': ['Send the lease', '2026-11-18'],
    'I still need to send you the lease': ['Send Sam the lease', null],
    'I owe you the lease': ['Send Sam the lease', null],
    "you'll get the lease tomorrow": ['Send Sam the lease', '2026-11-18'],
  };
  for (const [text, [task, day]] of Object.entries(PROMISES)) {
    it(`is on the list: ${text}`, async () => {
      expect(await itemsOf(text)).to.deep.equal([['contact', task, day]]);
    });
  }

  const NO_PROMISES = [
    ...[
      "I won't send the lease tomorrow",
      'I was going to send the lease yesterday',
      'I would send the lease if I had it',
    ],
    ...['I owe you one', 'no need to send the lease', 'forget about the lease', 'I sent the lease'],
  ];
  for (const text of NO_PROMISES) {
    it(`is nothing: ${text}`, async () => {
      expect(await itemsOf(text)).to.deep.equal([]);
    });
  }
});

describe('What is asked for', () => {
  const REQUESTS: Record<string, [task: string, day: string | null]> = {
    'if you get a chance, send me the lease': ['Send Ann the lease', null],
    'send me the lease when you have a minute': ['Send Ann the lease', null],
    'you still owe me the lease': ['Give Ann the lease', null],
    'Lease by Friday please': ['Ann: “Lease by Friday please”', '2026-11-20'],
    'Let me know if the crane is free': ['Let Ann know whether the crane is free', null],
    'let me know by Friday if the crane is free': ['Let Ann know by Friday whether the crane is free', '2026-11-20'],
    "don't forget the lease": ['Ann tells Sam not to forget the lease', null],
  };
  for (const [text, [task, day]] of Object.entries(REQUESTS)) {
    it(`is on the list: ${text}`, async () => {
      expect(await itemsOf(text)).to.deep.equal([['user', task, day]]);
    });
  }

  for (const text of [
    'let me know if you need anything',
    'let me know if anything changes',
    'if it rains, send me the lease',
  ]) {
    it(`is nothing: ${text}`, async () => {
      expect(await itemsOf(text)).to.deep.equal([]);
    });
  }
});

describe('What is offered', () => {
  const OFFER = 'Should I send the lease tomorrow?';

  it('waits for an answer', async () => {
    expect(await itemsOf(OFFER)).to.deep.equal([['user', `Answer Ann: “${OFFER}”`, null]]);
  });

  it('is taken on with a yes', async () => {
    const { structured } = await digestDays([`17 Ann: ${OFFER}`, '17 Sam: yes please']);
    expect(structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate])).to.deep.equal([
      ['contact', 'Send the lease', '2026-11-18'],
    ]);
  });

  it('is over with a no', async () => {
    const { structured } = await digestDays([`17 Ann: ${OFFER}`, '17 Sam: no thanks']);
    expect(structured.actionItems).to.deep.equal([]);
  });
});

it('The summary tells what was sent', async () => {
  const { summary } = await digestDays(['17 Ann: I sent the lease']);
  expect(summary).to.equal('Ann sent the lease.');
});
