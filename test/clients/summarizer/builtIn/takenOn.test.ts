import { expect } from 'chai';
import { leftOfDays } from '../commitmentsLeft.ts';

const leftOf = (...lines: string[]) => leftOfDays(lines.map(line => `17 ${line}`));

describe('What one takes on', () => {
  const PROMISES: Record<string, string | null> = {
    "I'll send you the lease tomorrow": '2026-11-18',
    'gonna send the lease tomorrow': '2026-11-18',
    "I'm going to send the lease tomorrow": '2026-11-18',
    'planning to send the lease Friday': '2026-11-20',
    'happy to send the lease tomorrow': '2026-11-18',
    'I owe you the lease': null,
    "you'll get the lease tomorrow": '2026-11-18',
  };
  for (const [text, day] of Object.entries(PROMISES)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['contact', day]]);
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
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([]);
    });
  }
});

describe('What is asked for', () => {
  const REQUESTS: Record<string, string | null> = {
    'if you get a chance, send me the lease': null,
    'send me the lease when you have a minute': null,
    'Let me know if the crane is free': null,
    'let me know by Friday if the crane is free': '2026-11-20',
    "don't forget the lease": null,
  };
  for (const [text, day] of Object.entries(REQUESTS)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['user', day]]);
    });
  }

  for (const text of [
    'let me know if you need anything',
    'let me know if anything changes',
    'if it rains, send me the lease',
  ]) {
    it(`is nothing: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([]);
    });
  }
});

describe('What is offered', () => {
  const OFFER = 'Should I send the lease tomorrow?';

  it('waits for an answer', async () => {
    expect(await leftOf(`Ann: ${OFFER}`)).to.deep.equal([['user', null]]);
  });

  it('is taken on with a yes', async () => {
    expect(await leftOf(`Ann: ${OFFER}`, 'Sam: yes please')).to.deep.equal([['contact', '2026-11-18']]);
  });

  it('is over with a no', async () => {
    expect(await leftOf(`Ann: ${OFFER}`, 'Sam: no thanks')).to.deep.equal([]);
  });
});
