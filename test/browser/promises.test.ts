import { expect } from 'chai';
import { dayAgo, storeAccount, storeDigest, storedItem } from '../features/today/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('Promises without JavaScript', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    const actionItems = [storedItem('Send it', { dueDate: dayAgo(0) }), storedItem('Call'), storedItem('Write')];
    await storeDigest(service.db, owner, { structured: { actionItems } });
  });
  after(stopServices);

  it('are done, put off and decided together by forms alone, each with Undo', async () => {
    const page = await tester.open({ javaScript: false });
    const rows = page.locator('.prom');
    const undo = page.getByRole('button', { name: 'Undo' });
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}/promises`);
    await page.getByRole('button', { name: 'Done: Send it' }).click();
    expect(await rows.count()).to.equal(2);
    await undo.click();
    expect(await rows.count()).to.equal(3);
    await page.locator('.menu > summary').first().click();
    await page
      .getByRole('button', { name: /^Tomorrow/ })
      .first()
      .click();
    expect(await page.locator('.toast').innerText()).to.match(/Back on .*: Send it/);
    await undo.click();
    await page.getByRole('link', { name: /^Select.*No day$/ }).click();
    await page.getByRole('link', { name: 'Select all 2' }).click();
    await page.getByRole('button', { name: 'Not a task', exact: true }).click();
    expect(await page.locator('.toast').innerText()).to.include('Not a task: 2 promises');
    expect(await rows.count()).to.equal(1);
    await undo.click();
    expect(await rows.count()).to.equal(3);
  });
});
