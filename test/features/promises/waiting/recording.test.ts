import { expect } from 'chai';
import { post } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { withoutPauses } from '../../../support/skipPauses.ts';
import { until } from '../../../support/until.ts';
import { dialog, firstMessageAt, message, owner, person, world } from '../../../support/worlds.ts';
import { type WorldLine, writeLines } from '../../../support/writeLines.ts';

const ANNA = 2001;
const KEY = `user:${ANNA}`;
const HOUR = 3600 * 1000;

describe('A question to the user', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const talk = [
      message(1, { from: ANNA, text: 'Good morning, the samples arrived on Tuesday.' }),
      message(2, { from: owner.id, text: 'Great to hear.' }),
    ];
    const worlds = [world({ users: [person(ANNA)], dialogs: [dialog(KEY, talk)] })];
    service = await startService({ worlds });
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  afterEach(stopServices);

  const write = (...lines: WorldLine[]) => writeLines(service, KEY, lines);
  const questions = () => service.db('waiting_questions').orderBy('message_id');
  const wordsOf = async () => (await questions()).map(({ words }) => words);
  const nextDay = () => service.clock.advance(24 * HOUR);
  const ask = async () => {
    nextDay();
    write([ANNA, 'Do the tags survive a blast freezer?']);
    await syncNow(nora);
  };

  it('is kept in the words of the digest, with its message and time, until the user answers', async () => {
    expect(await questions()).to.deep.equal([]);
    await ask();
    const [question] = await questions();
    const { summary } = await service.db('digests').orderBy('digest_date', 'desc').first();
    expect(question.words).to.equal('“Do the tags survive a blast freezer?”');
    expect(summary).to.match(/: Do the tags survive a blast freezer\?$/m);
    expect(question.dismissed_at).to.equal(null);
    expect(question.asked_at.getTime()).to.be.within(firstMessageAt * 1000, Date.now());
    const { sources } = await service.db('digests').orderBy('digest_date', 'desc').first();
    expect(JSON.stringify(sources)).to.include(`"${question.message_id}"`);
    nextDay();
    write([owner.id, 'Yes, down to minus sixty.'], [ANNA, 'Wonderful, thank you.']);
    await syncNow(nora);
    expect(await questions()).to.deep.equal([]);
  });

  it('is kept and answered on days that are too quiet for a digest', async () => {
    await nora.post('/api/settings').send({ minMessages: 5 }).expect(200);
    await ask();
    expect((await wordsOf())[0]).to.match(/blast freezer/);
    nextDay();
    write([owner.id, 'They do.']);
    await syncNow(nora);
    expect(await questions()).to.deep.equal([]);
    const states = (await service.db('digests').orderBy('digest_date')).map(({ status }) => status);
    expect(states.slice(-1)).to.deep.equal(['SKIPPED']);
  });

  it('stays through thanks, a sticker of either side and a rewrite of its digest', async () => {
    await ask();
    const before = await questions();
    const digest = await service.db('digests').orderBy('digest_date', 'desc').first();
    await post(nora, `/digests/${digest.id}/regenerate`, { style: 'DETAILED' }).expect(303);
    await until(async () => (await service.db('digests').where({ id: digest.id }).first()).style === 'DETAILED');
    nextDay();
    write([ANNA, 'ok thanks'], [ANNA, '[sticker 👋]'], [owner.id, '[sticker 😀]']);
    await syncNow(nora);
    expect(await questions()).to.deep.equal(before);
  });

  it('is stored with its digest or not at all, and once when an interrupted sync is repeated', async () => {
    nextDay();
    await service.db.raw(`
      create function cut() returns trigger language plpgsql as $$ begin raise exception 'cut'; end $$;
      create trigger cut before update of cursor_message_id on dialogs for each row execute function cut()
    `);
    write([ANNA, 'Do the tags survive a blast freezer?']);
    await withoutPauses(service.db, () => syncNow(nora));
    expect(await questions()).to.deep.equal([]);
    await service.db.raw('drop function cut cascade');
    for (let times = 0; times < 2; times++) {
      await syncNow(nora);
      expect(await questions()).to.have.length(1);
    }
  });
});

describe('A question in a group', () => {
  after(stopServices);

  it('waits where it is asked of all or of the user, until someone else answers it, and not where it replies to somebody else', async () => {
    const [TOM, ZOE] = [2002, 2003];
    const lena = { ...owner, username: 'noralind' };
    const talk = (lines: Partial<Parameters<typeof message>[1]>[]) =>
      lines.map((line, at) => message(at + 1, { from: TOM, ...line }));
    const chats = [1, 2, 3, 4].map(id => ({ kind: 'supergroup', id: 7000 + id, title: `Group ${id}`, username: null }));
    const dialogs = [
      dialog(
        'channel:7001',
        talk([{ text: 'We open at nine.' }, { from: ZOE, text: 'Which entrance do you mean?', replyTo: 1 }]),
      ),
      dialog('channel:7002', talk([{ text: '@noralind can you send me the floor plan?' }])),
      dialog(
        'channel:7003',
        talk([
          { from: owner.id, text: 'I have the plan.' },
          { text: 'Can you send it to me?', replyTo: 1 },
        ]),
      ),
      dialog(
        'channel:7004',
        talk([
          { text: '@noralind can you send me the floor plan?' },
          { from: ZOE, text: 'Here it is, on page two of the offer.', replyTo: 1 },
        ]),
      ),
    ];
    const service = await startService({
      worlds: [world({ owner: lena, users: [person(TOM), person(ZOE)], chats: chats as never, dialogs })],
    });
    const nora = await connectedNora(service);
    await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    await syncNow(nora);
    const waiting = service.db('waiting_questions').join('dialogs', 'dialogs.id', 'dialog_id').orderBy('peer_name');
    expect(await waiting.clone().pluck('peer_name')).to.deep.equal(['Group 2', 'Group 3']);
    for (const [from, text, left] of [
      [TOM, 'It is for the stand in hall four.', ['Group 2', 'Group 3']],
      [ZOE, 'Here it is, on page two of the offer.', ['Group 3']],
    ] as const) {
      service.clock.advance(24 * HOUR);
      service.sandbox.addMessages('test', 'channel:7002', [{ from, text, replyTo: 1 }]);
      await syncNow(nora);
      expect(await waiting.clone().pluck('peer_name'), text).to.deep.equal(left);
    }
  });
});
