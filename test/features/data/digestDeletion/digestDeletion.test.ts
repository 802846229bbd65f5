import { expect } from 'chai';
import { ANNA, settled } from '../../../support/noteWorld.ts';
import { compact, post, wordsOf } from '../../../support/pages.ts';
import { syncNow } from '../../../support/people.ts';
import { stopServices } from '../../../support/service.ts';
import { startTasks, type TaskWorld } from '../../../support/taskWorld.ts';
import { until } from '../../../support/until.ts';

/** In the conversation with Anna, and nowhere else. */
const MARK = /18,400|signed contract|alert\(1\)/i;
const TRANSLATED = { said_words: 'the 18,400', crm_words: 'the 18,400' };

describe('Deleting a digest', () => {
  let world: TaskWorld;
  let digestId: string;

  beforeEach(async () => {
    world = await startTasks();
    digestId = (await digestOf(world.anna)).id;
  });
  afterEach(stopServices);

  const digestOf = (dialogId: string) => world.service.db('digests').where({ dialog_id: dialogId }).first();
  const remove = (path = `/digests/${digestId}/delete`) => post(world.nora, path);
  const words = async (path: string) => wordsOf((await world.nora.get(path).expect(200)).text);
  const promises = () => world.service.db('promises').where({ dialog_id: world.anna });
  const addLater = () => world.write(ANNA, 'By the way, could you send me the Zürich figures by Monday?');

  /** Every place in the database with these words, but for what belongs to the other conversation. */
  async function placesWith(pattern: RegExp): Promise<string[]> {
    const { rows } = await world.service.db.raw<{ rows: { name: string }[] }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found = rows.map(async ({ name }) => {
      const all = await world.service.db.raw(`select row_to_json(t)::text as row from "${name}" t`);
      const ours = all.rows.filter(
        ({ row }: { row: string }) => !row.includes(world.boris) && !row.includes(world.toBoris) && pattern.test(row),
      );
      return ours.length > 0 ? [name] : [];
    });
    return (await Promise.all(found)).flat();
  }

  it('leaves none of its words anywhere, here or in the CRM', async () => {
    const { service, anna, toAnna } = world;
    await post(world.nora, '/settings/crm', { tasksQuote: 'true' }).expect(303);
    await world.switchTasks(true);
    await until(() => service.crm.tasks('101').length > 0);
    expect(service.crm.notes('101')).to.have.length(1);
    expect(await placesWith(MARK)).to.include.members(['digests', 'promises', 'outbox_tasks']);
    await remove().expect(303).expect('Location', `/conversations/${anna}`);
    await world.nora.patch(`/api/promises/${toAnna}`).send({ action: 'reopen' }).expect(404);
    expect(await placesWith(MARK)).to.deep.equal([]);
    expect(await words(`/conversations/${anna}`))
      .to.match(/Digest of \w+, \d+ \w+ deleted/)
      .and.not.match(MARK);
    await settled(world);
    await until(() => service.crm.tasks('101').length === 0);
    expect(service.crm.notes('101')).to.deep.equal([]);
    expect(service.crm.notes('103')).to.have.length(1);
    expect(await service.db('outbox_notes').where({ dialog_id: anna })).to.deep.equal([]);
    expect(await placesWith(MARK)).to.deep.equal([]);
  });

  it('doesn’t bring its messages into a later digest, on the same day or the next', async () => {
    const { service, nora, anna } = world;
    await remove().expect(303);
    service.sandbox.resetCalls();
    await syncNow(nora);
    expect(service.sandbox.calls()).not.to.have.property('messages.GetHistory');
    addLater();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    const today = await digestOf(anna);
    expect(today).to.include({ message_count: 1 });
    expect(today.summary).to.include('Zürich').and.not.match(MARK);
    expect(await placesWith(MARK)).to.deep.equal([]);
  });

  it('leaves what its person added or edited, without the quotes beside it', async () => {
    const { service, nora, anna, toAnna } = world;
    await nora.patch(`/api/promises/${toAnna}/fields`).send({ words: 'Bring the paper along' }).expect(200);
    const added = { dialogId: anna, words: 'Call Katrin', dueDate: null, direction: 'mine' };
    await nora.post('/api/promises').send(added).expect(200);
    await service
      .db('promises')
      .where({ id: toAnna })
      .update({ request: JSON.stringify({ words: 'Please, 18,400' }), ...TRANSLATED });
    expect(await words(`/digests/${digestId}/delete`)).to.include('Stays: 1 promise that you added or edited');
    await remove().expect(303);
    const left = await promises().orderBy('words');
    expect(left.map(({ words: said }) => said)).to.deep.equal(['Bring the paper along', 'Call Katrin']);
    expect(left[0]).to.include({ id: toAnna, request: null, previous: null, last_digest_id: null, due_text: null });
    expect(await placesWith(MARK)).to.deep.equal([]);
  });

  it('leaves a promise that another digest says too, in that one’s words', async () => {
    const { service, anna, toAnna } = world;
    const { id: _, search: __, is_urgent: ___, structured, ...today } = await digestOf(anna);
    const { item_id } = await promises().where({ id: toAnna }).first();
    const items = structured.actionItems
      .filter(({ id }: { id: string }) => id === item_id)
      .map((item: object) => ({ ...item, text: 'I will bring the paper', request: undefined }));
    const earlier = { ...today, digest_date: '2026-01-01', summary: 'Ada: paper', sources: null };
    const [row] = await service
      .db('digests')
      .insert({ ...earlier, structured: JSON.stringify({ ...structured, actionItems: items, topics: [], exchanges: [] }) })
      .returning('id');
    const said = { first_digest_id: row.id, first_said_on: '2026-01-01', said_by: null, ...TRANSLATED };
    await promises().where({ id: toAnna }).update(said);
    await remove().expect(303);
    const [kept, ...others] = await promises();
    expect(others).to.deep.equal([]);
    expect(kept).to.include({ id: toAnna, words: 'I will bring the paper', last_digest_id: row.id, state: 'open' });
    expect(kept).to.deep.include({ said_words: null, crm_words: null, said_by: { who: '', fromUser: false } });
  });

  it('takes back what its messages quoted about promises of other digests, and the questions in them', async () => {
    const { service, nora, anna, userId } = world;
    const evidence = { who: 'Anna', when: '2026-11-21T10:00:00Z', words: 'the 18,400 are sent', messageIds: ['12'] };
    const previous = { evidence: { ...evidence, words: 'kept', messageIds: ['900'] } };
    const added = { dialogId: anna, words: 'Send the money', dueDate: null, direction: 'mine' };
    await nora.post('/api/promises').send(added).expect(200);
    const toSend = promises().where({ words: 'Send the money' });
    await toSend.update({ evidence: JSON.stringify(evidence), state: 'done', previous });
    const question = { dialog_id: anna, user_id: userId, asked_at: new Date(0), words: 'And the 18,400?' };
    await service.db('waiting_questions').where({ dialog_id: anna }).delete();
    await service.db('waiting_questions').insert([
      { ...question, message_id: 11 },
      { ...question, message_id: 900, words: 'Later?' },
    ]);
    await remove().expect(303);
    expect((await promises())[0]).to.deep.include({ state: 'done', evidence: { ...evidence, words: '' }, previous });
    const left = await service.db('waiting_questions').where({ dialog_id: anna });
    expect(left.map(({ words: asked }) => asked)).to.deep.equal(['Later?']);
  });

  it('of a conversation deletes them all, and later ones are written as before', async () => {
    const { service, nora, anna, boris } = world;
    service.clock.advance(24 * 3600 * 1000);
    addLater();
    await syncNow(nora);
    expect(await service.db('digests').where({ dialog_id: anna })).to.have.length(2);
    expect(compact((await nora.get(`/conversations/${anna}`)).text)).to.include(`href="/conversations/${anna}/delete"`);
    const question = await words(`/conversations/${anna}/delete`);
    expect(question).to.include('Goes: 2 digests, with every word').and.include('Goes: 2 notes in HubSpot');
    await remove(`/conversations/${anna}/delete`).expect(303);
    expect(await words(`/conversations/${anna}`))
      .to.include('2 digests deleted')
      .and.include('No digest yet');
    await settled(world);
    expect(service.crm.notes('101')).to.deep.equal([]);
    expect(await placesWith(/18,400|Zürich/)).to.deep.equal([]);
    expect(await service.db('digests').where({ dialog_id: boris })).to.have.length(1);
    addLater();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1, notesCreated: 1 });
    expect((await digestOf(anna)).message_count).to.equal(1);
  });
});
