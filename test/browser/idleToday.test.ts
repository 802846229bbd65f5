import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort } from '../support/freePort.ts';
import { type Agent, connectMessenger, signIn, syncNow } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, dialog, firstMessageAt, message, owner, person, world } from '../support/worlds.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('A page left open', tester => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    const newcomer = person(7001, { firstName: 'Quentin', phone: '+34617001000', isContact: true });
    const longAgo = dialog('user:7001', [message(1, { from: 7001, date: firstMessageAt - 30 * 86_400 })]);
    const next = message(9000, { from: 7001, text: 'Please send the contract by Friday.' });
    const { users, dialogs } = crowd(4);
    const own = world({
      users: [...users, newcomer],
      dialogs: [...dialogs, longAgo],
      nextDays: [[{ dialogKey: 'user:7001', messages: [next] }]],
    });
    service = await startService({ port: await freePort(), worlds: [own] });
    nora = await signIn(service, EMAIL);
    await connectMessenger(service, nora, owner.phone ?? '');
    await syncNow(nora);
  });
  after(stopServices);

  async function open() {
    const page = await tester.open();
    await page.clock.install();
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}/today`);
    return page;
  }
  const names = (page: Page) => page.locator('details.line a[href^="/conversations"]').allTextContents();

  it('shows a sync that was started elsewhere without moving any row', async () => {
    const page = await open();
    const before = await names(page);
    service.sandbox.simulateNextDay('test');
    await syncNow(nora);
    await comeBack(page);
    const bar = page.getByRole('link', { name: '1 new digest: Show' });
    await bar.waitFor();
    expect(await names(page)).to.deep.equal(before);
    await bar.click();
    await page.locator('.new').waitFor();
    expect((await names(page)).join()).to.include('Quentin');
  });

  it('does not poll while hidden, and redirects to sign-in once the session has ended', async () => {
    tester.expectError(/^401 GET \/sync/);
    const page = await open();
    const requests: string[] = [];
    page.on('request', request => requests.push(request.url().slice(service.url.length)));
    await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`);
    await page.clock.fastForward('02:00');
    await page.waitForTimeout(200);
    expect(requests.filter(path => path.startsWith('/sync'))).to.deep.equal([]);
    await page.evaluate('delete document.hidden');
    await service.db('user_sessions').del();
    await comeBack(page);
    await page.waitForURL('**/signin?*');
  });
});

async function comeBack(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}
