import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startStored, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { freePort } from '../support/freePort.ts';
import { type Service, stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('A change that could not be saved', tester => {
  let service: Service;

  before(async () => {
    const { owner, ...started } = await startStored(undefined, { port: await freePort() });
    ({ service } = started);
    const actionItems = [storedItem('Send the agreement'), storedItem('Book the call')];
    await storeDigest(service.db, owner, { name: 'Farid Nazari', structured: { urgency: 'high', actionItems } });
  });
  after(stopServices);

  const open = () => openAs(tester, { service, email: EMAIL, path: '/today', look: { width: 390 } });
  const tick = (page: Page, name: string) => page.getByRole('button', { name: `Done: ${name}` });

  it('is reported at the row, which works again once online', async () => {
    tester.expectError(/^net::ERR_INTERNET_DISCONNECTED/);
    tester.expectError(/htmx:error: Failed to fetch/);
    const page = await open();
    await page.context().setOffline(true);
    await tick(page, 'Send the agreement').tap();
    const row = page.locator('.prom', { hasText: 'Send the agreement' });
    const alert = row.getByRole('alert');
    await alert.getByText('Not saved. You seem to be offline.').waitFor();
    expect((await alert.boundingBox())?.y, 'on the screen').to.be.within(0, 844);
    await page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).tap();
    await page.locator('.toast').waitFor();
    expect(await page.getByText('Not saved').count()).to.equal(0);
    expect(await service.db('promises').where({ state: 'done' })).to.have.length(1);
  });
});
