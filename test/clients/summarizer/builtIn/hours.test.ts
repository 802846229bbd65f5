import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

async function whens(lines: string[]): Promise<string[]> {
  const { structured } = await summarizer.summarize(conversation(lines));
  return structured.actionItems.map(({ dueDate, dueTime }) => `${dueDate} ${dueTime ?? ''}`.trim());
}

const AT_NOON: Record<string, string[]> = {
  en: ['Nadia: Could you check the leaflet by noon on Thursday?', 'Sam: sure'],
  de: ['Nadia: Kannst du den Flyer bis Donnerstag Mittag prüfen?', 'Sam: ja klar'],
  fr: ['Nadia: On peut se voir jeudi à midi ?', 'Sam: oui, parfait'],
  es: ['Nadia: ¿Nos vemos el jueves al mediodía?', 'Sam: sí, perfecto'],
  pt: ['Nadia: Podemos falar na quinta ao meio-dia?', 'Sam: pode ser'],
  it: ['Nadia: Ci vediamo giovedì a mezzogiorno?', 'Sam: va bene'],
  ru: ['Nadia: Можем созвониться в четверг в полдень?', 'Sam: да, давайте'],
  uk: ['Nadia: Можемо зустрітися в четвер опівдні?', 'Sam: так, добре'],
  pl: ['Nadia: Możemy się spotkać w czwartek w południe?', 'Sam: tak, jasne'],
  ja: ['Nadia: 木曜日の正午に打ち合わせできますか？', 'Sam: はい、大丈夫です'],
  zh: ['Nadia: 我们周四中午开会可以吗?', 'Sam: 好的'],
};

const IN_THE_AFTERNOON: Record<string, string[]> = {
  en: ['Nadia: Can we meet on Thursday at 8 in the evening?', 'Sam: yes'],
  de: ['Nadia: Treffen wir uns Donnerstag um 8 Uhr abends?', 'Sam: ja'],
  es: ['Nadia: ¿Nos vemos el jueves a las 8 de la tarde?', 'Sam: sí, perfecto'],
  fr: ['Nadia: On se voit jeudi à 8h du soir ?', 'Sam: oui'],
  pl: ['Nadia: Spotkamy się w czwartek o 8 wieczorem?', 'Sam: tak'],
  ar: ['Nadia: ممكن نتقابل يوم الخميس ٨ بالليل؟', 'Sam: تمام'],
  zh: ['Nadia: 我们周四晚上八点开会可以吗?', 'Sam: 好的'],
};

const OTHER_HOUR: Record<string, string[]> = {
  en: ['Nadia: can we talk on Thursday?', 'Sam: Thursday at 12?', 'Nadia: fine but make it 8 am', 'Sam: ok, 8'],
  de: ['Nadia: können wir am Donnerstag reden?', 'Sam: Donnerstag um 12?', 'Nadia: lieber um 8', 'Sam: ok'],
  es: ['Nadia: podemos hablar el jueves?', 'Sam: el jueves a las 12?', 'Nadia: mejor a las 8', 'Sam: vale'],
  ru: ['Nadia: можем созвониться в четверг?', 'Sam: в четверг в 12?', 'Nadia: лучше в 8', 'Sam: ок'],
};

/** Of the afternoon, and in other digits. */
const ONE_OCLOCK: Record<string, string[]> = {
  en: ['Nadia: can we talk on Thursday?', 'Sam: Thursday at 12?', 'Nadia: ok but make it 1 pm', 'Sam: ok, 1'],
  de: ['Nadia: können wir am Donnerstag reden?', 'Sam: Donnerstag um 12?', 'Nadia: lieber um 1', 'Sam: ok'],
  ar: ['Nadia: نتكلم يوم الخميس؟', 'Sam: الخميس الساعة ١٢؟', 'Nadia: تمام بس خليها ١ الضهر', 'Sam: تمام ١'],
};

describe('the hours of appointments', () => {
  for (const [language, lines] of Object.entries(AT_NOON))
    it(`are at twelve where noon is named, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-19 12:00']);
    });

  for (const [language, lines] of Object.entries(IN_THE_AFTERNOON))
    it(`are in the half of the day that is named beside them, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-19 20:00']);
    });

  for (const [language, lines] of Object.entries(OTHER_HOUR))
    it(`are those of a counter-proposal that names no day, even one that is over today, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-19 08:00']);
    });

  for (const [language, lines] of Object.entries(ONE_OCLOCK))
    it(`move to one o'clock when either side asks for that, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-19 13:00']);
    });

  it('are added by the yes to a request that names the day alone', async () => {
    expect(
      await whens([
        'Nadia: 来週の水曜日に打ち合わせをお願いできますでしょうか。',
        'Sam: はい、朝8時ですね。参加いたします。',
      ]),
    ).to.deep.equal(['2026-11-25 08:00']);
    expect(await whens(['Nadia: Could you phone the bank for me on Thursday?', 'Sam: Yes, at 8:30.'])).to.deep.equal([
      '2026-11-19 08:30',
    ]);
  });

  it('are no hours where afternoons and evenings are named alone', async () => {
    expect(await whens(['Nadia: On peut se voir jeudi après-midi ?', 'Sam: oui'])).to.deep.equal(['2026-11-19']);
    expect(await whens(['Nadia: Spotkamy się w czwartek po południu?', 'Sam: tak'])).to.deep.equal(['2026-11-19']);
    expect(await whens(['Nadia: Podemos falar na quinta à tarde?', 'Sam: pode ser'])).to.deep.equal(['2026-11-19']);
  });
});
