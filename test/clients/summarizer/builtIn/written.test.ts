import { expect } from 'chai';
import { splitSentences } from '../../../../src/clients/summarizer/sentences.ts';
import type { Summary } from '../../../../src/clients/summarizer/types.ts';
import { digestDays } from '../digestDays.ts';

const itemsOf = ({ structured }: Summary) => structured.actionItems.map(({ text, dueDate }) => [text, dueDate]);

describe('What is written in lowercase', () => {
  it('is read sentence by sentence', () => {
    expect(
      splitSentences("i need to ask my boss. he is off until thursday. i'll tell you friday", 'en'),
    ).to.have.length(3);
    expect(splitSentences('there is room for 118. will ask them', 'en')).to.have.length(2);
  });

  it('is not split after abbreviations', () => {
    for (const text of ['we need approx. 40 boxes', 'we need the min. order incl. transport', 'see no. 5 of the list'])
      expect(splitSentences(text, 'en')).to.deep.equal([text]);
  });

  it('leaves to do what the last sentence takes on', async () => {
    const digest = await digestDays([
      '17 Sam: what about 4.20 for 3000 boxes?',
      "17 Ann: i need to ask my boss. he is on holiday until thursday. i'll tell you friday",
    ]);
    expect(itemsOf(digest)).to.deep.equal([['Tell Sam on Friday (“What about 4.20 for 3000 boxes?”)', '2026-11-20']]);
  });

  it('expects no answer to good wishes', async () => {
    const { structured } = await digestDays(['17 Ann: legend. have a great party tonight', '17 Sam: cheers!!']);
    expect([structured.actionItems, structured.urgency]).to.deep.equal([[], 'none']);
  });

  it('is told without its greetings and emoticons', async () => {
    const told = await Promise.all(
      ['hiii Sam we finally picked the printer :(', 'guys we finally picked the printer'].map(text =>
        digestDays([`17 Ann: ${text}`]),
      ),
    );
    expect(told.map(({ summary }) => summary)).to.deep.equal(
      Array(2).fill('Ann says they finally picked the printer.'),
    );
  });

  it('is told without a yes that repeats only its verb', async () => {
    const { summary } = await digestDays(['17 Ann: Yes, I did, but the harbor office lost our permit for the crane.']);
    expect(summary).to.equal('Ann says the harbor office lost their permit for the crane.');
  });

  it('is asked in correct word order', async () => {
    const { summary } = await digestDays(['17 Ann: Do you know how can I reach the driver of the crane in Leeds?']);
    expect(summary).to.include('asks Sam how Ann can reach the driver of the crane');
  });
});

describe('A day that is agreed on', () => {
  it('is told with what was proposed, and not with how it was accepted', async () => {
    const digest = await digestDays([
      '17 Sam: would you be free for a first interview next tuesday 10am?',
      '17 Ann: tuesday 10 works for me',
    ]);
    expect(itemsOf(digest)).to.deep.equal([
      ['Appointment with Ann: “Would you be free for a first interview next tuesday 10am?”', '2026-11-24'],
    ]);
  });

  it('is told with the day that was proposed at first', async () => {
    const { summary } = await digestDays([
      "17 Ann: About the budget review. Let's speak Thursday the 26th, 16:00?",
      '17 Sam: 26th 16:00 works',
      '17 Ann: Sorry, my partner is away on the 26th. Friday the 27th, same time?',
      '17 Sam: friday it is',
    ]);
    expect(summary).to.include('agree on Friday 27 November at 16:00 (at first: “');
  });

  it('is none while someone has to check first', async () => {
    const digest = await digestDays([
      '17 Sam: could you do the 25th or the 26th?',
      '17 Ann: the 26th could work. but I have to check with my assistant, will confirm by tomorrow',
      '17 Sam: perfect, pencilled in',
    ]);
    expect(digest.summary).not.to.include('agree on');
    expect(itemsOf(digest)).to.deep.equal([['Check with their assistant', '2026-11-18']]);
  });

  it('is the due day of what was asked for, when its doer suggests it', async () => {
    const digest = await digestDays([
      '17 Ann: I also need the side letter from 2024',
      '17 Sam: have to dig it out of old mails. over the weekend ok?',
      '17 Ann: Fine',
    ]);
    expect(itemsOf(digest)).to.deep.equal([['Give Ann the side letter from 2024', '2026-11-22']]);
    expect(digest.summary).not.to.include('agree on');
  });
});

