import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';

type Said = [from: 'user' | 'contact', text: string];
/** What is said on Wednesday, 28 October 2026 at nine, and the items that it leaves: owner, text, day. */
type Row = [said: Said[], items: [owner: string, text: string, day: string | null][]];

const GREETINGS: Record<string, string> = {
  ru: 'Добрый день! Мы говорили о поставке ткани для вашего магазина',
  uk: 'Добрий день! Ми говорили про постачання тканини для вашого магазину',
  pl: 'Dzień dobry! Rozmawialiśmy o dostawie materiału do waszego sklepu',
};

const one = (text: string): Said[] => [['contact', text]];

const RUSSIAN: Row[] = [
  [one('договор скину сегодня вечером'), [['contact', 'Скинуть договор сегодня вечером', '2026-10-28']]],
  [one('счёт выставлю завтра до обеда'), [['contact', 'Выставить счёт завтра до обеда', '2026-10-29']]],
  [one('Пришлите, пожалуйста, реквизиты до пятницы'), [['user', 'Прислать реквизиты до пятницы', '2026-10-30']]],
  [one('скиньте плз акт сверки'), [['user', 'Скинуть акт сверки', null]]],
  [one('вышлю КП в пн'), [['contact', 'Выслать КП в пн', '2026-11-02']]],
  [one('пришлем образцы на следующей неделе'), [['contact', 'Прислать образцы на следующей неделе', '2026-11-06']]],
  [one('посмотрю и отпишусь завтра утром'), [['contact', 'Посмотреть и отписаться завтра утром', '2026-10-29']]],
  [one('а когда пришлёте макеты?'), [['user', 'Прислать макеты', null]]],
  [one('Не забудьте оплатить хостинг до 30-го'), [['user', 'Оплатить хостинг до 30-го', '2026-10-30']]],
  [one('к 15 числу подготовим новую версию'), [['contact', 'Подготовить новую версию к 15 числу', '2026-11-15']]],
  [one('вам нужно заполнить анкету до конца недели'), [['user', 'Заполнить анкету до конца недели', '2026-10-30']]],
  [one('нам надо сдать отчёт до пятницы'), [['contact', 'Сдать отчёт до пятницы', '2026-10-30']]],
  [one('нужен счёт до пятницы'), [['user', 'Ирина: «Нужен счёт до пятницы»', '2026-10-30']]],
  [one('у меня вопрос по договору, перезвоните пожалуйста'), [['user', 'Перезвонить', null]]],
  [one('ща скину'), []],
  [one('как-нибудь созвонимся'), []],
  [one('если что пишите'), []],
  [one('мы не сможем оплатить в этом месяце'), []],
  [one('надо бы встретиться обсудить'), []],
  [one('отправил вам документы'), []],
  [
    [
      ['user', 'пришлите договор пожалуйста'],
      ['contact', 'ок, завтра пришлю'],
    ],
    [['contact', 'Прислать договор', '2026-10-29']],
  ],
  [
    [
      ['user', 'пришлите договор пожалуйста'],
      ['contact', 'отправила на почту'],
    ],
    [],
  ],
];

const UKRAINIAN: Row[] = [
  [one('договір скину сьогодні ввечері'), [['contact', 'Скинути договір сьогодні ввечері', '2026-10-28']]],
  [one("Надішліть, будь ласка, реквізити до п'ятниці"), [['user', "Надіслати реквізити до п'ятниці", '2026-10-30']]],
  [one('підпишу і відправлю скан завтра'), [['contact', 'Підписати і відправити скан', '2026-10-29']]],
  [one('а коли надішлете макети?'), [['user', 'Надіслати макети', null]]],
  [one('перевірте будь ласка пошту'), [['user', 'Перевірити пошту', null]]],
  [one('оплатимо рахунок до кінця місяця'), [['contact', 'Оплатити рахунок до кінця місяця', '2026-10-31']]],
  [one('зараз скину'), []],
  [one('якось зустрінемось'), []],
  [one('не зможемо оплатити цього місяця'), []],
];

const POLISH: Row[] = [
  [one('umowę podeślę dziś wieczorem'), [['contact', 'Podesłać umowę dziś wieczorem', '2026-10-28']]],
  [one('wysle oferte w poniedzialek'), [['contact', 'Wysłać ofertę w poniedzialek', '2026-11-02']]],
  [one('sprawdzę i odpiszę jutro rano'), [['contact', 'Sprawdzić i odpisać jutro rano', '2026-10-29']]],
  [one('a kiedy wyślecie projekty?'), [['user', 'Wysłać projekty', null]]],
  [one('czy może pani sprawdzić pocztę?'), [['user', 'Sprawdzić pocztę', null]]],
  [one('musi pan wypełnić ankietę do końca tygodnia'), [['user', 'Wypełnić ankietę do końca tygodnia', '2026-10-30']]],
  [one('już wysyłam'), []],
  [one('nie zapłacimy w tym miesiącu'), []],
  [one('przesłałem panu dokumenty'), []],
];

async function read(language: string, said: Said[]) {
  const talk: Said[] = [['contact', GREETINGS[language] ?? ''], ...said];
  return createBuiltInSummarizer().summarize({
    peerName: 'Ирина Лазунова',
    userName: 'Anna Wolska',
    isGroup: false,
    style: 'BUSINESS',
    timezone: 'UTC',
    messages: talk.map(([from, text], id) => ({
      id,
      sentAt: new Date('2026-10-28T09:00:00Z'),
      fromUser: from === 'user',
      senderName: from === 'user' ? 'Anna Wolska' : 'Ирина Лазунова',
      text,
      forwarded: false,
    })),
  });
}

describe('the built-in summarizer in Slavic languages', () => {
  for (const [language, rows] of Object.entries({ ru: RUSSIAN, uk: UKRAINIAN, pl: POLISH })) {
    for (const [said, items] of rows) {
      it(`${items.length > 0 ? 'leaves to do' : 'leaves nothing to do'} after "${said.map(([, text]) => text).join(' – ')}"`, async () => {
        const { structured } = await read(language, said);
        const found = structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate]);
        expect(found).to.deep.equal(items);
      });
    }
  }

  it('reports a request in the words of the language', async () => {
    expect((await read('ru', one('Прошу согласовать бюджет до 15 ноября'))).summary).to.include(
      'Ирина просит согласовать бюджет до 15 ноября.',
    );
    expect((await read('pl', one('podeślij proszę protokół'))).summary).to.include('prosi: „Podeślij proszę protokół”');
  });

  it('reports a promise in the third person with the day that came later', async () => {
    const { summary } = await read('ru', [
      ['user', 'пришлите договор пожалуйста'],
      ['contact', 'во вторник пришлю'],
    ]);
    expect(summary).to.include('Ирина пришлёт договор во вторник.');
  });

  it('mistakes neither a day of the month nor a count for an hour', async () => {
    const { structured } = await read('ru', one('к 15 числу подготовим 3 макета'));
    expect(structured.actionItems[0]?.dueTime).to.equal(null);
  });

  it('reads the afternoon from its words', async () => {
    const { structured } = await read('ru', one('заеду к вам завтра в 6 вечера'));
    expect(structured.actionItems[0]?.dueTime).to.equal('18:00');
  });
});
