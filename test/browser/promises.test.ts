import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/lib/timezones.ts';
import { dayAgo, startStored, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { type Service, stopServices } from '../support/service.ts';
import { countLoads, inBrowser, openAs, rowOf, said } from './browser.ts';

const EMAIL = 'nora@example.com';
const TODAY = dayAgo(0);
const RING = "getComputedStyle(document.activeElement.closest('[data-row]')).outlineStyle";

inBrowser('Promises', tester => {
  let service: Service;

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service } = started);
    const actionItems = [
      storedItem('Send it', { dueDate: dayAgo(1) }),
      storedItem('Sign it', { dueDate: TODAY }),
      storedItem('Call'),
      storedItem('Write'),
    ];
    await storeDigest(service.db, owner, { structured: { actionItems } });
  });
  after(stopServices);
  beforeEach(async () => {
    await service.db('promises').update({ state: 'open', snoozed_until: null, previous: null });
  });

  async function open() {
    const page = await openAs(tester, { service, email: EMAIL, path: '/promises' });
    return { page, loads: countLoads(page) };
  }
  const current = (page: Page) =>
    page.evaluate("document.activeElement.closest('[data-row]')?.querySelector('.w').textContent");
  const stateOf = async (words: string) => (await service.db('promises').where({ words }).first('state')).state;

  it('are struck at once when ticked, stay for four seconds and leave, and come back by Undo', async () => {
    const { page, loads } = await open();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 30_000);
    await page.getByRole('button', { name: 'Done: Send it' }).click();
    const row = rowOf(page, 'Send it');
    await said(page, 'Done: Send it. Undo with Z');
    expect(await row.getAttribute('class')).to.include('is-done');
    expect(await page.locator('#n-overdue').innerText()).to.equal('0');
    expect(await page.locator('#owed').innerText()).to.equal('You owe 3. Others owe you nothing.');
    expect(await page.locator('#due-side').innerText()).to.match(/^1/);
    expect(await page.locator('#open-side').innerText()).to.match(/^3/);
    await page.clock.runFor(2500);
    expect(await row.isVisible()).to.equal(true);
    await page.clock.runFor(2000);
    expect(await row.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(await row.getAttribute('class')).not.to.include('is-done');
    expect(await stateOf('Send it')).to.equal('open');
    expect(loads()).to.equal(0);
  });

  it('are decided by keys alone, and the focus goes on to the next row', async () => {
    const { page, loads } = await open();
    await page.keyboard.press('j');
    expect(await current(page)).to.equal('Send it');
    expect(await page.evaluate(RING)).to.equal('solid');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await current(page)).to.equal('Send it');
    await page.keyboard.press('Enter');
    expect(await page.locator('.panel').first().isVisible()).to.equal(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('.panel').first().isVisible()).to.equal(false);
    await page.keyboard.press('s');
    await page.keyboard.press('1');
    await said(page, 'Back on');
    await rowOf(page, 'Send it').waitFor({ state: 'hidden' });
    expect(await current(page)).to.equal('Sign it');
    expect(await stateOf('Send it')).to.equal('snoozed');
    await page.keyboard.press('z');
    await rowOf(page, 'Send it').waitFor();
    expect(await current(page)).to.equal('Send it');
    await page.keyboard.press('n');
    await said(page, 'Not a task: Send it');
    await rowOf(page, 'Send it').waitFor({ state: 'hidden' });
    await page.keyboard.press('x');
    await said(page, 'Done: Sign it');
    expect(await stateOf('Sign it')).to.equal('done');
    expect(loads()).to.equal(0);
  });

  it('show all keys in a dialog, and leave fields and turned-off keys alone', async () => {
    const { page } = await open();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.type('jx');
    expect(await page.getByRole('searchbox').inputValue()).to.equal('jx');
    await page.context().addCookies([{ name: 'keys', value: 'off', url: service.url }]);
    await page.goto(`${service.url}/promises`);
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await current(page)).to.equal(undefined);
    expect(await service.db('promises').whereNot({ state: 'open' })).to.deep.equal([]);
  });

  it('are selected and put off together until a day, in place, and come back together', async () => {
    const { page, loads } = await open();
    await page.keyboard.press('j');
    for (let n = 0; n < 2; n++) await page.keyboard.press('j');
    const first = await current(page);
    await page.keyboard.press('Shift+X');
    await page.locator('#selected', { hasText: '1 selected' }).waitFor();
    expect(await current(page)).to.equal(first);
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.locator('#selected', { hasText: '2 selected' }).waitFor();
    await page.locator('.bulkbar .menu > summary').click();
    await page.getByLabel('Pick a day').last().fill(addDays(TODAY, 9));
    await page.getByRole('button', { name: 'Set' }).last().click();
    await said(page, '2 promises');
    await rowOf(page, 'Call').waitFor({ state: 'detached' });
    expect(await stateOf('Write')).to.equal('snoozed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, 'Call').waitFor();
    await rowOf(page, 'Write').waitFor();
    expect(await stateOf('Call')).to.equal('open');
    expect(loads()).to.equal(0);
  });
});
