import { expect } from 'chai';
import { findSettledElsewhere } from '../../../../src/features/promises/fromDigests/findSettledElsewhere.ts';
import { wordsOf } from '../../../support/pages.ts';
import { connectedNora, syncNow } from '../../../support/people.ts';
import { startService, stopServices } from '../../../support/service.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { writeLines } from '../../../support/writeLines.ts';

const [ANNA, BORIS] = [2001, 2002];
const DAY = 24 * 3600 * 1000;

describe('A promise that another chat may have settled', () => {
  after(stopServices);

  it('is asked about once, without a word of that chat, and stays open after No', async () => {
    const people = [
      person(ANNA, { firstName: 'Anna', lastName: 'Weber' }),
      person(BORIS, { firstName: 'Boris', lastName: 'Orlov' }),
    ];
    const talk = [
      message(1, { from: ANNA, text: 'Can you introduce me to Boris Orlov by Friday?' }),
      message(2, { from: owner.id, text: "Yes, I'll introduce you to Boris Orlov by Friday" }),
    ];
    const dialogs = [
      dialog(`user:${ANNA}`, talk),
      dialog(`user:${BORIS}`, [message(1, { from: BORIS, text: 'Hello from Riga!' })]),
    ];
    const service = await startService({ worlds: [world({ users: people, dialogs })] });
    const nora = await connectedNora(service);
    await syncNow(nora);
    const promise = () => service.db('promises').where({ direction: 'mine' }).first();
    expect(await promise()).to.include({ state: 'open', is_doubtful: false });

    service.clock.advance(DAY);
    writeLines(service, `user:${ANNA}`, [[ANNA, 'Good morning from Oslo!']]);
    writeLines(service, `user:${BORIS}`, [
      [owner.id, 'Boris, I have just connected you with Anna Weber by mail, can you call her on Monday?'],
    ]);
    const { faults } = service.sandbox;
    // Only half of it is read.
    faults.always({ on: 'messages.GetHistory', about: `user:${ANNA}`, status: 420, message: 'FROZEN_METHOD_INVALID' });
    expect((await syncNow(nora)).result.errors).to.have.length(1);
    faults.clear();
    expect(await promise()).to.include({ state: 'open', is_doubtful: true });
    const page = wordsOf((await nora.get('/promises').expect(200)).text);
    expect(page).to.include('Settled? Chat with Boris names Anna Weber');
    expect(JSON.stringify((await promise()).evidence)).not.to.include('connected');

    await nora
      .patch(`/api/promises/${(await promise()).id}`)
      .send({ action: 'undo' })
      .expect(200);
    // The day's digest is written again, and has what it had.
    writeLines(service, `user:${BORIS}`, [[BORIS, 'Yes, can you send me the price list on Monday, too?']]);
    await syncNow(nora);
    const { summary } = await service.db('digests').where('summary', 'like', '%price list%').first();
    expect(summary).to.include('Anna');
    expect(await promise()).to.include({ state: 'open', is_doubtful: false });
  });

  const promise = {
    promiseId: 'p',
    dialogId: 'a',
    peerName: 'Anna Weber',
    userName: 'Nora Lind',
    saidAt: '2026-11-17T10:00:00Z',
  };
  const digestOf = (peerName: string, summary: string, sentAt = '2026-11-18T10:00:00Z') => {
    const sender = { id: '7', sender: peerName, fromUser: false, sentAt };
    return {
      dialogId: 'b',
      peerName,
      summary,
      sources: { sentences: [{ from: 0, to: summary.length, messageIds: ['7'] }], messages: [sender] },
    };
  };
  const cases: [what: string, words: string, digest: ReturnType<typeof digestOf>, isAsked: boolean][] = [
    [
      'a title before the name',
      'Introduce you to Dr. von Thurn',
      digestOf('Dr. Albrecht von Thurn', 'You connected Anna with him.'),
      true,
    ],
    ['another alphabet', 'Send Melnyk your number', digestOf('Ігор Мельник', 'Ти дав номер Анна Weber.'), true],
    ['a message from before it', 'Call Boris', digestOf('Boris Orlov', 'Anna is there.', '2026-11-17T09:00:00Z'), false],
    ['a person of the same first name', 'Call Anna back', digestOf('Anna Kovacs', 'Anna sends the price.'), false],
    ['a chat that names nobody', 'Call Boris', digestOf('Boris Orlov', 'He sends the price.'), false],
  ];
  for (const [what, words, digest, isAsked] of cases)
    it(`${isAsked ? 'may be known by' : 'is not taken from'} ${what}`, () => {
      expect(findSettledElsewhere([{ ...promise, words }], [digest])).to.have.length(isAsked ? 1 : 0);
    });
});
