import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addDays, localDay, mondayOf } from '../../src/lib/timezones.ts';
import { storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { storeQuestion } from '../features/promises/waiting/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { countLoads, inBrowser, openAs, rowOf, said } from './browser.ts';

const EMAIL = 'nora@example.com';
/** The Wednesday of this week: the browser goes by the machine's clock, and would drop a session that ends before. */
const TODAY = addDays(mondayOf(localDay(new Date(), 'UTC')), 2);
const day = (days: number) => addDays(TODAY, days);

inBrowser('The week', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
    service.clock.advance(Date.parse(`${TODAY}T10:00:00Z`) - Date.now());
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    const due = (words: string, days: number) => storedItem(words, { dueDate: day(days) });
    const old = await storeDigest(service.db, owner, { day: day(-9), structured: { actionItems: [due('Last week', -7)] } });
    const actionItems = [due('Send it', -1), due('Sign it', 1), due('Call', 5)];
    await storeDigest(service.db, owner, { dialogId: old.dialogId, day: day(-1), structured: { actionItems } });
    await storeQuestion(service.db, owner.userId, { dialogId: old.dialogId, askedAt: `${day(-5)}T10:00:00Z` });
  });
  after(stopServices);
  beforeEach(async () => {
    await service.db('promises').update({ state: 'open', snoozed_until: null, previous: null, changed_by: null });
    await service.db('waiting_questions').update({ dismissed_at: null });
  });

  async function open() {
    const page = await openAs(tester, { service, email: EMAIL, path: '/week' });
    return { page, loads: countLoads(page) };
  }
  const headline = (page: Page, words: string) => page.getByRole('heading', { level: 1, name: words }).waitFor();

  it('strikes what is ticked at once and counts it as kept after four seconds, also in the headline and the chart', async () => {
    const { page, loads } = await open();
    await page.clock.install();
    await headline(page, 'Kept so far this week: 0 of 1 promise.');
    await page.getByRole('button', { name: 'Done: Send it' }).click();
    await said(page, 'Done: Send it. Undo with Z');
    expect(await rowOf(page, 'Send it').getAttribute('class')).to.include('is-done');
    await page.clock.runFor(4500);
    await headline(page, 'Kept so far this week: 1 of 1 promise.');
    expect(await page.locator('#kept').innerText()).to.include('Send it');
    expect(await page.locator('svg[role="img"]:visible').getAttribute('aria-label')).to.include('to 1 of 2.');
    await page.keyboard.press('z');
    await headline(page, 'Kept so far this week: 0 of 1 promise.');
    await rowOf(page, 'Send it').waitFor();
    expect(loads()).to.equal(0);
  });
});
