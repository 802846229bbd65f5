import { expect } from 'chai';
import { compact, expectNothingInline, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { contact } from '../../contacts/crmPeople.ts';
import { dayAgo, startStored, storeDialog, storeDigest, storedItem } from '../today/stored.ts';

describe('A brief', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let claire: { dialogId: string; digestId: string };
  let darren: { dialogId: string };

  const pageOf = async (dialogId: string, agent = nora) => compact((await agent.get(`/brief/${dialogId}`).expect(200)).text);
  const get = async (dialogId: string, agent = nora) => (await agent.get('/api/brief').query({ dialogId }).expect(200)).body;

  before(async () => {
    ({ service, nora, owner } = await startStored());
    const sources = {
      sentences: [{ from: 0, to: 34, messageIds: ['7'] }],
      messages: ['7', '8'].map(id => ({
        id,
        sender: 'Claire Whitfield',
        fromUser: false,
        sentAt: `${dayAgo(1)}T11:0${id}:00Z`,
      })),
    };
    const actionItems = [
      storedItem('Send Claire the price', { dueDate: dayAgo(0), sourceMessageIds: ['8'] }),
      storedItem('Send the list of gateways', { owner: 'contact', dueDate: dayAgo(2) }),
    ];
    claire = await storeDigest(service.db, owner, {
      ...{ name: 'Claire Whitfield', day: dayAgo(1), summary: 'She needs 1,100 units for £70,000. Nothing else.' },
      ...{ sources, structured: { actionItems } },
    });
    await storeDigest(service.db, owner, { dialogId: claire.dialogId, day: dayAgo(9), summary: 'First contact.' });
    darren = await storeDigest(service.db, owner, {
      name: 'Darren Pike',
      structured: { actionItems: [storedItem('Install the gateway', { owner: 'contact' })] },
    });
    const known = { id: '1', firstName: 'Claire', company: 'Harrow Foods', email: 'claire@harrow.example' };
    const company = JSON.stringify(contact(known));
    await service
      .db('dialogs')
      .whereIn('id', [claire.dialogId, darren.dialogId])
      .update({ crm_contact_id: '1', match_contact: company });
  });
  after(stopServices);

  it('says who it is, what each side owes, the figures and what happened, with sources', async () => {
    const html = await pageOf(claire.dialogId);
    const words = wordsOf(html);
    const all = ['Claire Whitfield', 'Harrow Foods', 'claire@harrow.example', 'You owe Claire', 'Send Claire the price'];
    for (const said of all) expect(words).to.include(said);
    expect(words).to.match(/Claire owes you .*Send the list of gateways/);
    expect(words).to.match(/Price, terms She needs 1,100 units for £70,000/);
    expect(words).to.match(/1 ?Claire Whitfield ?, [\w ]+, 11:08/);
    expect(html).to.include('<a href="#f1" aria-label="Source 1">1</a>');
    expectNothingInline(html);
  });

  it('includes what people of the same company owe, by their names', async () => {
    const { colleagues, promises } = await get(claire.dialogId);
    expect(colleagues).to.deep.equal(['Darren Pike']);
    expect(promises.theirs.map(({ words, who }: { words: string; who: string }) => `${who}: ${words}`)).to.deep.equal([
      ': Send the list of gateways',
      'Darren Pike: Install the gateway',
    ]);
    const actionItems = Array.from({ length: 6 }, (_, n) => storedItem(`Install part ${n}`, { owner: 'contact' }));
    await storeDigest(service.db, owner, { dialogId: darren.dialogId, day: dayAgo(1), structured: { actionItems } });
    expect(await pageOf(claire.dialogId), 'all that she owes is listed').not.to.include('More in Promises');
    expect(await pageOf(darren.dialogId)).to.match(/view=theirs&(?:amp;)?dialog=[\w-]+">More in Promises/);
    const due_date = dayAgo(3);
    await service.db('promises').where({ dialog_id: darren.dialogId }).update({ due_date });
    expect(await pageOf(claire.dialogId)).to.include(`dialog=${claire.dialogId}">More in Promises`);
  });

  it('lists apart what messages seem to have settled, and what is past while the talk went on', async () => {
    const hours = { 'Send the contract': '07', 'Call back': '07', 'Send the number': '09' };
    const future = { 'Meet at gate B': 1, 'Print the badge': 2, 'Ring the bell': 0, 'Visit Bo': 4 };
    const said = { ...hours, ...Object.fromEntries(Object.keys(future).map(words => [words, '07'])) };
    const ada = { sender: 'Ada', fromUser: false };
    const messages = Object.values(said).map((hour, n) => ({ id: `${n}`, ...ada, sentAt: `${dayAgo(1)}T${hour}:00:00Z` }));
    const dueIn: Record<string, number> = { 'Call back': -4, ...future };
    const actionItems = Object.keys(said).map((words, n) =>
      storedItem(words, { dueDate: dayAgo(-(dueIn[words] ?? -3)), sourceMessageIds: [`${n}`] }),
    );
    const of = { structured: { actionItems, exchanges: [] }, sources: { sentences: [], messages } };
    const { dialogId } = await storeDigest(service.db, owner, { day: dayAgo(1), ...of });
    const evidence = { who: 'You', when: `${dayAgo(1)}T08:00:00Z`, words: 'Here it is', messageIds: ['9'] };
    const doubted = { is_doubtful: true, evidence: JSON.stringify(evidence) };
    await service.db('promises').whereIn('words', ['Send the contract', 'Meet at gate B']).update(doubted);
    await service.db('promises').whereIn('words', ['Meet at gate B', 'Visit Bo']).update({ kind: 'appointment' });
    await service.db('promises').where('words', 'Ring the bell').update({ due_time: '' });
    const { promises, text } = await get(dialogId);
    expect(promises.mine, 'a day to come stands, though something was sent').to.have.length(5);
    expect(text).to.match(
      /Next: .*badge\nAppointment: .*Bo\n\nYou owe Ada\n.*number.*\n.*bell.*\n.*gate B.*\n.*Settled\? .*\n.*badge.*\n.*Bo.*\n\nPerhaps settled\n.*Call back.*\n.*contract.*\n.*“Here it is”/,
    );
    expect(wordsOf(await pageOf(dialogId))).to.match(/Send the contract .*Settled\? You ?: Here it is/);
  });

  it('says in a group who owes what', async () => {
    const group = await storeDialog(service.db, owner, 'Pilot');
    await service.db('dialogs').where({ id: group }).update({ peer_type: 'group' });
    const items = [storedItem('Send the floor plan', { owner: 'contact', ownerName: 'Wouter' })];
    await storeDigest(service.db, owner, { dialogId: group, structured: { actionItems: items } });
    expect(wordsOf(await pageOf(group))).to.match(/Others owe Wouter ?: Send the floor plan/);
  });

  it('has the newest price and terms of all that is kept, with the answers, and the appointment that was fixed', async () => {
    const [day, next] = [dayAgo(1), dayAgo(-3)];
    const lines = [
      ['1', 'You', 'The sensors are €39 each, subscription €4.50'],
      ['2', 'You', 'For you: subscription down to €3.90 and 5% off the deposit'],
      ['3', 'Ada', 'Tim is there today at 18:30'],
      ['4', 'Ada', 'ممكن خصم ١٠٪؟'],
      ['5', 'You', '١٠ لا. ٥ ماشي لو الدفع مقدم'],
      ['6', 'You', '📎 Contract.docx Exclusive for 12 months'],
      ['7', 'Ada', `Let’s meet on ${next.slice(8)}.${next.slice(5, 7)}.${next.slice(0, 4)} at 10:30 at gate B`],
    ] as const;
    const keptLines = lines.map(([messageId, who, text]) => ({ who, text, messageId, score: 50 }));
    const sentAt = (id: string) => `${day}T10:0${id}:00Z`;
    const messages = lines.map(([id, sender]) => ({ id, sender, fromUser: sender === 'You', sentAt: sentAt(id) }));
    const structured = { language: 'en', exchanges: [], keptLines };
    const of = { name: 'Ada King', day, structured, sources: { sentences: [], messages } };
    const { dialogId } = await storeDigest(service.db, owner, of);
    const { facts, text } = await get(dialogId);
    const said = facts.map(({ words }: { words: string }) => words);
    const answered = [`${lines[1][2]} ↳ Ada: ${lines[2][2]}`, `${lines[3][2]} ↳ You: ${lines[4][2]}`];
    expect(said).to.deep.equal([...answered, lines[6][2], 'Contract.docx Exclusive for 12 months']);
    expect(text).to.match(/\nLast contact: .*\nNext: .*, 10:30: Let’s meet on/);
  });

  it('keeps a model’s terms apart from prices of other things, and takes no day of its sentences for a next meeting', async () => {
    const margin = 'On the first day Tomás and you agreed on a margin of 22% up to 300 sensors.';
    const offer = 'Tomás gets the booth at the fair in Zaragoza at half price, €1,700, and waits for Jule.';
    const summary = `${offer} ${margin} He needs the signed paper on ${dayAgo(-3)} at 18:00.`;
    const details = { name: 'Tomás', summary, structured: { language: 'en' } };
    const { dialogId } = await storeDigest(service.db, owner, details);
    const { facts, text } = await get(dialogId);
    expect(facts.map((fact: { words: string }) => fact.words)).to.have.members([offer, margin]);
    expect(text).not.to.include('Next:');
  });
});
