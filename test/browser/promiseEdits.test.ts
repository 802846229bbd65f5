import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { storeAccount, storeDialog, storePromise } from '../features/pages/today/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('A promise of one’s own', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    await storeDialog(service.db, owner, 'Katrin Vogel');
    await storePromise(service.db, owner, 'Send the offer');
  });
  after(stopServices);

  async function open(path: string): Promise<Page> {
    const page = await tester.open();
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    return page;
  }

  it('is added by a key and a line, and gone again by Undo', async () => {
    const page = await open('/promises');
    await page.keyboard.press('a');
    await page.waitForURL('**/promises/new**');
    await page.keyboard.type('Call Katrin tomorrow 9:00');
    await page.keyboard.press('Enter');
    await page.getByLabel('Words').waitFor();
    expect(await page.getByLabel('Words').inputValue()).to.equal('Call Katrin');
    await page.getByLabel('Conversation').selectOption({ label: 'Ada Lovelace' });
    expect(await page.getByLabel('Whose').innerText()).to.include('Ada Lovelace');
    await page.getByRole('button', { name: 'Add promise' }).click();
    await page.locator('.toast').getByText('Added: Call Katrin').waitFor();
    await page.keyboard.press('z');
    await page.locator('.prom', { hasText: 'Call Katrin' }).waitFor({ state: 'detached' });
  });

  it('is edited by a key on its row, and as it was by Undo', async () => {
    const page = await open('/promises');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByLabel('Words').fill('Send both offers');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast').getByText('Saved: Send both offers').waitFor();
    await page.keyboard.press('z');
    await page.locator('.prom .w').getByText('Send the offer').waitFor();
  });
});
