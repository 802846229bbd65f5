import { expect } from 'chai';
import request from 'supertest';
import { type Arrival, createPage, type PageAccount } from '../../sandbox/overview.ts';

const ACCOUNT: PageAccount = {
  name: '<b>Lena</b>',
  phone: '+491700000001',
  password: 'secret words',
  worldKey: 'sample',
  codes: [{ code: '24680', sentAt: new Date('2026-11-21T09:00:00Z') }],
};
const NO_CHATS = { listChats: () => ({ items: [], page: 1, pages: 1 }), readChat: () => undefined };

describe('The sandbox page', () => {
  const arrived: string[] = [];
  const scanned: string[] = [];
  const shown: string[] = [];

  function page() {
    const simulateNextDay = (worldKey: string): Arrival => {
      arrived.push(worldKey);
      return { conversations: 3, messages: 7 };
    };
    const scan = (worldKey: string) => {
      if (shown.splice(0).length === 0) throw new Error('No code is shown');
      scanned.push(worldKey);
    };
    const source = { ...NO_CHATS, accounts: () => [ACCOUNT], simulateNextDay, scan };
    const app = createPage(source, 'http://127.0.0.1:3000');
    return request.agent(app).host('127.0.0.1');
  }

  beforeEach(() => arrived.splice(0));

  it('shows phone, password and codes, and escapes what it shows', async () => {
    const { text } = await page().get('/').expect(200);
    expect(text).to.include('+491700000001').and.include('secret words').and.include('24680');
    expect(text).to.include('&lt;b&gt;Lena').and.not.include('<b>Lena');
  });

  it('simulates a new day at the press of a button, and says once what arrived', async () => {
    const browser = page();
    await browser.post('/new-day').type('form').send({ account: 'sample' }).expect(303);
    expect(arrived).to.deep.equal(['sample']);
    expect((await browser.get('/')).text).to.include('7 messages in 3 conversations');
    expect((await browser.get('/')).text).not.to.include('7 messages');
  });

  it('rejects other sites', async () => {
    await page().post('/new-day').set('origin', 'https://elsewhere.example').expect(403);
    await page().post('/new-day').set('sec-fetch-site', 'cross-site').expect(403);
    await page().get('/state').set('host', 'elsewhere.example').expect(403);
    expect(arrived).to.deep.equal([]);
  });
});
