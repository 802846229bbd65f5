import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectNothingInline, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectMessenger, secretsOf, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';
import { storeAccount } from '../pages/today/stored.ts';

const PHONE = owner.phone ?? '';
const PASSWORD = 'correct horse';
const HOSTILE = '<img src=x onerror=alert(1)>';

const people = [person(5001, { firstName: HOSTILE }), person(5002, { isBot: true }), person(5003)];
const conversations = people.map(({ id }) => dialog(`user:${id}`, [message(id, { from: id })]));
const worlds = [world({ password: PASSWORD, users: people, dialogs: conversations })];

describe('The connect wizard', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds, worker: false, env: { RATE_LIMIT_CONNECT: '20' } });
  });
  beforeEach(async () => {
    nora = await signIn(service, `nora${Math.random()}@example.com`);
  });
  after(stopServices);

  it('redirects only once the step is stored, however long that takes', async () => {
    const cookies = new Map<string, string>();
    const send = async (path: string, form: Record<string, string>) => {
      const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
      // Resolves with the first byte of the answer, as a browser that is led on.
      const sent = { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' } as const;
      const answer = await fetch(`${service.url}${path}`, sent);
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return answer.headers.get('location');
    };
    await send('/api/auth/callback/dev-credentials', { email: `led${Math.random()}@example.com` });
    expect(await send('/connect', { phone: PHONE })).to.equal('/connect/code');
    const slow = await service.db.transaction();
    try {
      // Sessions can be read meanwhile; whoever stores one waits.
      await slow.raw('lock table browser_sessions in exclusive mode');
      let isAnswered = false;
      const answer = send('/connect/code', { code: secretsOf(service, PHONE).code }).finally(() => {
        isAnswered = true;
      });
      const held = service.db('pg_locks').whereRaw(`not granted and relation = 'browser_sessions'::regclass`);
      while (!isAnswered && (await held.clone()).length === 0) await sleep(20);
      await sleep(50);
      expect(isAnswered).to.equal(false);
      await slow.commit();
      expect(await answer).to.equal('/connect/password');
    } finally {
      if (!slow.isCompleted()) await slow.rollback();
    }
  });

  it('opens no later step before the first one', async () => {
    for (const path of ['/connect/code', '/connect/password']) {
      await nora.get(path).expect(303).expect('Location', '/connect');
      await post(nora, path, { code: '12345', password: 'x' }).expect(303).expect('Location', '/connect');
    }
  });
});

describe('Pages of a connected account', () => {
  let service: Service;
  let nora: Agent;
  let sam: Agent;
  let accountId: string;

  before(async () => {
    service = await startService({ worlds, worker: false });
    [nora, sam] = [await signIn(service, 'nora@example.com'), await signIn(service, 'sam@example.com')];
    accountId = await connectMessenger(service, nora, PHONE);
  });
  after(stopServices);

  it('list the conversations, with a switch or the reason why there is none', async () => {
    const { text } = await nora.get('/conversations').expect(200);
    expect(text).to.include('&lt;img src=x onerror=alert(1)&gt;').and.not.include('<img');
    expect(wordsOf(text)).to.include('Bots are never read.');
    expect(text.match(/role="switch"/g)).to.have.length(2);
    for (const [unreadable, words] of [
      ['self', 'Your saved messages are never read.'],
      ['channel', 'Broadcast channels are never read.'],
      ['deleted', 'This account was deleted.'],
      ['bot', 'Bots are never read.'],
    ] as const) {
      await service.db('dialogs').where({ peer_type: 'bot' }).update({ unreadable });
      expect(wordsOf((await nora.get('/conversations').expect(200)).text), unreadable).to.include(words);
    }
    expectNothingInline(text.replaceAll('onerror=', ''));
    expect(wordsOf((await sam.get('/conversations').expect(200)).text)).to.include('Nothing here yet');
  });

  it('list a hundred conversations a page, of the connected accounts alone', async () => {
    const many = await signIn(service, 'many@example.com');
    const { userId, accountId: own } = await storeAccount(service.db, 'many@example.com');
    await service.db('messenger_accounts').where({ id: own }).update({ status: 'expired', credentials: null });
    await service.db.raw(
      `insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name, last_message_at)
       select ?, ?, 'user:' || n, 'user', 'user', n, 'Person ' || n, now() - n * interval '1 hour' from generate_series(1, 250) n`,
      [userId, own],
    );
    const third = wordsOf((await many.get('/conversations?page=3').expect(200)).text);
    expect(third.match(/Person \d+/g)?.slice(0, 1)).to.deep.equal(['Person 201']);
    expect(third)
      .to.include('All 250')
      .and.include('Page 3 of 3')
      .and.include('Person 250')
      .and.not.include('Person 200')
      .and.not.include('Show the rest');
    expect(wordsOf((await many.get('/conversations?page=2').expect(200)).text)).to.include('Show the rest');
    expect(wordsOf((await many.get('/conversations?page=4').expect(200)).text)).to.include('All 250');
    await service.db('messenger_accounts').where({ id: own }).update({ status: 'inactive' });
    expect(wordsOf((await many.get('/conversations').expect(200)).text)).to.include('Nothing here yet');
  });

  it('ask for confirmation before disconnecting, and only the owner', async () => {
    const path = `/settings/connections/${accountId}/disconnect`;
    await sam.get(path).expect(404);
    await post(sam, path).expect(404);
    expect(wordsOf((await nora.get(path).expect(200)).text))
      .to.include('Disconnect Telegram?')
      .and.include('Nora Lind');
    await nora.get('/settings/connections/nothing/disconnect').expect(404);
    await post(nora, path).expect(303).expect('Location', '/settings');
    const words = wordsOf((await nora.get('/settings')).text);
    expect(words).to.include('The session is ended and erased').and.include('Connect again');
    await nora.get(path).expect(404);
    expect(wordsOf((await nora.get('/today')).text)).to.include('Telegram is disconnected');
  });
});
