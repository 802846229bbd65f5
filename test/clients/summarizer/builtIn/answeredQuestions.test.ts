import { expect } from 'chai';
import { readClosings } from '../../../../src/clients/summarizer/builtIn/closings.ts';
import type { OpenPromise } from '../../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../../support/mediaInText.ts';

const REQUEST_ID = '7';
const PROMISE_ID = '8';
const FIRST_ID = 100;

/** As it is stored: without its message, and with the words that it answers. */
const promised = (direction: 'mine' | 'theirs', text: string, words: string): OpenPromise => ({
  n: 1,
  direction,
  who: null,
  text,
  dueDate: null,
  saidAt: '2026-11-17',
  sourceMessageIds: [PROMISE_ID],
  sourceTexts: [words],
  request: { words, messageId: REQUEST_ID, who: '', fromUser: direction === 'theirs' },
});

/** Lines of "me: …" and "Idris: …"; "me>7: …" replies to message 7. */
async function stateOf(promise: OpenPromise, lines: string[], others: OpenPromise[] = []): Promise<string> {
  const messages = lines.map((line, index) => {
    const [, from = '', replyTo, text = ''] = /^(\w+)(?:>(\d+))?: (.*)$/u.exec(line) ?? [];
    return {
      id: FIRST_ID + index,
      sentAt: new Date(Date.parse('2026-11-18T09:00:00Z') + index * 60_000),
      fromUser: from === 'me',
      senderName: from === 'me' ? 'Nora Falk' : from,
      ...mediaInText(text),
      forwarded: false,
      ...(replyTo && { replyTo: Number(replyTo) }),
    };
  });
  const about = { userName: 'Nora Falk', peerName: 'Idris', isGroup: false, timezone: 'UTC' };
  const closings = await readClosings({ ...about, messages, openPromises: [promise, ...others] });
  return closings.find(({ n }) => n === promise.n)?.state ?? 'open';
}

describe('What new messages say of promises that are stored without their message', () => {
  const ASKED = 'Could you send me the signed contract by Friday?';
  const willDo = promised('mine', 'Will do', ASKED);

  const CLOSED: [OpenPromise, lines: string[]][] = [
    [willDo, ['me: done']],
    [willDo, ['me: contract sent']],
    [promised('mine', 'Mach ich', 'Kannst du mir den Grundriss schicken?'), ['me: erledigt']],
    [promised('mine', 'Mach ich', 'Kannst du mir den Grundriss schicken?'), ['me: Grundriss ist raus']],
    [promised('theirs', 'Lo hago mañana', '¿Me mandas el contrato firmado?'), ['Idris: hecho']],
    [promised('theirs', 'Lo hago', '¿Me mandas el contrato?'), ['Idris: te mandé el contrato']],
    [promised('mine', 'Je m’en occupe', 'Tu peux m’envoyer le devis ?'), ['me: c’est fait']],
    [promised('mine', 'Сделаю', 'Можешь прислать договор?'), ['me: договор отправила']],
    [promised('mine', 'Lo faccio io', 'Mi mandi il preventivo?'), ['me: preventivo mandato']],
  ];
  for (const [promise, lines] of CLOSED)
    it(`closes “${promise.text}” by what it answers: ${lines.join(' / ')}`, async () => {
      expect(await stateOf(promise, lines)).to.equal('done');
    });

  const LEFT: [OpenPromise, lines: string[], state: string][] = [
    [willDo, ['me: the contract is signed'], 'doubtful'],
    [willDo, ['Idris: could you fix the printer?', 'me: done'], 'open'],
    [willDo, ['me>77: done'], 'open'],
    [promised('mine', 'Will do', 'Could you send the contract and the invoice?'), ['me: contract sent'], 'doubtful'],
    [
      promised('mine', 'Will do', 'Hope the expo went well. Could you send the list?'),
      ['me: the expo is done'],
      'open',
    ],
    [promised('mine', 'Mach ich', 'Kannst du mir den Grundriss schicken?'), ['me: Rechnung ist raus'], 'open'],
    [promised('mine', 'Сделаю', 'Можешь прислать договор?'), ['me: смету отправила'], 'open'],
    [
      promised('mine', 'Will do', "I'd still need a few papers: rental contract, price list, floor plan"),
      ['me: [file: price_list.pdf]'],
      'doubtful',
    ],
  ];
  for (const [promise, lines, state] of LEFT)
    it(`does not close “${promise.text}” on words about something else: ${lines.join(' / ')}`, async () => {
      expect(await stateOf(promise, lines)).to.equal(state);
    });

  it('takes a reply to the promise or to what it answers for words about it', async () => {
    for (const id of [REQUEST_ID, PROMISE_ID])
      expect(await stateOf(willDo, ['Idris: could you fix the printer?', `me>${id}: done`]), id).to.equal('done');
  });

  it('does not ask about any of several promises on a bare “done”', async () => {
    const other = { ...promised('mine', 'Call the bank', 'Can you call the bank?'), n: 2, sourceMessageIds: ['5'] };
    expect(await stateOf(willDo, ['me: done'], [other])).to.equal('open');
  });

  it('is not cancelled with what it only starts from', async () => {
    const quote = promised('mine', 'Ask for a quote', 'and the shuttle from the station, can you ask for a quote?');
    expect(await stateOf(quote, ['Idris: the station is cancelled'])).to.equal('open');
  });
});
