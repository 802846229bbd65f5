import { expect } from 'chai';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('Coming back from another service', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await getPort(), crm: true, payments: true, worker: false });
    await signIn(service, EMAIL);
  });
  after(stopServices);

  async function open(path: string, width: number): Promise<Page> {
    const page = await tester.open({ width });
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    return page;
  }

  /** Whether all of it is in what the window shows. */
  const isInView = (page: Page, text: string) =>
    page
      .locator('main .banner', { hasText: text })
      .first()
      .evaluate(banner => {
        const { top, bottom } = banner.getBoundingClientRect();
        return top >= 0 && bottom <= banner.ownerDocument.documentElement.clientHeight;
      });

  it('waits after paying for the plan without another offer, and sees it once it has arrived', async () => {
    service.payments.deliverTo('http://127.0.0.1:9/nothing-listens');
    const page = await open('/settings/billing', 1440);
    await page.getByRole('article').filter({ hasText: 'Pro' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/checkout=success/);
    expect(await page.locator('.plans').getByRole('button').count()).to.equal(0);
    expect(await isInView(page, 'payment')).to.equal(true);
    service.payments.deliverTo(`${service.url}/api/webhooks/payments`);
    await page.locator('.plan.is-now', { hasText: 'Pro' }).waitFor();
    expect(await page.locator('.banner', { hasText: 'being confirmed' }).count()).to.equal(0);
  });
});
