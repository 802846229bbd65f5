import { expect } from 'chai';
import { writeNumbersInDigits } from '../../../src/clients/summarizer/languages/numbers.ts';
import { saysNews } from '../../../src/clients/summarizer/languages/words.ts';
import type { ActionItem, SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { digestOf } from '../../support/ai/model.ts';
import { eachAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const ITEM = { text: 'Do it', owner: 'user', ownerName: null as string | null, dueText: null, dueDate: null, lines: [1] };
type Item = Omit<typeof ITEM, 'dueText' | 'dueDate'> & { dueText: string | null; dueDate: string | null };

describe('What a model says of a conversation', () => {
  const service = eachAiService();

  async function itemOf(lines: string[], item: Partial<Item>, change: Partial<SummaryRequest> = {}) {
    service.ai.script(() => digestOf('A day.', [{ ...ITEM, ...item }]));
    const { structured } = await service.summarizer.summarize(conversation(lines, change));
    return structured.actionItems[0] as ActionItem;
  }

  async function sentencesOf(lines: string[], texts: string[], change: Partial<SummaryRequest> = {}) {
    const summary = texts.map(text => ({ text, lines: lines.map((_, at) => at + 1) }));
    service.ai.script(() => digestOf('', [], { summary }));
    const { sentences = [] } = await service.summarizer.summarize(conversation(lines, change));
    return sentences.map(({ text }) => text);
  }

  const TALK = [
    'Ms Ebner: Guten Tag Sam, can we sign the dpa this week? We meet in IE, the price is 1.350 usd net.',
    'Sam: Yes, see you on teams. 20% at order, Frau Perrone pays the rest by Friday at 17.30',
  ];
  const founded = [
    'Ms Ebner wants to sign the Data Processing Agreement.',
    'Ms Ebner wants to sign the Declaration of a Privacy Agreement.',
    'The price is $1,350 net, 20 percent at order.',
    'They see each other on Microsoft Teams.',
    'Dott.ssa Perrone pays the rest by 20 November.',
    'On 17 November the price was 1350 USD.',
  ];
  const invented = [
    'The price is €1,350 net.',
    'Ms Ebner threatened to sue.',
    'Ms Ebner meets them in Iceland to sign.',
    'Ms Ebner signs with Viktor Perrone.',
    'Frau Perrone pays the rest by Monday.',
    'Frau Perrone pays the rest at 16:45.',
  ];
  it('takes a compound for what its last word says, and a short form of a thousand for it', async () => {
    const item = await itemOf(['Sam: bei der rechnung für okt gibt es ein problem'], {
      text: 'Die Oktoberrechnung schicken',
    });
    expect(item.text).to.equal('Die Oktoberrechnung schicken');
    const text = 'Мастер просит за ремонт 34 тысячи.';
    expect(await sentencesOf(['Sam: мастер говорит что ремонт 34 тыр и неделя'], [text])).to.deep.equal([text]);
  });
  it('rests on the message that says until when, though another has its words', async () => {
    const lines = ['Eve: can the team have the bonus of december?', 'Sam: no', 'Eve: ok, telling them on Monday'];
    const item = { text: 'Tell the team about the bonus', owner: 'contact', ownerName: 'Eve', lines: [2, 3] };
    const { sourceMessageIds, dueDate } = await itemOf(lines, { ...item, dueText: 'Monday', dueDate: '2026-11-23' });
    expect({ sources: sourceMessageIds.length, dueDate }).to.deep.equal({ sources: 2, dueDate: '2026-11-23' });
  });

  it('is due on the day that a message names with its number, whatever else its words may be', async () => {
    const lines = ['Sam: they say the day before, Friday 27, from 6pm', 'Sam: Friday 6pm is late, 7pm rather?'];
    const item = { text: 'Open the hall for Sam', lines: [1, 2], dueText: 'Friday 6pm, 7pm rather' };
    expect((await itemOf(lines, { ...item, dueDate: '2026-11-27' })).dueDate).to.equal('2026-11-27');
  });

  it('is due on no day that words look like in another message, and on no number that counts something', async () => {
    const due = async (line: string, dueText: string, dueDate: string) =>
      (await itemOf([line], { text: 'Count them', dueText, dueDate })).dueDate;
    expect(await due('Sam: I sat with the 12 boxes for ages, count them?', 'sat', '2026-11-21')).to.equal(null);
    expect(await due('Sam: I sat with the 12 boxes for ages, count them?', '12', '2026-12-12')).to.equal(null);
    expect(await due('Sam: proszę policzyć je do 28', 'do 28', '2026-11-28')).to.equal('2026-11-28');
    const thursday = 'Tu rapportes le jeu jeudi.';
    expect(await sentencesOf(['Sam: le jeu de cartes est à moi, tu le rapportes ?'], [thursday])).to.not.include(thursday);
  });

  it('asks in a group for no sum that only another message says, about something else', async () => {
    const lines = ['Eve: the festival cost 48,300 euros', 'Tom: Sam, please pay the deposit', 'Tom: it is 900 euros'];
    const textOf = async (text: string) => (await itemOf(lines, { text, lines: [2, 3] }, { isGroup: true })).text;
    expect(await textOf('Pay the deposit of 900 euros')).to.equal('Pay the deposit of 900 euros');
    expect(await textOf('Pay the deposit of 48,300 euros')).to.equal('Sam, please pay the deposit');
  });

  it('names in a group no day that is said only far from what it cites, about something else', async () => {
    const question = 'Tom: the university asks which invoice is valid';
    const lines = ['Eve: the hotel takes its order on Friday', 'Tom: great', 'Ann: ok', question, 'Tom: two came by mail'];
    const textOf = async (text: string, cited: number[]) =>
      (await itemOf(lines, { text, lines: cited }, { isGroup: true })).text;
    const [right, wrong] = ['Bring the hotel its order on 20 Nov', 'Say which invoice is valid by 20 Nov'];
    expect(await textOf(right, [2, 3])).to.equal(right);
    expect(await textOf(wrong, [4, 5])).to.equal('the university asks which invoice is valid');
    const summary = [{ text: 'The university asks and wants to know it by 20 Nov.', lines: [4, 5] }];
    const order = { ...ITEM, text: right, dueText: 'on Friday', dueDate: '2026-11-20' };
    service.ai.script(() => digestOf('', [order], { summary }));
    const { sentences, structured } = await service.summarizer.summarize(conversation(lines, { isGroup: true }));
    expect(structured.actionItems.map(({ dueDate }) => dueDate)).to.deep.equal(['2026-11-20']);
    expect(sentences?.map(({ text }) => text).join(' ')).not.to.include('20 Nov');
  });

  it('counts in words only what nobody has counted, and knows the number of a day beside an hour', async () => {
    const lines = ['Carrie: one crate is bruised at the bottom', 'Carrie: send the sheet tomorrow by noon'];
    const counted = 'Two things are open, and a crate is bruised.';
    expect(await sentencesOf(lines, [counted])).to.deep.equal([counted]);
    expect(await sentencesOf(lines, ['3 crates are bruised.'])).not.to.include('3 crates are bruised.');
    const noon = 'The sheet is due by noon of 18 Nov.';
    expect(await sentencesOf(lines, [noon])).to.deep.equal([noon]);
  });

  it('is as great news as the messages are, whatever the model makes of them', async () => {
    const newsOf = async (line: string) => {
      service.ai.script(() => digestOf('A day.', [], { urgency: 'high' }));
      return (await service.summarizer.summarize(conversation([line]))).structured.news;
    };
    expect(saysNews('Le devis est signé et payé', 'fr')).to.equal(true);
    expect(await newsOf('Eve: The contract is signed!')).to.be.above((await newsOf('Eve: Lovely weather today')) ?? 0);
  });

  /** All of them were said on Tuesday, 17 November. */
  const dated = [
    ['Сам: метки садятся за 9 месяцев', 'С 17 ноя метки садятся за 9 месяцев.', 'С 18 ноя метки садятся за 9 месяцев.'],
    ['Sam: perdemos uma carga', 'Desde 17 nov vocês falam da carga.', 'Desde 18 nov vocês falam da carga.'],
    ['Sam: zamówienie się opóźnia', 'Od 17 lis zamówienie się opóźnia.', 'Od 18 lis zamówienie się opóźnia.'],
    ['סם: אנחנו מדברים על מחירים', 'מאז 17 בנוב׳ מדברים על מחירים.', 'מאז 18 בנוב׳ מדברים על מחירים.'],
    ['Eve: who pays the pallets of last Wednesday?', 'Who pays the pallets of 11 Nov?', 'Who pays the pallets of 12 Nov?'],
    ['Eve: dock A on the 23rd, dock B on the 30th', 'Dock B is on 30 Nov.', 'Dock B is on 29 Nov.'],
    ['Inês: combinado, a partir de dia 1', 'Combinaram a partir de 1 dez.', 'Combinaram a partir de 2 dez.'],
    ['Zé: eles vêm quinta', 'Eles vêm no dia 19 de nov.', 'Eles vêm no dia 20 de nov.'],
    ['Нина: он согласен, завезут в пт', 'Он согласен на две части 20 ноября.', 'Он согласен на две части 21 ноября.'],
    ['Eve: la soirée du 28, et le reste samedi', 'Le reste se fait le 28 nov.', 'Le reste se fait le 27 nov.'],
  ];
  for (const [line = '', founded = '', invented = ''] of dated)
    it(`may give the date of a day that was named in other words: ${founded}`, async () => {
      const [first, second, ...others] = await sentencesOf([line], [founded, invented]);
      expect({ first, others }).to.deep.equal({ first: founded, others: [] });
      expect(second).to.not.equal(invented);
    });

  it('may have more than two dates', async () => {
    const { messages } = conversation(['Eve: the photo on Sunday, Dex sends it on Monday, we print on Thursday']);
    const sentAt = new Date('2026-11-06T08:00:00Z');
    const change = { messages: messages.map(message => ({ ...message, sentAt })) };
    const text = 'The photo is for 8 Nov, Dex sends it on 9 Nov, you print on 12 Nov.';
    expect(await sentencesOf(['Eve: x'], [text], change)).to.deep.equal([text]);
  });

  it('may be polite in capitals, and have a number behind a wide mark', async () => {
    const polite = 'Na Twoją prośbę biorą transport na siebie.';
    expect(await sentencesOf(['Sam: transport bierzemy na siebie'], [polite])).to.deep.equal([polite]);
    const wide = '新版PCB:5000片。';
    expect(await sentencesOf(['Sam: 新版PCB报价:5000片'], [wide])).to.deep.equal([wide]);
    const hidden = 'Confirmer sur localhost:colis et colis-vol,com.';
    expect(await sentencesOf(['Sam: merci de confirmer la livraison'], [hidden])).to.not.include(hidden);
  });

  it('has no length of time and no street that nobody named', async () => {
    const lines = ['Роман: проверка прошла без замечаний, акт на руках', 'Sam: отлично, завтра света нет с 10 до 14'];
    const long = 'Проверка прошла без замечаний за 2 часа.';
    const street = 'Проверка прошла на ул. Шевченко, 14.';
    const counted = 'Проверка прошла без замечаний, два вопроса закрыты.';
    expect(await sentencesOf(lines, [long, street, counted]))
      .to.include(counted)
      .and.not.include.members([long, street]);
    for (const text of [long, street]) expect(await sentencesOf(lines, [text])).to.not.include(text);
  });

  it('takes an hour after a date for an hour', async () => {
    const text = 'They meet on Thursday, 19 November, at 7 o’clock.';
    expect(await sentencesOf(['Sam: Thursday at 7 o’clock then, the two of us'], [text])).to.deep.equal([text]);
  });
  it('may give the date of a weekday that was named, also where something is due before it, and no other date', async () => {
    const lines = ['Eve: antes del viernes te mando el informe', 'Sam: perfecto, gracias'];
    const dated = [20, 21].map(day => `Eve manda el informe antes del ${day} nov.`);
    expect(await sentencesOf(lines, dated))
      .to.include(dated[0])
      .and.not.include(dated[1]);
  });
  for (const text of founded)
    it(`stays where the messages hold it: ${text}`, async () => {
      expect(await sentencesOf(TALK, [text])).to.deep.equal([text]);
    });
  it('has the sum that several number words make', async () => {
    const lines = [
      'Eve: the budget is two hundred thousand euros',
      'Sam: and three hundred and fifty for the trip, 16.1k EUR for the hall',
    ];
    for (const text of ['The budget is €200,000.', 'The trip is €350.', 'The hall is €16,100.'])
      expect(await sentencesOf(lines, [text])).to.deep.equal([text]);
    for (const text of ['The budget is €200.', 'The trip is €300.', 'The hall is €2.'])
      expect(await sentencesOf(lines, [text])).to.not.include(text);
  });

  it('reads number words as numbers are said, and none into each other', () => {
    for (const [language, text, numbers] of [
      ['en', 'two thousand three hundred and fifty', '2350'],
      ['en', 'one hundred and fifty thousand', 'one 150000'],
      ['en', 'between two hundred and three hundred euros', 'between 200 300 euros'],
      ['en', 'five thousand-six thousand', '5000 6000'],
      ['en', 'two five, and nine thousand', '2 5, and 9000'],
      ['en', 'a grand hotel with hundreds of rooms', 'a grand hotel with hundreds of rooms'],
      ['es', 'de dos mil a tres mil, treinta y cinco mil', 'de 2000 a 3000, 35000'],
      ['fr', 'quatre-vingt mille, cent cinquante mille', '80000, 150000'],
      ['de', 'zweihunderttausend', '200000'],
      ['ru', 'сто пятьдесят тысяч', '150000'],
      ['ru', 'оплачу 500 к пятнице, пять к среде и 2к сразу', 'оплачу 500 к пятнице, 5 к среде и 2000 сразу'],
    ] as const)
      expect(writeNumbersInDigits(text, language).replaceAll(/ +/g, ' ').trim(), text).to.equal(numbers);
  });

  for (const text of invented)
    it(`is replaced by the messages it cites where they don’t: ${text}`, async () => {
      const sentences = await sentencesOf(TALK, [text]);
      expect(sentences).to.not.include(text);
      expect(sentences[0]).to.match(/^(?:Ms Ebner|Sam): “/);
    });

  it('is not a number in words, in whichever language, that a word of the messages is in another', async () => {
    const lines = ['Eve: Ich bin morgen da, schick mir bitte das Angebot für die Halle', 'Sam: bin dabei, mache ich'];
    for (const text of ['Das Angebot ist über neuntausend Euro.', 'Das Angebot ist über nine thousand Euro.'])
      expect(await sentencesOf(lines, [text])).to.not.include(text);
  });

  it('is not what shares no more with the messages than a name that they call', async () => {
    const lines = ['Salcedo: Mando el informe mañana por la tarde', 'Sam: muchas gracias Salcedo, lo leo en cuanto pueda'];
    expect(await sentencesOf(lines, ['Salcedo amenaza con presentar una demanda por los daños.'])).to.not.include(
      'Salcedo amenaza con presentar una demanda por los daños.',
    );
    expect(await sentencesOf(lines, ['Salcedo envía el informe.'])).to.deep.equal(['Salcedo envía el informe.']);
  });

  /** Tuesday, 17 November 2026, from 09:00. */
  const days: [what: string, lines: string[], item: Partial<Item>, due: (string | null | undefined)[]][] = [
    [
      'of another line where one names only an hour',
      ['Eve: пт 14:15 подойдёт, чтобы подписать договор?', 'Sam: да, 14:15 договорились'],
      { lines: [1, 2], dueText: '14:15', dueDate: '2026-11-20' },
      ['2026-11-20', '14:15'],
    ],
    [
      'the present one where the weekday is the present one and the model says so',
      ["Eve: Tuesday's lesson is cancelled, please tell the others"],
      { dueText: 'Tuesday', dueDate: '2026-11-17' },
      ['2026-11-17', null],
    ],
    [
      'the coming one, not one that is over',
      ['Eve: Meeting on Wed then?'],
      { dueText: 'Wed', dueDate: '2026-11-11' },
      ['2026-11-18', null],
    ],
    [
      'that of the next line where the one before is cited',
      ['Eve: I need the contract and the mails', 'Sam: I look for them tomorrow, they are in the garage'],
      { dueText: 'tomorrow', dueDate: '2026-11-18' },
      ['2026-11-18', null],
    ],
    [
      'the Friday that they speak of',
      ['Eve: the day before, Friday 27?', 'Sam: ok', 'Eve: and where do we park on Friday?'],
      { lines: [3], dueText: 'on Friday', dueDate: '2026-11-27' },
      ['2026-11-27', null],
    ],
    [
      'not one that no one named',
      ['Eve: Please send the offer by Friday'],
      { dueText: null, dueDate: '2026-11-25' },
      ['2026-11-20', null],
    ],
  ];
  for (const [what, lines, item, due] of days)
    it(`is due on ${what}`, async () => {
      const { dueDate, dueTime = null, dueText } = await itemOf(lines, item);
      expect([dueDate, dueTime]).to.deep.equal(due);
      if (item.dueText && item.dueText !== 'by Friday') expect(dueText).to.equal(item.dueText);
    });

  it('is replaced by the words that name its day rather than by those that only name its person', async () => {
    const lines = ['Hanna: Hast du Mittwoch Zeit?', 'Sam: Hanna! Glückwunsch. Mittwoch um 11 passt, ich ruf dich an'];
    const item = { text: 'Hanna telefonisch kontaktieren', dueText: 'Mittwoch um 11', lines: [2] };
    expect((await itemOf(lines, item)).text).to.match(/^Mittwoch um 11 passt/);
  });

  const owners: [
    name: string | null,
    owner: string,
    lines: string[],
    isGroup: boolean,
    expected: [string, string | null],
  ][] = [
    ['Mrs Harcombe', 'contact', ['Judith Harcombe: I will send the list', 'Tom: ok'], true, ['contact', 'Judith']],
    ['Nobody Known', 'contact', ['Tom: I will send the list', 'Eve: ok'], true, ['contact', null]],
    ['Nobody Known', 'user', ['Sam: I will send the list', 'Eve: ok'], true, ['user', 'Sam']],
    [null, 'unknown', ['Eve: somebody should send the list'], true, ['unknown', null]],
  ];
  for (const [name, owner, lines, isGroup, expected] of owners)
    it(`is owed by whoever is meant by “${name}” of the ${owner}, in ${isGroup ? 'a group' : 'a chat'} with ${lines[0]}`, async () => {
      const found = await itemOf(lines, { owner, ownerName: name, text: lines[0]?.split(': ')[1] ?? '' }, { isGroup });
      expect([found.owner, found.ownerName]).to.deep.equal(expected);
    });

  it('is a thing to do of its own in the same words where another person owes it, or on another day', async () => {
    const lines = ['Eve: I will send the list on Friday', 'Sam: I will send the list on Friday, and again on Monday'];
    const mine = { ...ITEM, text: 'Send the list', lines: [2], dueText: 'on Friday', dueDate: '2026-11-20' };
    const later = { ...mine, dueText: 'on Monday', dueDate: '2026-11-23' };
    const theirs = { ...mine, owner: 'contact', lines: [1] };
    service.ai.script(() => digestOf('A day.', [theirs, mine, later, theirs]));
    const { structured } = await service.summarizer.summarize(conversation(lines));
    const found = structured.actionItems.map(({ owner, dueDate }) => `${owner} ${dueDate}`);
    expect(found).to.deep.equal(['contact 2026-11-20', 'user 2026-11-20', 'user 2026-11-23']);
  });

  it('keeps in a group the request, the proposal and the answer that it cites, and no bystander', async () => {
    const lines = [
      'Eve: Telekom technician comes on Wednesday, someone has to open the door',
      'Marco: I am in the house on Wednesday and open the door',
      'Priya: lovely weather, and good luck',
    ];
    const item = { text: 'Open the door for the technician', owner: 'contact', ownerName: 'Marco', lines: [1, 2, 3] };
    expect((await itemOf(lines, item, { isGroup: true })).sourceMessageIds).to.deep.equal(['1', '2']);
  });
});
