import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { recordStored } from '../../../../bench/support/recordStored.ts';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { EMPTY_CONTENT, NO_SOURCES } from '../../../../src/features/digests/schema.ts';
import { assignKnownIds } from '../../../../src/features/promises/fromDigests/service.ts';
import { digestOf, honestModel } from '../../../support/ai/model.ts';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { dialog, message, person, world } from '../../../support/worlds.ts';
import { startWithModel } from '../../messenger/consent/given.ts';
import { startStored, storeDialog, storedItem } from '../../pages/today/stored.ts';

const ANNA = 2001;
const ASKED = 'Send me the signed catalogue please';
const REPEATED = 'Please send me the signed catalogue';

describe('A promise', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    const dialogs = [dialog(`user:${ANNA}`, [message(1, { from: ANNA, text: ASKED })])];
    ({ ai, service } = await startWithModel({ worlds: [world({ users: [person(ANNA)], dialogs })] }));
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  after(stopServices);

  const write = (text: string) => service.sandbox.addMessages('test', `user:${ANNA}`, [{ from: ANNA, text }]);
  const all = () => service.db('promises').orderBy('changed_at').orderBy('item_id');
  const only = async (words: string) => (await all()).filter(row => row.words === words);
  const newest = () => service.db('digests').orderBy('digest_date', 'desc').first();
  const rewrite = async (items: unknown[]) => {
    ai.script(() => digestOf('Anna wants the signed catalogue.', items));
    await post(nora, `/digests/${(await newest()).id}/regenerate`, { style: 'DETAILED' }).expect(303);
    await until(async () => (await service.db('digest_rewrites')).length === 0);
  };
  let first: Record<string, unknown>;

  it('is stored with the digest that says it', async () => {
    const { id, structured, user_id, dialog_id } = await newest();
    const rows = await all();
    expect(rows).to.have.length(1);
    [first] = rows;
    expect(first).to.deep.include({ user_id, dialog_id, item_id: structured.actionItems[0].id, words: ASKED });
    expect(first).to.deep.include({ first_digest_id: id, last_digest_id: id, direction: 'mine', state: 'open' });
    expect(first.source_message_ids).to.deep.equal(['1']);
  });

  it('is the same one after a second sync of the day', async () => {
    write('I will send you the order form');
    await syncNow(nora);
    expect(await service.db('digests')).to.have.length(1);
    const rows = await all();
    expect(rows.map(({ words, direction }) => [words, direction])).to.have.deep.members([
      [ASKED, 'mine'],
      ['I will send you the order form', 'theirs'],
    ]);
    expect(rows.some(({ id }) => id === first.id)).to.equal(true);
  });

  it('is the same one when a later day repeats it, and a tick there is a tick here', async () => {
    const before = await newest();
    service.clock.advance(24 * 3600 * 1000);
    write(REPEATED);
    await syncNow(nora);
    const after = await newest();
    expect(after.id).not.to.equal(before.id);
    expect(after.structured.actionItems[0]).to.include({ id: first.item_id, text: REPEATED });
    const [same, ...none] = await only(REPEATED);
    expect(none).to.deep.equal([]);
    expect(same).to.include({ id: first.id, first_digest_id: before.id, last_digest_id: after.id });
    expect(same.source_message_ids).to.have.length(2).and.to.include('1');

    const decide = (action: string) =>
      post(nora, `/promises/${first.id}`, { action, back: `/conversations/${before.dialog_id}` }).expect(303);
    await decide('done');
    const { text } = await nora.get(`/conversations/${before.dialog_id}`).expect(200);
    expect(text.match(/\d promises?, (?:\d )?closed/g)).to.deep.equal(['1 promise, closed', '2 promises, 1 closed']);
    await decide('undo');
    expect(
      await service
        .db('promises')
        .where({ id: first.id as string })
        .first(),
    ).to.include({ state: 'open' });
  });

  it('said by an earlier day as well stays when the later digest no longer says it', async () => {
    await rewrite([]);
    const row = await service
      .db('promises')
      .where({ id: first.id as string })
      .first();
    expect(row).to.include({ state: 'open', last_digest_id: first.first_digest_id });
  });

  it('stays open when a rewrite no longer says it and it may have been seen, and keeps its words', async () => {
    service.clock.advance(24 * 3600 * 1000);
    write('Book a call with the lawyer please');
    ai.script(honestModel);
    await syncNow(nora);
    await nora.get('/api/promises').expect(200);
    const state = async () => (await only('Book a call with the lawyer please')).map(row => row.state);
    expect(await state()).to.deep.equal(['open']);
    await rewrite([]);
    expect(await state()).to.deep.equal(['open']);
    const line = { owner: 'user', ownerName: null, dueText: null, dueDate: null, lines: [1] };
    await rewrite([{ text: 'Den Anwalt anrufen', ...line }]);
    expect(await state()).to.deep.equal(['open']);
    expect(await only('Den Anwalt anrufen')).to.deep.equal([]);
    await service.db('promise_read_markers').update({ last_seen_number: 0 });
    await rewrite([{ text: 'Book a call with the lawyer please', ...line }]);
  });

  it('is withdrawn when a rewrite no longer says it before anyone saw it, and comes back with one that does', async () => {
    const state = async () => (await only('Book a call with the lawyer please')).map(row => row.state);
    const unseen = () => service.db('promise_read_markers').update({ last_seen_number: 0 });
    const rewriteUnseen = async (items: unknown[]) => {
      const { id: digestId, structured } = await newest();
      await service
        .db('digests')
        .where({ id: digestId })
        .update({ structured: { ...structured, actionItems: items } });
      await unseen();
      await recordStored(service.db, { userId: (await newest()).user_id, digestIds: [digestId], now: service.clock.now() });
    };
    await rewriteUnseen([]);
    expect(await state()).to.deep.equal(['withdrawn']);
    const line = { owner: 'user', ownerName: null, dueText: null, dueDate: null, lines: [1] };
    await rewrite([{ text: 'Book a call with the lawyer please', ...line }]);
    expect(await state()).to.deep.equal(['open']);
  });

  it('about which the person decided outlives a rewrite that no longer says it', async () => {
    const [{ id }] = await only('Book a call with the lawyer please');
    await post(nora, `/promises/${id}`, { action: 'done' }).expect(303);
    await rewrite([]);
    expect((await only('Book a call with the lawyer please')).map(row => row.state)).to.deep.equal(['done']);
  });
});

