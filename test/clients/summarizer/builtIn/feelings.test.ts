import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Sentiment } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

const TALKS: Record<string, [mood: Sentiment, lines: string[]][]> = {
  English: [
    ['positive', ['Sam: Your bike is ready', 'Ann: picked it up, rides like new', 'Ann: absolute legend']],
    ['positive', ['Ann: The cake was unreal, people are still talking about it', 'Sam: Ha, glad to hear it']],
    [
      'negative',
      [
        'Ann: The dryer has packed in again. Third time since May',
        'Sam: I will come on Friday',
        'Ann: Heard that before',
      ],
    ],
    [
      'negative',
      ['Ann: I was charged twice and nobody picks up', 'Sam: Let me look', 'Ann: This keeps happening. Not acceptable'],
    ],
    ['neutral', ['Ann: Can we move the call to Thursday at 3?', 'Sam: Perfect', 'Ann: Same link as last time']],
    [
      'neutral',
      [
        'Sam: Shall I book the van?',
        'Ann: No, the train is fine',
        'Sam: Ok. Still waiting on the supplier for the boxes',
      ],
    ],
  ],
  German: [
    ['positive', ['Ann: Die Torte war der Wahnsinn, alle wollten das Rezept', 'Sam: Oh wie schön!']],
    ['positive', ['Sam: Das Rad ist fertig', 'Ann: läuft wie geschmiert', 'Ann: ihr seid die Besten']],
    [
      'negative',
      [
        'Ann: Zum x-ten Mal steht hier niemand',
        'Sam: Ich frage nach',
        'Ann: Langsam reicht’s, immer die gleiche Ausrede',
      ],
    ],
    ['neutral', ['Ann: Können wir auf Donnerstag schieben?', 'Sam: Super', 'Ann: Dann bis Donnerstag um 10']],
  ],
  Spanish: [
    ['positive', ['Ann: La web quedó de lujo', 'Sam: Qué bueno', 'Ann: sos un crack']],
    [
      'negative',
      ['Ann: Siempre lo mismo, es la tercera vez', 'Sam: Lo reviso', 'Ann: Estoy harta, qué falta de respeto'],
    ],
    ['neutral', ['Ann: ¿Nos vemos el jueves a las 10?', 'Sam: Perfecto', 'Ann: En la oficina']],
  ],
  French: [
    ['positive', ['Ann: Le buffet, une tuerie ! Tout le monde a adoré', 'Sam: Merci']],
    [
      'negative',
      ['Ann: Encore une fois personne au rendez-vous', 'Sam: Je regarde', 'Ann: Ras le bol, on se moque de nous'],
    ],
    ['neutral', ['Ann: On décale à jeudi 10h ?', 'Sam: Parfait', 'Ann: Même adresse']],
  ],
  Italian: [
    ['positive', ['Ann: Le foto sono strepitose', 'Sam: Grazie', 'Ann: siete dei grandi, tutti contenti']],
    ['negative', ['Ann: Le solite scuse, è l’ennesimo ritardo', 'Sam: Controllo', 'Ann: Non se ne può più']],
    ['neutral', ['Ann: Ci vediamo alla fiera giovedì?', 'Sam: Perfetto', 'Ann: Padiglione 4']],
  ],
  Portuguese: [
    ['positive', ['Ann: O bolo ficou um espetáculo', 'Sam: Que bom', 'Ann: vocês são o máximo']],
    ['negative', ['Ann: Outra vez o mesmo problema, estou farta', 'Sam: Vou ver', 'Ann: Já ouvi isso']],
    ['neutral', ['Ann: Pode ser quinta às 10?', 'Sam: Perfeito', 'Ann: No escritório']],
  ],
  Polish: [
    ['positive', ['Ann: Ta kawa to sztos, klienci zachwyceni', 'Sam: Dzięki']],
    ['negative', ['Ann: Znowu to samo, trzeci raz w tym miesiącu', 'Sam: Sprawdzę', 'Ann: To jakaś kpina']],
    ['neutral', ['Ann: Możemy przenieść na czwartek?', 'Sam: Super', 'Ann: To o 10 w biurze']],
  ],
  Russian: [
    ['positive', ['Ann: Торт просто пушка, гости в восторге', 'Sam: Спасибо']],
    ['negative', ['Ann: Сколько раз просила предупреждать, опять то же самое', 'Sam: Понял', 'Ann: Это я уже слышала']],
    ['neutral', ['Ann: Перенесём на четверг?', 'Sam: Супер', 'Ann: Тогда в 10 в офисе']],
  ],
  Ukrainian: [
    ['positive', ['Ann: Торт просто вогонь, гості в захваті', 'Sam: Дякую']],
    ['negative', ['Ann: Третій тиждень поспіль те саме', 'Sam: Розумію', 'Ann: Це я вже чула']],
    ['neutral', ['Ann: Перенесемо на четвер?', 'Sam: Ідеально', 'Ann: Тоді о 10 в офісі']],
  ],
  Turkish: [
    ['positive', ['Ann: Pasta efsane olmuş, herkes bayıldı', 'Sam: Afiyet olsun']],
    ['negative', ['Ann: Yine aynı sorun, kaçıncı kez', 'Sam: Bakıyorum', 'Ann: Bıktım artık, hep aynı bahane']],
    ['neutral', ['Ann: Hasta perşembe saat 10’da gelsin mi?', 'Sam: Olur', 'Ann: Adres aynı']],
  ],
};

describe('the words of feeling', () => {
  for (const [language, talks] of Object.entries(TALKS))
    for (const [mood, lines] of talks)
      it(`are ${mood} in ${language}: ${lines.join(' / ')}`, async () => {
        const { structured } = await summarizer.summarize(conversation(lines));
        expect(structured.sentiment).to.equal(mood);
      });
});
