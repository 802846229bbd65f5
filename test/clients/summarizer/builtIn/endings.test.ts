import { expect } from 'chai';
import { readClosings } from '../../../../src/clients/summarizer/builtIn/closings.ts';
import type { OpenPromise } from '../../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../../support/mediaInText.ts';

const TODAY = '2026-11-18'; // A Wednesday.
const TOMORROW = '2026-11-19';

type Promised = Pick<OpenPromise, 'direction' | 'text' | 'dueDate'> & { asked?: string };

const mine = (text: string, dueDate: string | null, asked?: string): Promised => {
  return { direction: 'mine', text, dueDate, ...(asked !== undefined && { asked }) };
};
const theirs = (...of: Parameters<typeof mine>): Promised => ({ ...mine(...of), direction: 'theirs' });

/** Lines of "me: …" and "Idris: …", a minute apart. */
async function closingOf({ asked, ...promise }: Promised, lines: string[]) {
  const messages = lines.map((line, at) => {
    const [, from = '', text = ''] = /^(\w+): (.*)$/u.exec(line) ?? [];
    const sentAt = new Date(Date.parse(`${TODAY}T09:00:00Z`) + at * 60_000);
    const fromUser = from === 'me';
    return {
      id: 100 + at,
      sentAt,
      fromUser,
      senderName: fromUser ? 'Nora Falk' : from,
      ...mediaInText(text),
      forwarded: false,
    };
  });
  const request = { words: asked ?? '', messageId: '7', who: '', fromUser: promise.direction === 'theirs' };
  const about = { userName: 'Nora Falk', peerName: 'Idris', isGroup: false, timezone: 'UTC', messages };
  const open = { n: 1, who: null, saidAt: '2026-11-17', sourceMessageIds: ['8'], ...promise };
  const answering = asked === undefined ? open : { ...open, request, sourceTexts: [asked] };
  const [closing] = await readClosings({ ...about, openPromises: [answering] });
  return closing;
}

describe('What sounds like the end of a promise', () => {
  const ASKED: [Promised, lines: string[]][] = [
    [mine("I'll forward you the new one", null, 'need the lighting plan'), ['me: [file: E-1.1.pdf]', 'Idris: 👌']],
    [theirs('schau ich morgen nach', TODAY, 'Hat jemand die Kundennummer?'), ['Idris: 3301448207', 'me: danke!']],
    [mine('le mando il disegno aggiornato', TODAY), ['me: [file: bagno_rev2.pdf]', 'Idris: ricevuto 👍']],
    [theirs('jutro wyślę zdjęcia', TODAY), ['Idris: [photo]', 'me: jakie piękne']],
    [theirs('завтра перешлю', TODAY, 'фото десертов?'), ['Idris: держите [file: desserts.zip]']],
    [mine('çarşamba yatırıyorum', TODAY, 'bakiye 18.400'), ['me: [file: dekont_18400.pdf]', 'Idris: sağolun']],
  ];
  for (const [promise, lines] of ASKED)
    it(`is asked about: ${promise.text} / ${lines.join(' / ')}`, async () => {
      expect(await closingOf(promise, lines)).to.deep.include({ state: 'doubtful', messageIds: ['100'] });
    });

  const YESTERDAY = '2026-11-17';
  const GONE_ON: [Promised, lines: string[], by: string | null][] = [
    [mine('I call the restaurant', YESTERDAY), ['Idris: the hotel is full', 'me: there is one beside it'], '101'],
    [theirs('I answer by noon', YESTERDAY), ['Idris: the hotel in Basel is full'], '100'],
    [mine('I call the restaurant', TODAY), ['Idris: the hotel is full', 'me: there is one beside it'], null],
    [mine('I send the plan', YESTERDAY), ['Idris: and where is the plan?', 'me: morning Idris'], null],
    [mine('I send the plan', YESTERDAY), ['me: the plan is nearly ready', 'Idris: the hotel is full'], null],
    [{ ...mine('The water is off', YESTERDAY), direction: 'unassigned' }, ['Idris: the hotel is full'], null],
  ];
  for (const [promise, lines, by] of GONE_ON)
    it(`is ${by ? '' : 'not '}that the two talk on: ${promise.text}, due ${promise.dueDate} / ${lines.join(' / ')}`, async () => {
      const closing = await closingOf(promise, lines);
      expect(closing && [closing.state, closing.messageIds]).to.deep.equal(by ? ['doubtful', [by]] : undefined);
    });

  const OPEN: [Promised, lines: string[]][] = [
    [mine("I'll send it", TODAY, 'Can you send the plan?'), ['me: [file: B-2.pdf]', "Idris: that's the old one"]],
    [theirs('schau ich nach', TOMORROW, 'Hat jemand die Kundennummer?'), ['Idris: 3301448207', 'me: danke!']],
    [theirs('wycena będzie do środy', TODAY), ['Idris: wycena prawie gotowa', 'me: super']],
    [mine("I'll order the badges", TODAY), ['me: ordered the lunch', 'Idris: ok']],
    [mine('I pay it tomorrow', TODAY, 'Invoice 22 is open'), ['me: how was the fair?', 'Idris: good, thanks']],
  ];
  for (const [promise, lines] of OPEN)
    it(`is not yet: ${promise.text} / ${lines.join(' / ')}`, async () => {
      expect(await closingOf(promise, lines)).to.equal(undefined);
    });

  it('is not that a colleague is to do it and was told', async () => {
    const basin = theirs('поставлю завтра с утра', TODAY, 'Раковина приехала');
    const lines = ['Idris: я заболел. раковину Саня мой поставит, я ему все передал'];
    expect((await closingOf(basin, lines))?.state).not.to.equal('done');
  });

  describe('that a file without words names', () => {
    const promise = mine('I will send the drainage plan again', TODAY);
    const FILE = 'me: [file: drainage_plan_north.pdf]';

    it('is asked about when its answer is anything but thanks or a yes', async () => {
      const closing = await closingOf(promise, [FILE, "Idris: that's the north side"]);
      expect(closing?.state).to.equal('doubtful');
    });

    it('is its end when it is answered with thanks, or not at all', async () => {
      for (const lines of [[FILE], [FILE, 'Idris: perfect, thanks']]) {
        const closing = await closingOf(promise, lines);
        expect(closing?.state, lines.join(' ')).to.equal('done');
      }
    });
  });
});
