import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';

type Said = [from: 'user' | 'contact', text: string];
/** What is said on Wednesday, 28 October 2026 at nine, and the items that it leaves: owner, text, day. */
type Row = [language: string, said: Said[], items: [owner: string, text: string, day: string | null][]];

const GREETINGS: Record<string, string> = {
  de: 'Guten Tag, wir haben über die Lieferung von Stoff für Ihren Laden gesprochen',
  es: 'Buenos días, hablábamos del pedido de tela para su tienda',
  ru: 'Добрый день! Мы говорили о поставке ткани для вашего магазина',
  uk: 'Добрий день! Ми говорили про постачання тканини для вашого магазину',
  pl: 'Dzień dobry! Rozmawialiśmy o dostawie materiału do waszego sklepu',
};

const us = (text: string): Said => ['user', text];
const them = (text: string): Said => ['contact', text];

const ROWS: Row[] = [
  [
    'de',
    [us('Soll ich Ihnen die Preisliste schicken?'), them('ja bitte')],
    [['user', 'Nora die Preisliste schicken', null]],
  ],
  ['es', [us('¿Quiere que le mande el presupuesto?'), them('sí por favor')], [['user', 'Mandar el presupuesto', null]]],
  ['ru', [us('Прислать вам каталог?'), them('Присылайте')], [['user', 'Прислать каталог', null]]],
  ['ru', [us('Давайте мы вычтем 9000 из счёта?'), them('Вычитайте.')], [['user', 'Вычесть 9000 из счёта', null]]],
  ['pl', [us('Mam wysłać umowę?'), them('tak')], [['user', 'Wysłać umowę', null]]],
  [
    'ru',
    [them('могу собрать плейлист для гостей'), us('К 11-му реально?'), them('даа')],
    [['contact', 'Собрать плейлист для гостей', '2026-11-11']],
  ],
  [
    'pl',
    [them('zrobimy to na gwarancji'), us('Kiedy?'), them('wtorek 9 rano'), us('Środa po 11?'), them('środa 11:30')],
    [['contact', 'Zrobić na gwarancji', '2026-11-04']],
  ],
  ['ru', [us('Тогда вторник, 19:30?'), them('+')], [['user', 'Встреча (Nora): «Тогда вторник, 19:30?»', '2026-11-03']]],
  [
    'de',
    [
      us('Um die Muster kümmern wir uns, reicht das nächste Woche?'),
      them('Mittwoch wäre gut'),
      us('Donnerstag haben Sie sie.'),
    ],
    [['user', 'Jan: „Donnerstag haben Sie sie.“', '2026-11-05']],
  ],
  [
    'de',
    [us('Und am Montag möchte ich schriftlich sehen, woran es lag'), them('Bekommen Sie.')],
    [['contact', 'Jan: „Und am Montag möchte ich schriftlich sehen, woran es lag“', '2026-11-02']],
  ],
  [
    'de',
    [us('Können Sie bis Freitag die Maße schicken?'), them('Schaffe ich erst Montag')],
    [['contact', 'Montag die Maße schicken', '2026-11-02']],
  ],
  [
    'es',
    [us('¿Me puedes mandar las medidas el jueves?'), them('Mejor el viernes')],
    [['contact', 'Mandar las medidas el viernes', '2026-10-30']],
  ],
  [
    'de',
    [us('Wann bekomme ich die Rechnung?'), them('Spätestens am 5.')],
    [['contact', 'Jan: „Wann bekomme ich die Rechnung?“', '2026-11-05']],
  ],
  [
    'pl',
    [us('Kiedy dostanę fakturę?'), them('do piątku')],
    [['contact', 'Jan: „Kiedy dostanę fakturę?”', '2026-10-30']],
  ],
  ['ru', [us('Когда ждать счёт?'), them('до пятницы')], [['contact', 'Jan: «Когда ждать счёт?»', '2026-10-30']]],
  ['pl', [us('Podam wymiary do 15.11')], [['user', 'Podać wymiary do 15.11', '2026-11-15']]],
  [
    'pl',
    [them('jutro o 8 jestem u pana z próbkami')],
    [['contact', 'Nora: „Jutro o 8 jestem u pana z próbkami”', '2026-10-29']],
  ],
  [
    'de',
    [us('Ich sorge dafür, dass morgen jemand da ist')],
    [['user', 'Dafür sorgen, dass morgen jemand da ist', '2026-10-29']],
  ],
  [
    'de',
    [them('ich unterschreib den morgen früh und werf ihn ein')],
    [['contact', 'Nora: „Ich unterschreib den morgen früh und werf ihn ein“', '2026-10-29']],
  ],
  ['de', [us('ich prüfe morgen ob der Server läuft')], [['user', 'Morgen prüfen, ob der Server läuft', '2026-10-29']]],
  [
    'de',
    [us('Ich prüfe, ob wir eine Senkung beantragen können.')],
    [['user', 'Jan: „Ich prüfe, ob wir eine Senkung beantragen können.“', null]],
  ],
  ['de', [them('Mittwoch bis Freitag bin ich auf Messe')], []],
  ['de', [them('zeigt aber nur 5 Grad')], []],
  ['de', [them('ich zahle das am we per Paypal')], [['contact', 'Das am we per Paypal zahlen', '2026-11-01']]],
  [
    'de',
    [them('Montag der 2. passt, da bring ich die Muster mit')],
    [['contact', 'Die Muster mitbringen', '2026-11-02']],
  ],
  ['de', [them('sowas les ich gern')], []],
  ['es', [them('déjeme consultarlo con contabilidad')], [['contact', 'Consultarlo con contabilidad', null]]],
  ['es', [us('deme un minuto')], []],
  ['ru', [them('скажу прямо, цена высокая')], []],
  ['uk', [them('дайте годину, подивлюсь')], []],
  ['uk', [them('у четвер викладаємо каталог')], [['contact', 'Викласти каталог у четвер', '2026-10-29']]],
  ['pl', [them('w piątek wysyłamy próbki')], [['contact', 'Wysłać próbki w piątek', '2026-10-30']]],
  ['ru', [them('завтра еду на склад')], [['contact', 'Поехать на склад', '2026-10-29']]],
];

async function read([language, said]: Row) {
  const talk: Said[] = [['contact', GREETINGS[language] ?? ''], ...said];
  return createBuiltInSummarizer().summarize({
    peerName: 'Nora',
    userName: 'Jan',
    isGroup: false,
    style: 'BUSINESS',
    timezone: 'UTC',
    messages: talk.map(([from, text], id) => ({
      id,
      sentAt: new Date(Date.UTC(2026, 9, 28, 9, id)),
      fromUser: from === 'user',
      senderName: from === 'user' ? 'Jan' : 'Nora',
      text,
      forwarded: false,
    })),
  });
}

describe('the built-in summarizer on what is settled in turn', () => {
  for (const row of ROWS) {
    const [, said, items] = row;
    it(`${items.length > 0 ? 'leaves to do' : 'leaves nothing to do'} after "${said.map(([, text]) => text).join(' – ')}"`, async () => {
      const { structured } = await read(row);
      expect(structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate])).to.deep.equal(items);
    });
  }

  it('inflects a day that was named later as its sentence requires', async () => {
    const { summary } = await read(['pl', [them('zrobimy to na gwarancji'), us('Kiedy?'), them('środa 11:30')], []]);
    expect(summary).to.include('Nora zrobi na gwarancji w środę');
  });
});
