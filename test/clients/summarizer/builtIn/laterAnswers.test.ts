import { expect } from 'chai';
import { readClosings } from '../../../../src/clients/summarizer/builtIn/closings.ts';
import type { Closing, OpenPromise } from '../../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../../support/mediaInText.ts';

const TODAY = '2026-11-18'; // A Wednesday.
const ASKED = '40';

type Asked = Pick<OpenPromise, 'direction' | 'text'> & Partial<OpenPromise>;

/** Lines of "me: …" and "Idris: …"; ">40" behind the name replies to what was asked. */
async function closingOf(of: Asked, lines: string[]): Promise<Closing | undefined> {
  const messages = lines.map((line, at) => {
    const [, from = '', replyTo, text = ''] = /^([^:>]+)(?:>(\d+))?: ([\s\S]*)$/u.exec(line) ?? [];
    return {
      id: 100 + at,
      sentAt: new Date(Date.parse(`${TODAY}T09:00:00Z`) + at * 60_000),
      fromUser: from === 'me',
      senderName: from === 'me' ? 'Nora Falk' : from,
      ...mediaInText(text),
      forwarded: false,
      ...(replyTo && { replyTo: Number(replyTo) }),
    };
  });
  const promise = { n: 1, who: null, dueDate: null, saidAt: '2026-11-17', sourceMessageIds: [ASKED], ...of };
  const about = { userName: 'Nora Falk', peerName: 'Idris', isGroup: false, timezone: 'UTC' };
  const [closing] = await readClosings({ ...about, messages, openPromises: [promise] });
  return closing;
}

const toMe = (text: string): Asked => ({ direction: 'mine', text, isUsersWords: false, sourceTexts: [text] });
const fromMe = (text: string): Asked => ({ direction: 'theirs', text, isUsersWords: true, sourceTexts: [text] });

describe('What was asked on an earlier day', () => {
  const ANSWERED: [Asked, string[]][] = [
    [toMe('And is the probe honest below minus twenty?'), ['me>40: Honestly: yes, down to minus forty']],
    [toMe('which color do you want for the awning?'), ['me>40: dark green']],
    [toMe('whats the story with the app, it wants a code?'), ['me: the app code is 4471', 'Idris: works, thanks']],
    [toMe('¿cuánto serían 100 cajas más?'), ['me>40: las 100 cajas más, 340 euros']],
    [toMe('Какой размер коробки вам нужен?'), ['me>40: 40 на 60']],
    [
      toMe('Could you send the price, the recall procedure and the insurance certificate?'),
      ['me: [file: Harrow_Pack.pdf] As asked: price, recall procedure and insurance certificate'],
    ],
  ];
  for (const [promise, lines] of ANSWERED)
    it(`is answered: ${promise.text} / ${lines.join(' / ')}`, async () => {
      expect(await closingOf(promise, lines)).to.include({ state: 'done' });
    });

  it('says that it was answered, and not kept', async () => {
    expect(await closingOf(toMe('which color do you want?'), ['me>40: dark green'])).to.include({ isAnswered: true });
  });

  const ASKED_ABOUT: [Asked, string[]][] = [
    [toMe('which color do you want for the awning?'), ['me: the awning in dark green, color code 6005']],
    [fromMe('Passt euch die Lieferadresse in Bahrenfeld?'), ['Idris>40: ja, Gasstraße 12']],
    [toMe('Can you send the price list?'), ['me>40: the price list has 14 pages now']],
  ];
  for (const [promise, lines] of ASKED_ABOUT)
    it(`may be answered: ${promise.text} / ${lines.join(' / ')}`, async () => {
      expect(await closingOf(promise, lines)).to.include({ state: 'doubtful' });
    });

  const OPEN: [Asked, string[]][] = [
    [toMe('which color do you want for the awning?'), ['me>40: I tell you tomorrow']],
    [toMe('which color do you want for the awning?'), ['me>40: why do you ask?']],
    [toMe('which color do you want for the awning?'), ['me>40: not decided yet']],
    [toMe('which color do you want for the awning?'), ['Idris>40: no rush, dark green would be nice']],
    [toMe('which color do you want for the awning?'), ['me: the invoice is paid']],
    [toMe('welche Farbe soll die Markise haben?'), ['me>40: sag ich dir morgen']],
    [toMe('Какой размер коробки вам нужен?'), ['me>40: завтра скажу']],
    [{ ...toMe('I bring the awning samples'), isUsersWords: true }, ['me>40: the awning samples have 12 colors']],
  ];
  for (const [promise, lines] of OPEN)
    it(`is not answered: ${promise.text} / ${lines.join(' / ')}`, async () => {
      expect((await closingOf(promise, lines))?.state ?? 'open').not.to.equal('done');
    });

  it('is asked about with the newest message that is about it', async () => {
    const before = { ...fromMe('Send me the signed contract'), isDoubtful: true };
    const closing = await closingOf(before, [
      'Idris: the contract comes back with all pages',
      'Idris: how was the fair?',
    ]);
    expect(closing).to.deep.include({ state: 'doubtful', messageIds: ['100'] });
    expect(await closingOf(before, ['Idris: how was the fair?'])).to.equal(undefined);
  });
});