describe('Promises of two writers at once', () => {
  let service: Service;
  let of: { userId: string; accountId: string };

  before(async () => {
    ({ service, owner: of } = await startStored());
  });
  after(stopServices);

  async function writeDay(dialogId: string, day: string, actionItems: ActionItem[], afterMessageId = 0) {
    const { db } = service;
    const { userId } = of;
    await db.transaction(async trx => {
      const said = { dialogId, structured: { ...EMPTY_CONTENT, actionItems }, sources: NO_SOURCES };
      const [kept] = await assignKnownIds(trx, { userId }, [said]);
      // As long as a writer takes for the digests of its group.
      await sleep(20);
      const digest = { user_id: userId, dialog_id: dialogId, digest_date: day, status: 'COMPLETE', summary: 'Said.' };
      const [{ id }] = await trx('digests')
        .insert({
          ...digest,
          after_message_id: afterMessageId,
          last_message_id: 999,
          structured: JSON.stringify(kept?.structured),
        })
        .onConflict(['dialog_id', 'digest_date'])
        .merge()
        .returning('id');
      await recordStored(trx, { userId, digestIds: [id], now: new Date() });
    });
  }

  it('go back to the newest day that says it when a rewrite of a later one does not, though the first was deleted', async () => {
    const dialogId = await storeDialog(service.db, of, 'Noor');
    const [a, b, c] = ['2026-11-02', '2026-11-03', '2026-11-04'];
    const one = storedItem('Send the plan', { sourceMessageIds: ['9'] });
    for (const day of [a, b, c]) await writeDay(dialogId, day, [one]);
    const digests = () => service.db('digests').where({ dialog_id: dialogId }).orderBy('digest_date');
    const [first, second] = await digests().select('id');
    const promise = () =>
      service.db('promises').where({ dialog_id: dialogId }).first('id', 'last_digest_id', 'last_said_on', 'state');
    const { id } = await promise();
    await writeDay(dialogId, c, []);
    const back = { id, last_digest_id: second.id, state: 'open' };
    expect(await promise()).to.include(back);
    await writeDay(dialogId, c, [one]);
    await digests().where({ id: first.id }).delete();
    await writeDay(dialogId, c, []);
    const { last_said_on: day, ...rest } = await promise();
    expect(rest).to.deep.equal(back);
    expect(String(day)).to.include('Nov 03 2026');
  });

  it('are one where two days say the same', async () => {
    const dialogId = await storeDialog(service.db, of, 'Farid');
    const days = Array.from({ length: 12 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`);
    await Promise.all(days.map(day => writeDay(dialogId, day, [storedItem('Send the signed contract')])));
    const rows = await service.db('promises').where({ dialog_id: dialogId });
    expect(rows).to.have.length(1);
    const ids = await service.db('digests').where({ dialog_id: dialogId }).pluck('structured');
    expect(new Set(ids.map(({ actionItems }) => actionItems[0].id))).to.deep.equal(new Set([rows[0].item_id]));
  });

  it('rest on the newest messages where days say the same again and again', async () => {
    const dialogId = await storeDialog(service.db, of, 'Olu');
    const ids = Array.from({ length: 60 }, (_, n) => String(960 + n));
    for (const day of [0, 1, 2]) {
      const sourceMessageIds = ids.slice(20 * day, 20 * day + 20);
      await writeDay(dialogId, `2026-11-0${day + 1}`, [storedItem('Send the signed contract', { sourceMessageIds })]);
    }
    const rows = await service.db('promises').where({ dialog_id: dialogId }).pluck('source_message_ids');
    expect(rows).to.deep.equal([ids.slice(-40)]);
  });

  it('stay open where a later sync of a long day no longer reads their messages', async () => {
    const dialogId = await storeDialog(service.db, of, 'Priya');
    const early = storedItem('Send the offer today', { sourceMessageIds: ['5'] });
    const late = storedItem('Book the hotel room', { sourceMessageIds: ['450'] });
    await writeDay(dialogId, '2026-11-20', [early, late]);
    await writeDay(dialogId, '2026-11-20', [], 400);
    const rows = await service.db('promises').where({ dialog_id: dialogId }).orderBy('words').select('words', 'state');
    expect(rows).to.deep.equal([
      { words: 'Book the hotel room', state: 'withdrawn' },
      { words: 'Send the offer today', state: 'open' },
    ]);
  });
});
