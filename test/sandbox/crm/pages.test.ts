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
});