describe('A summary', () => {
  it('does not tell a part as the whole', async () => {
    const { summary } = await digestDays([
      '17 Ann: can i pay 200 now and the rest on the 30th? cash is tight',
      '17 Sam: ok but not later',
      '17 Ann: thanks. sent 200',
    ]);
    expect(summary).not.to.include('and the rest.');
  });

  it('ends what it quotes with a full stop', async () => {
    const { summary } = await digestDays([
      '17 Sam: how many cranes can you handle in May?',
      '17 Ann: 9 easy',
      '17 Ann: I will send the lease on Friday',
    ]);
    expect(summary).to.include('“9 easy.” Ann will');
    const german = await digestDays([
      '17 Ann: Texte fehlen noch von euch',
      '17 Sam: kriegst du bis Freitag von mir, versprochen',
    ]);
    expect(german.summary).to.equal(
      'Ann: „Texte fehlen noch von euch“. Sam antwortet: „Kriegst du bis Freitag von mir, versprochen“.',
    );
  });

  it('keeps a question that is phrased as a request as one to answer', async () => {
    const digest = await digestDays(['17 Ann: Can you tell me when the crane arrives?']);
    expect(itemsOf(digest)).to.deep.equal([['Answer Ann: “Can you tell me when the crane arrives?”', null]]);
  });

  it('quotes nothing beside a task that it tells in a sentence of its own', async () => {
    const { summary } = await digestDays([
      '17 Sam: one receipt is in my jacket at home, photo coming tonight',
      "17 Ann: Good. Once I have everything I'll file on Thursday",
    ]);
    expect(summary.match(/jacket/g)).to.have.length(1);
  });

  it('leaves nothing to do of what was announced once it has arrived', async () => {
    const { structured } = await digestDays([
      '17 Sam: can you text me when the boxes are in pls',
      "17 Ann: will do, and i'll open the gate",
      "17 Ann: they're here 🌸 gate's open, all unloaded",
    ]);
    expect(structured.actionItems).to.deep.equal([]);
  });

  it('does not take a question about the status for a proposal', async () => {
    const digest = await digestDays(['17 Ann: is the fair on the 26th confirmed?', '17 Sam: yes!! 100% confirmed']);
    expect(digest.structured.actionItems).to.deep.equal([]);
    expect(digest.summary).not.to.include('agree on');
  });

  it('does not take “erledigt” for a request', async () => {
    const digest = await digestDays([
      '17 Ann: kannst du die Telefonnummer im Footer ändern? die alte ist abgeschaltet',
      "17 Sam: erledigt, Cache leeren dann siehst du's",
    ]);
    expect(itemsOf(digest)).to.deep.equal([]);
  });

  it('takes a mere yes in a group as the answer to what was said last', async () => {
    const { structured } = await digestDays(
      [
        '17 Gero: @Sam I propose 11 December, 18:00',
        '17 Urs: Anyone using eSIM in Serbia?',
        '17 Sam: We have a provider there, I can introduce you',
        '17 Urs: Please do',
        '17 Sam: Will do it tomorrow, DM me your mail',
      ],
      { isGroup: true, peerName: 'Meetup' },
    );
    const tomorrow = structured.actionItems.filter(({ dueDate }) => dueDate === '2026-11-18');
    expect(tomorrow.map(({ text, dueTime }) => [text, dueTime])).to.deep.equal([
      ['Introduce Urs to the provider', null],
    ]);
  });

  it('does not repeat a task that a sentence of its doer already tells', async () => {
    const { summary } = await digestDays([
      '17 Ann: customs want the permit. URGENT pls, storage is 95 eur per day',
      '17 Sam: the permit i dont have, the supplier does. calling him now',
      "17 Sam: he scans it this morning, i'll forward it the second i have it",
      '17 Ann: any news?',
    ]);
    expect(summary.match(/forward it the second/g)).to.have.length(1);
  });

  it('does not tell a sentence both alone and together with the next one', async () => {
    const { summary } = await digestDays([
      '17 Ann: Our crane is quiet, strong and cheap. And it has a motor of 900 watts.',
      ...['17 Sam: nice', '17 Ann: yes', '17 Sam: The weather is fine.', '17 Ann: Thank you.'],
      ...['17 Sam: good', '17 Ann: ok', '17 Sam: ok'],
    ]);
    expect(summary).to.equal('Ann says their crane is quiet, strong and cheap. It has a motor of 900 watts.');
  });

  it('quotes verbatim what is called urgent', async () => {
    const { summary } = await digestDays(['17 Ann: URGENT pls, storage is 95 eur per day from tomorrow']);
    expect(summary).to.equal('Ann: “URGENT pls, storage is 95 eur per day from tomorrow.”');
  });

  it('does not date a promise of the other side by a day wanted for something else', async () => {
    const digest = await digestDays([
      "17 Sam: Fair question. We'll credit the ad spend, 412 eur, on your October invoice",
      '17 Ann: and i want to know how this happened',
      '17 Ann: in writing pls. today. my boss is asking',
    ]);
    expect(itemsOf(digest)).to.deep.include(['Credit the ad spend', null]);
  });

  it('dates a promise by the day that the other side names after its yes', async () => {
    const digest = await digestDays(["17 Sam: I'll send you the lease", '17 Ann: Great, thanks. By Friday, please.']);
    expect(itemsOf(digest)).to.deep.equal([['Send Ann the lease', '2026-11-20']]);
  });

  it('quotes a question that says nothing by itself with what it is about', async () => {
    const digest = await digestDays([
      '17 Sam: 180 euro with material. yes or no?',
      '17 Ann: hmm let me ask my partner, i tell you tonight',
    ]);
    expect(itemsOf(digest)).to.deep.include(['Tell Sam (“180 euro with material. yes or no?”)', '2026-11-17']);
  });

  it('tells what led to a question together with its answer, and only once', async () => {
    const { summary } = await digestDays([
      '17 Ann: Dice mi abogado que la cláusula 9 (stock mínimo de 100 grúas) es demasiado para empezar. ¿Podemos bajarlo a 40?',
      '17 Sam: Podemos dejarlo en 50 con devolución a los 90 días.',
      '17 Ann: Trato hecho.',
      '18 Ann: Mándame el contrato el lunes, por favor',
    ]);
    expect(summary.match(/cláusula 9/g)).to.have.length(1);
    expect(summary).to.include('¿Podemos bajarlo a 40?» Sam responde: «Podemos dejarlo en 50');
  });
});
