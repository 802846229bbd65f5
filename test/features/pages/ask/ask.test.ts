import { expect } from 'chai';
import { compact, expectNothingInline, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest, storedItem, storeMany } from '../today/stored.ts';

describe('Asking the digests', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  const ask = async (q: string, agent = nora) => (await agent.get('/api/ask').query({ q }).expect(200)).body;
  /** The words of the passages, the best first. */
  const said = async (q: string): Promise<string[]> => (await ask(q)).passages.map(({ words }: { words: string }) => words);
  const pageOf = async (q: string) => compact((await nora.get('/ask').query({ q }).expect(200)).text);

  before(async () => {
    ({ service, nora, owner } = await startStored());
    const { dialogId } = await storeDigest(service.db, owner, {
      ...{ name: 'Farid Nazari', day: dayAgo(1) },
      summary: 'Farid wants the invoices dated after December. Payment is 20% at order.',
      sources: { messages: [], sentences: [0, 47].map(from => ({ from, to: from + 47, messageIds: ['7'] })) },
      structured: {
        actionItems: [storedItem('Send Farid the contract'), storedItem('Sign the offer', { owner: 'contact' })],
      },
    });
    await storeDigest(service.db, owner, { dialogId, day: dayAgo(9), summary: 'The warranty is 36 months.' });
    const summary = 'Прошивка 2.3 разряжает метки. Счёт ещё не оплачен.';
    await storeDigest(service.db, owner, { name: 'Дмитрий Ковалёв', summary, structured: { language: 'ru' } });
    await storeDigest(service.db, owner, { name: 'يعقوب منصور', summary: 'Delivery takes three weeks.' });
    await storeDigest(service.db, owner, { name: 'Katrin Vogel', summary: 'Die Prüfung ist am Freitag.' });
    await storeDigest(service.db, owner, {
      ...{ name: 'Jule Petersen', day: dayAgo(3), summary: 'We had a call at 9:00.' },
      structured: { language: 'uk', writtenIn: 'en' },
    });
  });
  after(stopServices);

  it('finds the passage that has what was asked about, inflected or mistyped, and names in any script', async () => {
    expect(await said('What did we agree with Farid about payment?')).to.deep.equal(['Payment is 20% at order.']);
    expect(await said('Did we agree with Farid on invoices or payment?')).to.have.length(2);
    expect((await said('How long is the waranty?'))[0]).to.equal('The warranty is 36 months.');
    expect((await ask('How long is the waranty?')).lookedAt.digests).to.be.greaterThan(0);
    expect((await said('Когда оплатят счета?'))[0]).to.equal('Счёт ещё не оплачен.');
    expect((await said('Wann sind die Prüfungen?'))[0]).to.equal('Die Prüfung ist am Freitag.');
    expect((await said('What did Dmitri say about the invoice?'))[0]).to.equal('Счёт ещё не оплачен.');
    expect((await said('How long does delivery take with Mansour?'))[0]).to.equal('Delivery takes three weeks.');
    expect((await said('What did Katirn say?'))[0]).to.equal('Die Prüfung ist am Freitag.');
  });

  it('says whose promises there are, and nobody else’s', async () => {
    expect(await said('What do I owe Farid?')).to.deep.equal(['Send Farid the contract']);
    expect(await said('What does Farid owe me?')).to.deep.equal(['Sign the offer']);
    expect(await said('What do I owe Katrin?')).to.deep.equal([]);
    expect(await said('Is Farid waiting for me?')).to.deep.equal(['Send Farid the contract']);
  });

  it('takes days as people say them', async () => {
    expect(await said('What did Farid say yesterday?')).to.include('Payment is 20% at order.');
    expect(await said('What did Farid say yesterday?')).not.to.include('The warranty is 36 months.');
    expect(await said('What did Farid say today?')).to.deep.equal([]);
    expect(await said('What happened yesterday?'))
      .to.include('Payment is 20% at order.')
      .and.not.to.include('Die Prüfung ist am Freitag.');
  });

  it('answers from rows in the languages of questions: who is owed, who waits, what is on, who is met', async () => {
    const soon = dayAgo(-2);
    const date = `${soon.slice(8)}.${soon.slice(5, 7)}.${soon.slice(0, 4)}`;
    const visit = `Claire: Site visit on ${date} 10:30, gate B`;
    const message = (id: string, fromUser: boolean) => ({
      ...{ id, fromUser, sender: fromUser ? 'Nora' : 'Claire', sentAt: `${dayAgo(1)}T${8 + 2 * Number(id)}:00:00Z` },
    });
    const claire = await storeDigest(service.db, owner, {
      ...{ name: 'Claire Whitfield', summary: 'Claire: gate B' },
      structured: {
        ...{ language: 'en', exchanges: [] },
        keptLines: [
          { who: 'Claire', text: `Site visit on ${date} 10:30, gate B`, messageId: '1', score: 9 },
          { who: 'Claire', text: 'Reply, or we cancel the contract.', messageId: '2', score: 9 },
          { who: 'Nora', text: 'I can offer 12% for 24 months ;)', messageId: '3', score: 9 },
          { who: 'Claire', text: 'Where do your servers stand?', messageId: '4', score: 9 },
          { who: 'Nora', text: 'In Frankfurt.', messageId: '5', score: 9 },
        ],
        actionItems: [
          storedItem('Pay the invoice', { owner: 'contact', dueDate: soon }),
          storedItem('Send the forms', { owner: 'contact', dueDate: dayAgo(2) }),
        ],
      },
      sources: { sentences: [], messages: ['1', '2', '3', '4', '5'].map(id => message(id, id === '3' || id === '5')) },
    });
    const summary = `On ${dayAgo(0).split('-').toReversed().join('.')} Tim said that the hall opens on ${date} at 8:00.`;
    const boxes = [...'abcdefghij'].map(one => storedItem(`Check box ${one}`, { dueDate: soon }));
    const crew = await storeDigest(service.db, owner, {
      ...{ name: 'Bremen crew', summary },
      sources: { messages: [], sentences: [{ from: 0, to: summary.length, messageIds: ['9'] }] },
      structured: { actionItems: [...boxes, storedItem('Rent a van', { owner: 'contact', ownerName: 'Claire' })] },
    });
    await service.db('promises').where({ words: 'Send the forms' }).update({ said_by: null });
    const asked = { dialog_id: claire.dialogId, user_id: owner.userId, message_id: 2, asked_at: service.clock.now() };
    await service.db('waiting_questions').insert({ ...asked, words: 'Will you reply?' });
    for (const [q, answer] of [
      ['When do I meet Claire?', visit],
      ['claire lunch when?', visit],
      ['who still hasnt paid me', 'Pay the invoice'],
      ['Когда я встречаюсь с Клэр?', visit],
      ['¿Quién amenazó con cancelar?', 'Claire: Reply, or we cancel the contract.'],
      ['Qu’est-ce que j’ai proposé à Claire ?', 'Nora: I can offer 12% for 24 months ;)'],
      ['In which city do our servers stand?', 'Claire: Where do your servers stand?\n↳ You: In Frankfurt.'],
    ] as const)
      expect((await said(q))[0], q).to.equal(answer);
    expect((await ask('Who is waiting for my answer?')).passages[0].kind).to.equal('waiting');
    for (const q of ['what did Claire promise thats still open', 'What does Claire have to send me?'])
      expect(await said(q), q).to.deep.equal(['Send the forms', 'Pay the invoice', 'Rent a van']);
    const due = await said(`What is on ${date}?`);
    expect([due[0], due.length]).to.deep.equal([summary, 13]);
    const { passages, mentions } = await ask('What did Claire promise about the helicopter?');
    expect([passages.length, mentions[0].words]).to.deep.equal([0, 'Send the forms']);
    // Who is named is asked about, and nobody else.
    for (const q of ['When do I meet Katrin?', 'When do I meet Zygmunt?', 'Who hasn’t answered me?'])
      expect(await said(q), q).to.deep.equal([]);
    await service.db('dialogs').whereIn('id', [claire.dialogId, crew.dialogId]).delete();
  });

  it('answers with what holds now: the day that an appointment was moved to, and what was said next', async () => {
    const on = (ahead: number) => dayAgo(-ahead).split('-').toReversed().join('.');
    const day = async (at: number, lines: [string, string, string][], dialogId?: string) =>
      storeDigest(service.db, owner, {
        ...{ name: 'Duda Sampaio', summary: 'Duda: vídeo', day: dayAgo(at), ...(dialogId && { dialogId }) },
        structured: {
          ...{ language: 'en', exchanges: [] },
          keptLines: lines.map(([messageId, who, text]) => ({ who, text, messageId, score: 9 })),
        },
        sources: {
          sentences: [],
          messages: lines.map(([id, sender]) => ({
            ...{ id, sender, fromUser: sender === 'Nora', sentAt: `${dayAgo(at)}T10:0${Number(id) % 10}:00Z` },
          })),
        },
      });
    const { dialogId } = await day(3, [
      ['11', 'Duda', `Shall we film on ${on(4)}, 10:00?`],
      ['12', 'Nora', 'Yes.'],
    ]);
    expect((await said('When do we film with Duda?'))[0])
      .to.include(on(4))
      .and.include('Yes.');
    await day(1, [['21', 'Duda', `${on(4)} is full, so ${on(6)}, 11:00?`]], dialogId);
    const now = await said('When do we film with Duda?');
    expect(now[0]).to.include(`${on(6)}, 11:00`);
    expect(now.join()).not.to.include('Shall we film');
    // A summary that rests on no known messages is replaced by those of later days only.
    const summary = 'Duda: we film tomorrow at 10:00 after all.';
    await storeDigest(service.db, owner, { dialogId, summary, structured: { language: 'en' } });
    expect((await said('When do we film with Duda?')).join()).to.include('after all');
    await service.db('dialogs').where({ id: dialogId }).delete();
  });

  it('shows what changed a promise, the newest words on it, and of two that say the same the later', async () => {
    const due = dayAgo(-4);
    const [year, month, date] = due.split('-');
    const call = (dueDate: string) => ({ actionItems: [storedItem('Call the lady from quality', { dueDate })] });
    const zanele = { name: 'Zanele Mokoena', day: dayAgo(3), summary: 'The gate is blue.', structured: call(dayAgo(-2)) };
    const { dialogId } = await storeDigest(service.db, owner, zanele);
    await storeDigest(service.db, owner, { dialogId, day: dayAgo(2), summary: 'The lady is ill.', structured: call(due) });
    await storeDigest(service.db, owner, { dialogId, day: dayAgo(1), summary: 'The call with the lady is off.' });
    const evidence = { who: 'Zanele', when: `${dayAgo(1)}T10:00:00Z`, words: 'She can’t, sorry', messageIds: ['9'] };
    await service.db('promises').where({ dialog_id: dialogId, due_date: due }).update({ is_doubtful: true, evidence });
    expect(await said(`Is the call with the lady from quality still on ${date}.${month}.${year}?`)).to.deep.equal([
      'Call the lady from quality\n↳ Zanele: She can’t, sorry',
      'The call with the lady is off.',
    ]);
    await storeDigest(service.db, owner, { name: 'Svenja', summary: 'Zanele gets tax class 6.' });
    expect(await said('Which tax class does Zanele get?')).to.deep.equal(['Zanele gets tax class 6.']);
    await service.db('dialogs').where({ id: dialogId }).delete();
  });

  it('says what only mentions it apart from an answer', async () => {
    const q = 'How much is the payment with Farid in euros per month of warranty?';
    const { passages, mentions } = await ask(q);
    expect(passages).to.deep.equal([]);
    expect(mentions.map(({ words }: { words: string }) => words)).to.include('Payment is 20% at order.');
    expect(wordsOf(await pageOf(q)))
      .to.include('found no clear answer. The passages below may answer it.')
      .and.not.include('Nothing in your');
    for (const one of ['What did we agree with Farid about payment?', 'Is Jule happy?'])
      expect((await ask(one)).mentions, one).to.deep.equal([]);
    for (const [asked, mention] of [
      ['Is Dmitri happy?', 'Счёт ещё не оплачен.'],
      ['When is the call with Jule?', 'We had a call at 9:00.'],
      ['Wem muss ich noch helfen?', 'Send Farid the contract'],
      ['Who hasn’t answered me?', 'Sign the offer'],
    ] as const)
      expect(
        (await ask(asked)).mentions.map(({ words }: { words: string }) => words),
        asked,
      ).to.include(mention);
  });

  it('offers nothing where nothing says it', async () => {
    for (const q of ['Did Farid mention the helicopter?', 'What did Katrin offer?', 'Who is Zygmunt?', '???', 'the'])
      expect((await ask(q)).passages, q).to.deep.equal([]);
    expect(wordsOf(await pageOf('When is Katrin’s wedding?'))).to.include('Nothing in your digests says that.');
  });

  it('shows who said it, on which day, and opens it in place', async () => {
    const html = await pageOf('What did we agree with Farid about payment?');
    expect(html).to.include('<mark>Payment</mark>');
    expect(html.match(/<details>/g)).to.have.length(1);
    expect(wordsOf(html)).to.include('1 Farid Nazari');
    expectNothingInline(html);
  });

  it('answers from what is older than the newest 1,500 digests', async () => {
    await storeMany(service.db, owner);
    const hugo = { name: 'Hugo Lind', day: dayAgo(99), summary: 'The spare keys lie in the red box.' };
    const { dialogId } = await storeDigest(service.db, owner, hugo);
    await storeDigest(service.db, owner, { dialogId, summary: 'The keys fit.' });
    expect((await said('Where do the spare keys lie?'))[0]).to.equal(hugo.summary);
  });

  it('is where a question typed into the search leads', async () => {
    const q = 'What do I owe Farid?';
    const { headers } = await nora.get('/today').query({ q }).expect(303);
    expect(headers.location).to.equal(`/ask?${new URLSearchParams({ q })}`);
    const { text } = await nora.get('/today').query({ q }).set('HX-Request', 'true').expect(200);
    expect(text).to.include('Ask this');
    expect((await nora.get('/today').query({ q: 'farid' }).expect(200)).text).not.to.include('Ask this');
  });
});
