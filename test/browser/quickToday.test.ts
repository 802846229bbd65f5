import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayAgo, startStored, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { freePort } from '../support/freePort.ts';
import { type Service, stopServices } from '../support/service.ts';
import { countLoads, holdAnswers, inBrowser, openAs, said } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('The views and days of Today', tester => {
  let service: Service;

  before(async () => {
    const { owner, ...started } = await startStored(undefined, { port: await freePort() });
    ({ service } = started);
    const structured = { urgency: 'high' as const, actionItems: [storedItem('Send the agreement')] };
    await storeDigest(service.db, owner, { name: 'Farid Nazari', structured });
    await storeDigest(service.db, owner, { name: 'Hanna Virtanen', summary: 'Hanna likes the agreement.' });
    await storeDigest(service.db, owner, { name: 'Olu Adeyemi', day: dayAgo(1), summary: 'Olu wrote at length.' });
    const many = Array.from({ length: 70 }, (_, n) => ({ name: `Peer ${n}`, day: dayAgo(2), summary: 'Word.' }));
    for (const digest of many) await storeDigest(service.db, owner, digest);
  });
  after(stopServices);

  /** Today, and how many documents the browser loads from now on. */
  async function open(path = '/today') {
    const page = await openAs(tester, { service, email: EMAIL, path });
    return { page, loads: countLoads(page) };
  }
  const choose = async (page: Page, name: string | RegExp) => {
    await page.locator('.left-sidebar').getByRole('link', { name }).click();
  };
  const pathOf = (page: Page) => page.url().slice(service.url.length);
  /** As they are in the document: a row the browser has not drawn yet shows no text. */
  const names = (page: Page) => page.locator('#list :is(h3, .who > a, .line .n)').allTextContents();
  const current = async (page: Page) => page.locator('.left-sidebar .nav:not(.nav--main) [aria-current]').allInnerTexts();

  it('load without a new page, and so does going back', async () => {
    const { page, loads } = await open();
    await choose(page, /^Urgent/);
    await said(page, '1 digest');
    expect(pathOf(page)).to.equal('/today?view=urgent');
    expect(await names(page)).to.deep.equal(['Farid Nazari']);
    expect((await current(page))[0]).to.match(/^Urgent/);
    await choose(page, /^Yesterday/);
    await page.getByText('Olu wrote at length').first().waitFor();
    expect(pathOf(page)).to.equal(`/today?day=${dayAgo(1)}`);
    expect((await current(page)).map(words => words.split('\n')[0])).to.deep.equal(['The day', 'Yesterday']);
    expect(await page.locator('h1').innerText()).to.equal('One digest.');
    expect(await page.title()).to.match(/^\w+ \d+ \w+ – Forenoon$/);
    await page.goBack();
    await page.locator('#views-sidebar-urgent[aria-current]').waitFor();
    expect(pathOf(page)).to.equal('/today?view=urgent');
    expect(await names(page)).to.deep.equal(['Farid Nazari']);
    await page.goBack();
    await page.getByText('Hanna likes the agreement').first().waitFor();
    expect(pathOf(page)).to.equal('/today');
    expect(await page.title()).to.equal('Today – Forenoon');
    await page.goForward();
    await page.locator('#views-sidebar-urgent[aria-current]').waitFor();
    expect(loads()).to.equal(0);
  });

  it('and the search replace each other', async () => {
    const { page, loads } = await open();
    const field = page.getByRole('searchbox');
    await field.pressSequentially('agreement');
    await said(page, '2 digests');
    expect(await page.locator('mark').allTextContents()).to.deep.equal(['agreement', 'agreement']);
    await choose(page, /^Urgent/);
    await page.waitForURL('**/today?q=agreement&view=urgent');
    expect(await field.inputValue()).to.equal('agreement');
    await choose(page, /^Yesterday/);
    await page.getByText('Olu wrote at length').first().waitFor();
    expect(await field.inputValue()).to.equal('');
    await page.goBack();
    await page.waitForURL('**/today?q=agreement&view=urgent');
    await page.locator('mark').first().waitFor();
    expect(await field.inputValue()).to.equal('agreement');
    expect(loads()).to.equal(0);
  });

  it('show the last choice, however slow the previous answer', async () => {
    const { page } = await open();
    const release = await holdAnswers(page, '**/today?view=urgent');
    await choose(page, /^Urgent/);
    await choose(page, /^Yesterday/);
    await page.getByText('Olu wrote at length').first().waitFor();
    await page.waitForURL(`**/today?day=${dayAgo(1)}`);
    release();
    await page.waitForTimeout(300);
    expect(pathOf(page)).to.equal(`/today?day=${dayAgo(1)}`);
    expect(await names(page)).to.deep.equal(['Olu Adeyemi']);
  });
});
