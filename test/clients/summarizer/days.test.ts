import { expect } from 'chai';
import { findHour, findWhen } from '../../../src/clients/summarizer/days/findWhen.ts';
import { TUESDAY } from './conversations.ts';

/** Said on Tuesday, 17 November 2026, 09:00 in Berlin. A time of '' is none. */
const DAYS: [language: string, text: string, date: string | null, time?: string][] = [
  ['en', 'will send it tomorrow at 5', '2026-11-18', '17:00'],
  ['ru', 'завтра в 8:30 вечера', '2026-11-18', '20:30'],
  ['ar', 'غدا الساعة 8 مساء', '2026-11-18', '20:00'],
  ['pl', 'oddam w piątek, a w poniedziałek zadzwonię', '2026-11-20'],
  ['pl', 'byłem chory od czwartku 5 do poniedziałku 9 listopada', null],
  ['en', 'I activate it the day before Thursday', '2026-11-18'],
  ['en', 'the week is full, and so is Thursday: I call you a day before', null],
  ['tr', '3 martta', '2027-03-03'],
  ['es', 'te mando las 3 facturas de los 2 mayores', null],
  ['tr', 'cumartesi gelirim', '2026-11-21'],
  ['en', 'I can’t tomorrow, next week I send it', '2026-11-27'],
  ['en', 'I send it tomorrow, this week is full', '2026-11-18'],
  ['en', 'Friday the 27th works for me', '2026-11-27'],
  ['pl', 'oddam przed piątkiem', '2026-11-19'],
  ['de', 'Samstag von 9 bis 12 streichen wir den Zaun', '2026-11-21', '09:00'],
  ['es', 'mañana sobre las 10 salimos', '2026-11-18', '10:00'],
  ['en', 'my flight lands tomorrow at 3 at night', '2026-11-18', '03:00'],
  ['de', 'morgen 11:30 mittags', '2026-11-18', '11:30'],
  ['sv', 'vi ses på fredagskvällen', '2026-11-20'],
  ['en', 'please call me tomorrow before 2', '2026-11-18'],
  ['en', 'no pressure washer from 10 cm, the guide comes by tomorrow', '2026-11-18'],
  ['ar', 'خليها الخميس الساعة ١٣:٣٠', '2026-11-19', '13:30'],
  ['en', 'please check it by tomorrow noon', '2026-11-18', '12:00'],
  ['en', 'tuesday then', '2026-11-24'],
  ['en', 'over the weekend', '2026-11-22'],
  ['en', 'we open 24/7', null],
  ['pl', 'zapłacę 24.7.2027', '2027-07-24'],
  ['en', 'this evening', '2026-11-17'],
  ['en', 'dated after the 20th', null],
  ['en', 'by the 31st', '2026-12-31'],
  ['de', 'wir sehen uns vor Ort Freitag um 10', '2026-11-20', '10:00'],
  ['de', 'Guten Morgen! Der Dienst ist frei', null],
  ['de', 'Kapitel 2.12', null],
  ['de', 'am 2.12', '2026-12-02'],
  ['en', 'she sat with us in the sun', null],
  ['es', 'toda la mañana', null],
  ['fr', 'le jeu est sur la mer', null],
  ['fr', 'jeu 19, 14h', '2026-11-19', '14:00'],
  ['pl', 'środki są na koncie', null],
  ['pt', 'a segunda via do seguro do quarto', null],
  ['ru', 'средства пришли, в тестовой среде тоже', null],
  ['ru', 'к среде', '2026-11-18'],
  ['tr', 'pazarlama planı', null],
  ['de', 'um 10.30, am 20.11. ist zu', '2026-11-20'],
  ['en', 'I send you the 1st draft tomorrow', '2026-11-18'],
  ['en', 'the invoice of 3 November I pay tomorrow', '2026-11-18'],
  ['en', 'we met on Friday, 13 November', null],
  ['pt', 'pago dia 25', '2026-11-25'],
  ['uk', 'надішлю середню ціну за четвертий квартал', null],
  ['ar', 'سأرسل الأرقام إلى الجميع لهذا السبب', null],
  ['ru', 'привезу договор в 2 экземплярах', null],
  ['ru', 'с 10 до 12 часов', '2026-11-17', '10:00'],
  ['fr', 'je te renvoie demain les 2 mails pour vendre à 3 clients', '2026-11-18', ''],
  ['en', 'Frida has feedback from 10 customers, maybe 2 are happy', null],
  ['el', 'αύριο το πρωί', '2026-11-18'],
  ['he', 'אשלח מחר', '2026-11-18'],
  ['en', 'the 25th works better than Friday', '2026-11-25'],
  ['en', 'I bring them next Friday', '2026-11-27'],
  ['ru', 'в следующую среду', '2026-11-25'],
  ['fr', 'pas avant lundi', '2026-11-23'],
  ['en', 'I fix it in two weeks', '2026-12-01'],
  ['en', '2400 for two weeks', null],
  ['en', 'at 1,500 we lose money', null],
  ['en', '12 people at 15 each, tomorrow', '2026-11-18', ''],
  ['en', 'between 8 and 10 on Thursday', '2026-11-19', ''],
  ['de', 'die 450 am 1.12.', '2026-12-01', ''],
  ['es', 'mañana a las 5 y media', '2026-11-18', '17:30'],
  ['fr', 'demain à 9h et quart', '2026-11-18', '09:15'],
  ['ja', '明日送ります', '2026-11-18'],
];

