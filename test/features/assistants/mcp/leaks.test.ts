import { expect } from 'chai';
import { callTool, connectAssistant, createAssistant, disconnectAll, readTool } from '../../../support/assistants.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { dayAgo, setClock, storeAccount, storeDialog, storeDigest, storedItem } from '../../pages/today/stored.ts';

type Owner = { userId: string; accountId: string };

/** Conversations that no token here may read; more than are ever looked through for who waits. */
const CLOSED = 510;
const COMPANY = { id: '1', firstName: 'A', lastName: 'B', company: 'Acme', messengerUsername: '', messengerUserId: '' };
const MATCH = JSON.stringify({ ...COMPANY, email: '', phone: '', mobilePhone: '', mergedIds: [] });

describe('What an assistant may not read', () => {
  let service: Service;
  const people = ['nora@example.com', 'sam@example.com'] as const;
  const owners: Owner[] = [];

  /** The same for both. */
  async function storeOpen(owner: Owner): Promise<string> {
    const asked = ['Send the offer', 'Bring the keys', 'Call the bank'].map((words, n) =>
      storedItem(words, { dueDate: dayAgo(n), id: `open${n}` }),
    );
    const structured = { actionItems: asked };
    const { dialogId } = await storeDigest(service.db, owner, { name: 'Ada', summary: 'The tender.', structured });
    await storeDigest(service.db, owner, { dialogId, day: dayAgo(1), summary: 'The tender and the vault.' });
    await service.db('dialogs').where({ id: dialogId }).update({ crm_contact_id: '1', match_contact: MATCH });
    // What is equally good is in the order of ids.
    for (const [n, { text }] of asked.entries()) {
      const id = `0000000${owners.length}-0000-4000-8000-00000000000${n}`;
      await service.db('promises').where({ dialog_id: dialogId, words: text }).update({ id });
    }
    await wait([dialogId], owner, 'Did you get the tender?', 8);
    return dialogId;
  }

  const wait = (dialogIds: string[], { userId }: Owner, words: string, days: number) =>
    service
      .db('waiting_questions')
      .insert(
        dialogIds.map((dialogId, n) => ({
          ...{ dialog_id: dialogId, user_id: userId, message_id: 1, words },
          asked_at: new Date(`${dayAgo(days)}T08:00:${String(n % 60).padStart(2, '0')}Z`),
        })),
      );

  /** As many conversations, about which only the first person has anything to hide. */
  async function storeClosed(owner: Owner, isFull: boolean): Promise<void> {
    const { userId, accountId } = owner;
    const ids: string[] = await service
      .db('dialogs')
      .insert(
        Array.from({ length: CLOSED }, (_, n) => ({
          ...{ user_id: userId, account_id: accountId, peer_id: `group:${n}`, peer_type: 'group', peer_kind: 'chat' },
          ...{ peer_key: `g${n}`, peer_name: isFull ? `Ahrens ruling ${n}` : `Group ${n}`, tracking_choice: true },
        })),
      )
      .returning('id')
      .then(rows => rows.map(({ id }) => id));
    const reserved = await storeDialog(service.db, owner, isFull ? 'Jonas Ahrens' : 'Bob');
    const choice = { user_id: userId, account_id: accountId, dialog_id: reserved, writer: 'built-in' };
    await service.db('writer_choices').insert({ ...choice, wording: 'This server', chosen_at: new Date() });
    if (!isFull) return;
    await wait(ids, owner, 'Did the vault tender pass?', 20);
    await service.db('dialogs').where({ id: reserved }).update({ crm_contact_id: '1', match_contact: MATCH });
    const summary = 'The ruling on the tax of Ahrens, the tender and the vault.';
    for (const [n, dialogId] of [...ids.slice(0, 70), reserved].entries()) {
      const items = [
        storedItem(`Pay the tax ${n}`, { dueDate: dayAgo(n % 5) }),
        storedItem(`Hear the ruling ${n}`, { dueDate: dayAgo(0), kind: 'appointment', owner: 'contact' }),
        storedItem(`Owe the ruling ${n}`, { dueDate: dayAgo(3), owner: 'contact' }),
      ];
      await storeDigest(service.db, owner, { dialogId, summary, structured: { actionItems: items } });
    }
  }

  before(async () => {
    service = await startService({ worker: false });
    setClock(service);
  });
  afterEach(disconnectAll);
  after(stopServices);

  /** All that the tools say, each id called by its turn. */
  async function answersOf(n: number, { all, open }: { all: boolean; open: string }): Promise<unknown> {
    const agent = await signIn(service, people[n] ?? '');
    const { secret } = await createAssistant(agent, { all, scopes: ['assistant', 'promises'] });
    const client = await connectAssistant(service, secret);
    const closed = await service.db('dialogs').where({ user_id: owners[n]?.userId, peer_type: 'group' }).first('id');
    const answers: unknown[] = [];
    const ask = async (tool: string, args: Record<string, unknown>) => {
      const { structuredContent, isError, content } = await callTool(client, tool, args);
      answers.push({ tool, args, isError, told: structuredContent ?? content });
    };
    await ask('today', {});
    for (const query of ['ahrens r', 'ruling', 'tax', 'tender', 'vault tender']) {
      await ask('search', { query });
      await ask('search', { query, limit: 1, page: 2 });
    }
    for (const question of ['What about the ruling?', 'What does Jonas Ahrens say?', 'What do I owe?', 'Vault tender']) {
      await ask('ask', { question });
    }
    for (const conversationId of [open, closed.id]) await ask('brief', { conversationId });
    for (const about of [{}, { limit: 2 }, { direction: 'theirs' }, { dueBefore: dayAgo(0) }, { state: 'done' }]) {
      await ask('list_promises', about);
    }
    const ids = new Map<string, string>();
    const text = JSON.stringify(answers, (key, value) => (key === 'nextCursor' ? 'more' : value));
    return JSON.parse(
      text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
        if (!ids.has(id)) ids.set(id, `#${ids.size}`);
        return ids.get(id) ?? '';
      }),
    );
  }

  it('changes no word of any answer of any tool, and is counted as a number of conversations only', async () => {
    const open: string[] = [];
    for (const [n, email] of people.entries()) {
      await signIn(service, email);
      const owner = await storeAccount(service.db, email);
      owners.push(owner);
      open.push(await storeOpen(owner));
      await storeClosed(owner, n === 0);
    }
    for (const all of [true, false]) {
      const [ofNora, ofSam] = await Promise.all(open.map((one, n) => answersOf(n, { all, open: one })));
      expect(ofNora).to.deep.equal(ofSam);
      const text = JSON.stringify(ofNora);
      expect(text).not.to.match(/tax of|Pay the tax|Hear the|Owe the/);
      expect(text.includes('Did you get the tender?'), 'who waits').to.equal(all);
      const counts = new Set(text.match(/"leftOut":[^,}]+/g));
      expect([...counts]).to.deep.equal([`"leftOut":${CLOSED + (all ? 1 : 2)}`]);
    }
  });

  it('is what the CRM calls a contact: no search and no question finds a conversation by it', async () => {
    const agent = await signIn(service, 'kim@example.com');
    const owner = await storeAccount(service.db, 'kim@example.com');
    const { dialogId } = await storeDigest(service.db, owner, { name: 'Ada Lowe', summary: 'The tender.' });
    const of = { crm_contact_id: '1', crm_contact_name: 'Amelie Qvertz', match_contact: MATCH };
    await service.db('dialogs').where({ id: dialogId }).update(of);
    const client = await connectAssistant(service, (await createAssistant(agent, { all: true })).secret);
    const found = async (query: string) => (await readTool(client, 'search', { query })).digests;
    for (const query of ['acm', 'qver', 'amelie']) expect(await found(query), query).to.deep.equal([]);
    expect(await found('lowe')).to.have.length(1);
    const asked = await readTool(client, 'ask', { question: 'What about Amelie Qvertz?' });
    const unknown = await readTool(client, 'ask', { question: 'What about Amelie Qvartz?' });
    expect(JSON.stringify(asked).replaceAll('Qvertz', '')).to.equal(JSON.stringify(unknown).replaceAll('Qvartz', ''));
  });

  it('is counted without what is never read', async () => {
    const agent = await signIn(service, 'eve@example.com');
    const owner = await storeAccount(service.db, 'eve@example.com');
    for (const unreadable of [null, 'bot']) {
      const id = await storeDialog(service.db, owner, 'One');
      await service.db('dialogs').where({ id }).update({ unreadable });
    }
    const client = await connectAssistant(service, (await createAssistant(agent, { all: false })).secret);
    expect((await readTool(client, 'today')).leftOut).to.equal(1);
  });
});
