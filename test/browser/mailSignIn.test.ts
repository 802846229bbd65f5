import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser } from './browser.ts';

const WAYS = [
  { way: 'with JavaScript', javaScript: true },
  { way: 'with JavaScript off', javaScript: false },
];

inBrowser('Signing in by mail', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await getPort(), mail: true });
  });
  after(stopServices);

  const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click();

  async function ask(page: Page, email: string) {
    await page.goto(`${service.url}/settings/account`);
    await page.getByLabel('Email', { exact: true }).first().fill(email);
    await press(page, 'Send me a sign-in link');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.getByText(email).waitFor();
  }

  /** In the inbox the newest mail to this address, and in it the button, which opens a tab of its own. */
  async function openLink(page: Page, email: string): Promise<Page> {
    await service.mail.waitForMail(email);
    await page.goto(`${service.mail.url}/?to=${encodeURIComponent(email)}`);
    await page
      .getByRole('link', { name: /sign-in/ })
      .first()
      .click();
    const opened = page.context().waitForEvent('page');
    await page.frameLocator('iframe').getByRole('link', { name: 'Sign in', exact: true }).click();
    return opened;
  }

  for (const { way, javaScript } of WAYS) {
    it(`leads ${way} from the form to the email and once to the requested page`, async () => {
      tester.expectError(/^400 GET \/auth\/confirm\?token=[\w-]+$/);
      const email = `nora-${javaScript ? 'quick' : 'plain'}@example.com`;
      const page = await tester.open({ javaScript });
      await ask(page, email);
      const confirming = await openLink(page, email);
      const link = confirming.url();
      await press(confirming, 'Sign in as n…@example.com');
      await confirming.waitForURL('**/settings/account');
      await confirming.getByText(email).first().waitFor();
      await press(confirming, 'Sign out everywhere');
      await confirming.waitForURL('**/signin*');
      await confirming.goto(link);
      await confirming.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
      await confirming.getByRole('link', { name: 'Send me a new link' }).click();
      await confirming.waitForURL('**/signin');
    });
  }
});
