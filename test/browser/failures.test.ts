import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort } from '../support/freePort.ts';
import { connectMessenger, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, owner, world } from '../support/worlds.ts';
import { inBrowser, openAs } from './browser.ts';

const PHONE = owner.phone ?? '';

inBrowser('Errors in the browser', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await freePort(), worlds: [world(crowd(4))] });
    await connectMessenger(service, await signIn(service, 'nora@example.com'), PHONE);
  });
  after(stopServices);
  afterEach(() => service.sandbox.faults.clear());

  const open = (path: string) => openAs(tester, { service, email: 'nora@example.com', path });
  const sync = (page: Page) =>
    page
      .getByRole('button', { name: /Sync now|Try again|Read my conversations/ })
      .locator('visible=true')
      .first();

  it('of a sync is shown, with a retry that works once it is over', async () => {
    service.sandbox.faults.next({ on: 'messages.GetDialogs', times: 9, status: 400, message: 'MSG_ID_INVALID' });
    const page = await open('/today');
    await sync(page).click();
    await page.getByRole('heading', { name: /^Stopped at/ }).waitFor();
    service.sandbox.faults.clear();
    await sync(page).click();
    await page.getByRole('heading', { name: /^Synced/ }).waitFor();
  });

  it('of the network is shown next to the button until it works again', async () => {
    tester.expectError(/^net::ERR_FAILED POST \/settings/);
    tester.expectError(/htmx:error: Failed to fetch/);
    const page = await open('/settings');
    await page.route('**/settings', route =>
      route.request().method() === 'POST' ? route.abort('failed') : route.continue(),
    );
    await page.getByLabel('Minimum new messages for a digest').fill('3');
    await page.getByRole('button', { name: 'Save digest settings' }).click();
    await page.getByRole('alert').getByText('You seem to be offline').waitFor();
    expect(await page.getByLabel('Minimum new messages for a digest').inputValue()).to.equal('3');
    await page.unroute('**/settings');
    await page.getByRole('button', { name: 'Save digest settings' }).click();
    await page.getByText('Saved').first().waitFor();
    expect(await page.getByText('You seem to be offline').count()).to.equal(0);
  });
});