describe('Days and hours in words', () => {
  it('put the day first wherever people do', () => {
    const dayIn = (timezone: string) => findWhen('the 3/12/2026', 'en', TUESDAY, timezone)?.date;
    for (const zone of ['America/Santiago', 'America/Mexico_City', 'America/Buenos_Aires', 'Europe/London'])
      expect(dayIn(zone), zone).to.equal('2026-12-03');
    for (const zone of ['America/New_York', 'America/Louisville', 'US/Pacific', 'America/Toronto'])
      expect(dayIn(zone), zone).to.not.equal('2026-12-03');
    expect(findWhen('12/3/2026', 'en', TUESDAY, 'America/New_York')?.date).to.equal('2026-12-03');
  });

  for (const [language, text, date, time = null] of DAYS)
    it(`are read in ${language}: ${text}`, () => {
      const found = findWhen(text, language, TUESDAY, 'Europe/Berlin');
      expect(found?.date ?? null).to.equal(date);
      if (time !== null) expect(found?.time ?? '').to.equal(time);
    });

  it('are counted from the day it is where the user lives, wherever the server is', () => {
    const evening = new Date('2026-11-17T18:30:00Z');
    for (const [language, text] of Object.entries({ zh: '明天下午3点', sv: 'imorgon', en: 'tomorrow' }))
      expect(findWhen(text, language, evening, 'Asia/Shanghai')?.date, text).to.equal('2026-11-19');
  });

  it('have no hour where it is one of another place', () => {
    const hourOf = (text: string, language = 'en') => findWhen(text, language, TUESDAY, 'Europe/Berlin')?.time ?? null;
    expect(hourOf('Tomorrow 16:00 CET?')).to.equal('16:00');
    for (const text of ['Tomorrow 16:00 EST', 'tomorrow at 10:00 Almaty time', 'friday 11, my time'])
      expect(hourOf(text)).to.equal(null);
    expect(hourOf('завтра в 12 по вашему?', 'ru')).to.equal(null);
    expect(hourOf('завтра в 12:00', 'ru')).to.equal('12:00');
    expect(hourOf('11月18日の17時(日本時間)', 'ja')).to.equal(null);
  });

  it('leave an hour without a day to today, as long as it is to come', () => {
    expect(findWhen('call me at 15:00', 'en', TUESDAY, 'Europe/Berlin')).to.include({ date: '2026-11-17', isHour: true });
    expect(findWhen('it was at 08:00', 'en', TUESDAY, 'Europe/Berlin')).to.equal(null);
    expect(findHour('at 3pm', 'en')).to.equal('15:00');
  });
});
