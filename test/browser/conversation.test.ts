import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayAgo, startStored, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { type Service, stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('The page of a conversation', tester => {
  let service: Service;
  let farid: string;

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service } = started);
    const actionItems = [
      storedItem('Send it', { dueDate: dayAgo(1) }),
      storedItem('Sign it', { dueDate: dayAgo(0) }),
      storedItem('Return it', { owner: 'contact', ownerName: 'Farid' }),
    ];
    ({ dialogId: farid } = await storeDigest(service.db, owner, { name: 'Farid Nazari', structured: { actionItems } }));
  });
  after(stopServices);
  beforeEach(async () => {
    await service.db('promises').update({ state: 'open', snoozed_until: null, previous: null, changed_by: null });
    await service.db('dialogs').update({ is_pinned: false, is_muted: false });
  });

  const open = () => openAs(tester, { service, email: EMAIL, path: `/conversations/${farid}` });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
  const button = (page: Page, what: string) =>
    page.getByRole('button', { name: new RegExp(`^${what} ?: (Farid Nazari|Send it)$`) });

  it('moves what is ticked to what is closed, and back', async () => {
    const page = await open();
    await heading(page, 'You owe Farid 2');
    await button(page, 'Done').click();
    await page.locator('.toast', { hasText: 'Done: Send it' }).waitFor();
    await heading(page, 'Closed 1');
    await heading(page, 'You owe Farid 1');
    // Drawn as a row, with what takes it back beside its words.
    const words = await page.locator('#closed .x').boundingBox();
    const undo = await button(page, 'Undo').boundingBox();
    expect(undo?.x).to.be.above((words?.x ?? 0) + (words?.width ?? 0) - 1);
    await button(page, 'Undo').click();
    await heading(page, 'You owe Farid 2');
    expect(await page.locator('#closed').count()).to.equal(0);
  });
});
