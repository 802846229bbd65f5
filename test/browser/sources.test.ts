import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { INVOICE } from '../features/digests/quotes.ts';
import { dayAgo, startStored, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { freePort } from '../support/freePort.ts';
import { type Service, stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const HELEN = 'Helen signs if the invoice is dated after December 1.';
const ANSWERS = 'All 86 answers of the security questionnaire are in.';
const ITEM = storedItem('Send Farid the invoice', { sourceMessageIds: ['12'] });

/** As a screen reader has it. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

inBrowser('A sentence that knows its source', tester => {
  let service: Service;
  let farid: { dialogId: string; digestId: string };
  let tomasz: { dialogId: string; digestId: string };

  before(async () => {
    const { owner, ...started } = await startStored(undefined, { port: await freePort() });
    ({ service } = started);
    const sent = (id: string, time: string, fromUser = false) => ({
      ...{ id, fromUser, sender: 'Farid Nazari', sentAt: `${dayAgo(0)}T${time}:00Z` },
    });
    const sources = {
      sentences: [
        { from: 0, to: HELEN.length, messageIds: ['11', '12'] },
        { from: HELEN.length + 1, to: HELEN.length + 1 + ANSWERS.length, messageIds: ['13'] },
      ],
      messages: [sent('11', '16:58'), sent('12', '17:03', true), sent('13', '17:42')],
    };
    farid = await storeDigest(service.db, owner, {
      ...{ name: 'Farid Nazari', summary: `${HELEN} ${ANSWERS}`, sources },
      structured: { urgency: 'high', actionItems: [ITEM] },
    });
    await service.db('dialogs').where({ id: farid.dialogId }).update({ peer_username: 'farid_b' });
    tomasz = await storeDigest(service.db, owner, {
      ...{ name: 'Tomasz Wrona', summary: 'Tomasz: can you put the PO number on it, 44817' },
      structured: { urgency: 'high', language: 'en', exchanges: INVOICE },
      sources: { sentences: [], messages: [sent('11', '09:14'), sent('12', '09:20', true)] },
    });
  });
  after(stopServices);

  const open = (path: string) => openAs(tester, { service, email: EMAIL, path });
  const conversation = () => `/conversations/${farid.dialogId}`;
  const sentence = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const panels = (page: Page) => page.locator('.said ~ .from').locator('visible=true');
  const current = (page: Page) => page.locator('.sent[aria-current]');

  it('shows it in its place, one at a time', async () => {
    const page = await open('/today');
    expect(await panels(page).count()).to.equal(0);
    await page.locator('details.line > summary', { hasText: 'Farid Nazari' }).click();
    await sentence(page, HELEN).click();
    expect(await panels(page).allInnerTexts()).to.have.length(1);
    const told = (await panels(page).innerText()).replaceAll(/\s+/g, ' ');
    expect(told).to.match(/^Farid Nazari, \w{3} \d+ \w{3,4}, 16:58\. You, 17:03\. Open chat in Telegram Add as a promise$/);
    expect(await page.locator('#say').textContent()).to.include('16:58');
    await sentence(page, ANSWERS).click();
    expect(await panels(page).innerText()).to.include('17:42');
    expect(await current(page).allInnerTexts()).to.deep.equal([ANSWERS]);
    expect(new URL(page.url()).hash).to.equal('');
    await sentence(page, ANSWERS).click();
    expect([await panels(page).count(), await current(page).count()]).to.deep.equal([0, 0]);
  });

  it('opens and closes with the keyboard, and the focus returns to it', async () => {
    const page = await open(conversation());
    await sentence(page, HELEN).focus();
    await page.keyboard.press('Enter');
    await panels(page).getByRole('link', { name: 'Open chat in Telegram' }).focus();
    await page.keyboard.press('Escape');
    expect(await panels(page).count()).to.equal(0);
    expect(await page.locator(':focus').innerText()).to.equal(HELEN);
  });

  it('may be a line in someone’s own words', async () => {
    const page = await open(`/conversations/${tomasz.dialogId}`);
    const quote = page.locator('.quotes > li').first();
    expect((await quote.locator('.q').allTextContents()).map(plain)).to.deep.equal([
      'Tomasz: can you put the PO number on it, 44817',
      'You answered: file INV-2026-031_rev.pdf done',
    ]);
    await sentence(page, 'file INV-2026-031_rev.pdf').click();
    const panel = page.locator('.quotes .from').locator('visible=true');
    expect(plain(await panel.innerText())).to.match(/^You, \w{3} \d+ \w{3,4}, 09:20\. Add as a promise$/);
    expect(await page.locator('.quotes .sent').count()).to.equal(2);
  });
});
