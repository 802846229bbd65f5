import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Sentiment } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

const MOODS: Record<Sentiment, string[][]> = {
  positive: [
    ['Ann: The terrace is finished', 'Sam: Oh, how nice to hear!', 'Ann: Worth every penny'],
    ['Jan: Die Halle ist ein Traum geworden', 'Sam: Das freut mich sehr!', 'Jan: Wir staunen jeden Tag'],
    ['Eva: Strasznie się cieszę, wyszło rewelacyjnie', 'Sam: Bardzo mi miło to słyszeć, dziękuję'],
    ['Лена: Гости в восторге, банкет удался', 'Sam: Как приятно это слышать!'],
    ['Ana: Los niños han salido encantados del taller', 'Sam: ¡Qué alegría! Menos mal que no llovió'],
  ],
  negative: [
    ['Ann: Nobody told us the hall was closed, we stood outside for an hour', 'Sam: Oh no, my apologies'],
    ['Jan: Das ist jetzt das dritte Mal, so kann ich nicht arbeiten', 'Sam: Das tut mir leid, unser Fehler'],
    ['Claire: Personne ne nous a prévenus, quelle honte', 'Sam: Je suis vraiment désolé, toutes mes excuses'],
    ['Luca: Nessuno ci ha avvisato, così non si può lavorare', 'Sam: Mi dispiace molto, avete ragione'],
    ['Marek: Klienci odchodzą, a nikt nie odpowiada', 'Sam: Bardzo mi przykro, przepraszam'],
  ],
  neutral: [
    ['Ann: The meeting is in room 4', 'Sam: Thanks, see you there'],
    ['Eva: te llamo esta tarde por lo del contrato', 'Sam: vale'],
    ['Claire: Je vous envoie la facture demain', 'Sam: Entendu'],
  ],
  mixed: [
    [
      'Ann: The concert was wonderful',
      'Sam: Great news!',
      'Ann: But the piano is damaged, what a nightmare',
      'Sam: Oh dear',
    ],
  ],
};

const PRESSING: [lines: string[], isHigh: boolean][] = [
  [['Ann: The cellar is flooded, where is your plumber?'], true],
  [['Jan: Der Aufzug steckt fest, wann kommt jemand?'], true],
  [['Eva: Se ha inundado el almacén, ¿cuánto tarda el fontanero?'], true],
  [['Marek: Strona sklepu pokazuje biały ekran, kiedy to ruszy?'], true],
  [
    ['Ann: They close at 5 today and lack the cover', 'Sam: Which one?', 'Ann: The green one. Can you upload it?'],
    true,
  ],
  [['Claire: Pouvez-vous prévenir Paul ?', 'Sam: Oui, je lui écris tout de suite'], false],
  [['Claire: Je vous envoie la facture lundi prochain, 180 €', 'Sam: Parfait'], false],
  [["Ann: The landlord won't move on that one, I'll tell him next month"], false],
];

describe('the mood of a conversation', () => {
  for (const [mood, talks] of Object.entries(MOODS)) {
    it(`is ${mood}, by words, by what is said on hearing news, and by how it ends`, async () => {
      for (const lines of talks) {
        const { structured } = await summarizer.summarize(conversation(lines));
        expect(structured.sentiment, lines.join(' / ')).to.equal(mood);
      }
    });
  }
});

describe('the urgency of a conversation', () => {
  it('is high in an emergency, but not where one side merely acts or asks for its money', async () => {
    for (const [lines, isHigh] of PRESSING) {
      const { structured } = await summarizer.summarize(conversation(lines));
      expect(structured.urgency === 'high', `${lines.join(' / ')}: ${structured.urgency}`).to.equal(isHigh);
    }
  });
});
