import { expect } from 'chai';
import request from 'supertest';
import { closeAll, noteOn, openApi, openCrm } from './support.ts';

const MARKUP = '<b onclick="x()">Ann</b>';

describe("The CRM sandbox's pages", () => {
  afterEach(closeAll);

  async function openPages() {
    const contacts = Array.from({ length: 60 }, (_, index) => ({
      id: index + 1,
      firstname: index === 0 ? MARKUP : 'Ben',
      lastname: `No ${index}`,
      email: `no${index}@one.example`,
    }));
    const crm = await openCrm({ contacts });
    return { crm, browser: request(crm.url) };
  }

  it('list contacts with a search, a page at a time, and escape what they show', async () => {
    const { browser } = await openPages();
    const { text, headers } = await browser.get('/').expect(200);
    expect(text)
      .to.include('60 contacts')
      .and.include('Page 1 of 2')
      .and.include('&lt;b onclick=')
      .and.not.include('<b ');
    expect(headers['content-security-policy']).to.include("default-src 'none'").and.not.include('script-src');
    expect(text).not.to.match(/<script|style=/);
    expect((await browser.get('/?q=no17@one')).text)
      .to.include('1 contact ')
      .and.include('Ben No 17');
    expect((await browser.get('/?q=%3Cscript%3E')).text)
      .to.include('No contact matches')
      .and.not.include('<script>');
    expect((await browser.get('/?page=2')).text).to.include('Page 2 of 2');
    expect((await browser.get('/?page=x&q=a&q=b&account=nobody')).status).to.equal(200);
    await browser
      .get('/style.css')
      .expect('content-type', /text\/css/)
      .expect(200);
  });

  it("show a contact's properties and its notes, newest first, with harmless markup only", async () => {
    const { crm, browser } = await openPages();
    const api = await openApi(crm);
    await api('POST', '/notes', noteOn('1', '<p><strong>Older</strong><script>x()</script></p>'));
    const newer = { hs_timestamp: '2026-11-21T17:00:00Z', hs_note_body: '<p>Newer</p>' };
    await api('POST', '/notes', { ...noteOn('1'), properties: newer });
    const { text } = await browser.get('/contacts/8412077/record/0-1/1').expect(200);
    expect(text).to.include('no0@one.example').and.include('<strong>Older</strong>').and.not.include('<script>');
    expect(text.indexOf('Newer')).to.be.lessThan(text.indexOf('Older'));
    expect(text).to.include('21 Nov 2026, 17:00 UTC');
    expect((await browser.get('/')).text).to.include('2<span class="on-phone"> notes');
    await browser.get('/contacts/8412077/record/0-1/999').expect(404);
    await browser.get('/contacts/1/record/0-1/1').expect(404);
  });

  it('merge two contacts, and lead from the old address to the new one', async () => {
    const { crm, browser } = await openPages();
    const { headers } = await browser.post('/contacts/8412077/record/0-1/1/merge').type('form').send({ other: '2' });
    expect(headers.location).to.match(/^\/contacts\/8412077\/record\/0-1\/\d+\?done=merged$/);
    expect(crm.contacts()).to.have.length(59);
    const old = await browser.get('/contacts/8412077/record/0-1/2').expect(302);
    expect(headers.location).to.include(old.headers.location);
    const merge = browser.post('/contacts/8412077/record/0-1/3/merge').type('form');
    expect((await merge.send({ other: '<b>' })).status).to.equal(400);
    expect((await browser.post('/contacts/8412077/record/0-1/3/merge')).status).to.equal(400);
    expect(crm.contacts()).to.have.length(59);
  });

  it('delete a contact for their own button only', async () => {
    const { crm, browser } = await openPages();
    const path = '/contacts/8412077/record/0-1/1/delete';
    await browser.post(path).set('origin', 'https://elsewhere.example').expect(403);
    await browser.post(path).set('sec-fetch-site', 'cross-site').expect(403);
    expect(crm.contacts()).to.have.length(60);
    await browser.post(path).set('origin', crm.url).expect(303);
    expect(crm.contacts()).to.have.length(59);
    await browser.post(path).expect(404);
  });
});
