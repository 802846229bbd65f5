import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';
import { type Reviewer, startReviewer } from './reviewer.ts';

inBrowser('A session that ends in the middle', tester => {
  let reviewer: Reviewer;

  before(async () => {
    reviewer = await startReviewer({ names: ['Bruno', 'Irina', 'Kwame'] });
  });
  after(stopServices);

  const open = (path: string) => openAs(tester, { service: reviewer.service, email: reviewer.email, path });
  const endSessions = () => reviewer.service.db('user_sessions').del();
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

  async function signInAgain(page: Page) {
    await page.waitForURL('**/signin?*');
    await page.getByLabel('Email', { exact: true }).first().fill(reviewer.email);
    await press(page, 'Sign in without email');
  }

  it('keeps typed form values, once', async () => {
    tester.expectError(/^401 POST \/settings/);
    const page = await open('/settings');
    await page.getByLabel('Minimum new messages for a digest').fill('17');
    await page.getByLabel('Include groups').check();
    await endSessions();
    await press(page, 'Save digest settings');
    await signInAgain(page);
    await page.waitForURL('**/settings');
    await page.locator('#minMessages[value]').waitFor();
    expect(await page.getByLabel('Minimum new messages for a digest').inputValue()).to.equal('17');
    expect(await page.getByLabel('Include groups').isChecked()).to.equal(true);
    await page.reload();
    expect(await page.getByLabel('Minimum new messages for a digest').inputValue()).to.equal('1');
  });
});
