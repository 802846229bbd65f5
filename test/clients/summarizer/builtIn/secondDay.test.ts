import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { OpenPromise } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

/** Stored as it was said, in message 900, for Sam to do; `isUsersWords: false`: Nadia asked for it. */
async function closingsOf(said: Partial<OpenPromise>[], lines: string[]): Promise<string[]> {
  const openPromises = said.map(
    (promise, at): OpenPromise => ({
      ...{ n: at + 1, direction: 'mine', who: null, saidAt: '2026-11-16', dueDate: null, text: '' },
      ...{ sourceMessageIds: [`${900 + at}`], sourceTexts: [promise.text ?? ''] },
      ...promise,
    }),
  );
  const closings = await summarizer.readClosings({ ...conversation(lines), openPromises });
  return closings.map(({ n, state, messageIds }) => `${n} ${state} ${messageIds.join()}`);
}

const BOOKED: Record<string, [promise: string, lines: string[]]> = {
  en: ["I'll book the hall tomorrow", ['Nadia: And? The hall??', 'Sam: Booked, for 40 people, with a stage']],
  de: ['Ich reserviere den Saal', ['Nadia: und? der Saal??', 'Sam: Gebucht, für 40 Leute, mit Bühne']],
  fr: ['Je réserve la salle demain', ['Nadia: Et la salle ??', 'Sam: Réservée, pour 40 personnes']],
};

const ANSWERED: Record<string, [question: string, lines: string[]]> = {
  en: [
    'did you ever find out about the oven trays? the deep ones',
    ['Sam: trays: yes, up to 60 cm. £38 each. how many?'],
  ],
  de: ['habt ihr was zu den Backblechen rausgefunden?', ['Sam: Backbleche: ja, bis 60 cm. 38 € das Stück. wie viele?']],
  fr: ['vous avez des nouvelles des plaques de four ?', ['Sam: plaques : oui, 60 cm. 38 € pièce. combien ?']],
};

const PRAISED: Record<string, [promise: string, lines: string[]]> = {
  en: [
    "You'll have the survey by Tuesday, I'll write it myself",
    ['Sam: Here is the survey [file: Roof_Survey.pdf]', 'Nadia: Thanks, looks good. Omar even swapped the old pump'],
  ],
  de: [
    'Du hast das Protokoll bis Dienstag, ich schreib es selbst',
    ['Sam: hier ist das Protokoll [file: Protokoll_Dach.pdf]', 'Nadia: Danke! Omar hat sogar die alte Pumpe getauscht'],
  ],
};

describe('what is read of a promise on the second day', () => {
  for (const [language, [text, lines]] of Object.entries(BOOKED))
    it(`is that it is done where its doer says so when asked for the bare thing, in "${language}"`, async () => {
      expect(await closingsOf([{ text, dueDate: '2026-11-16' }], lines)).to.have.length(1);
    });

  it('is a doubt where another deed answers the bare thing, or only a part is told', async () => {
    const survey = [{ text: "I'll send you the survey", dueDate: '2026-11-16' }];
    expect(await closingsOf(survey, ['Nadia: and the survey?', 'Sam: signed'])).to.deep.equal(['1 doubtful 2']);
    const hall = [{ text: "I'll book the hall tomorrow", dueDate: '2026-11-16' }];
    expect(
      await closingsOf(hall, ['Nadia: and the hall?', "Sam: Booked, with a stage. I'll pick up the keys on Saturday"]),
    ).to.deep.equal(['1 doubtful 2']);
  });

  for (const [language, [text, lines]] of Object.entries(ANSWERED))
    it(`is the answer to what was asked, even where that asks back, in "${language}"`, async () => {
      expect(await closingsOf([{ text, isUsersWords: false }], lines)).to.deep.equal(['1 doubtful 1']);
    });

  for (const [language, [text, lines]] of Object.entries(PRAISED))
    it(`is not undone by what is said of another matter after the thanks, in "${language}"`, async () => {
      expect((await closingsOf([{ text, dueDate: '2026-11-17' }], lines)).join()).to.match(/^1 (?:done|doubtful)/);
    });

  it('is the arrival that the other side confirms, rather than the apology before it', async () => {
    const tags = [{ text: "Replacement pumps are on the way, you'll have them by Monday", dueDate: '2026-11-16' }];
    const lines = [
      'Sam: I am sorry for the silence. 10 new pumps are sent, arriving today before 16:00',
      'Nadia: They arrived at 15:40. Thank you for fixing it',
    ];
    expect((await closingsOf(tags, lines)).join()).to.match(/^1 (?:done|doubtful) (?:1,)?2$/);
  });

  it('is nothing where a reply answers another request, or a bare “sent” another message', async () => {
    const asked = [
      { text: 'Please send me the price and the insurance by Thursday', isUsersWords: false, dueDate: '2026-11-19' },
      { text: 'And honestly: was your shop closed on Monday?', isUsersWords: false },
    ];
    const request = conversation(['Sam: Honestly: yes, for one day. [file: Report.pdf]']);
    const [message] = request.messages;
    if (message) message.replyTo = 901;
    const openPromises = asked.map(
      (promise, at): OpenPromise => ({
        ...{ n: at + 1, direction: 'mine', who: null, saidAt: '2026-11-16', dueDate: null },
        ...{ sourceMessageIds: [`${900 + at}`], sourceTexts: [promise.text] },
        ...promise,
      }),
    );
    const closings = await summarizer.readClosings({ ...request, openPromises });
    expect(closings.map(({ n }) => n)).to.deep.equal([2]);
    const box = [{ text: 'the box with the 24 lamps is still not here', isUsersWords: false }];
    expect(await closingsOf(box, ['Nadia: Omar says he got no text', 'Sam: sent again, try now'])).to.deep.equal([]);
  });
});
