import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { secretsOf, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { person, world } from '../support/worlds.ts';
import { inBrowser, signInAs } from './browser.ts';

const PHONES = { on: '+34600111333', off: '+34600111444' };
const PASSWORD = 'tulip';

inBrowser('Connecting Telegram with what is wrong at first', tester => {
  let service: Service;

  before(async () => {
    const worlds = Object.values(PHONES).map((phone, n) =>
      world({ key: phone, owner: person(2000 + n, { firstName: 'Olu', phone }), password: PASSWORD }),
    );
    service = await startService({ worlds });
  });
  after(stopServices);

  /** Fills in the field and waits until the page says what is wrong, with the focus on it. */
  async function tryWrong(page: Page, { label, value, button }: { label: string; value: string; button: string }) {
    await page.getByLabel(label).fill(value);
    const answer = page.waitForResponse(response => response.status() === 400);
    await page.getByRole('button', { name: button, exact: true }).click();
    await answer;
    await page.getByText('There is a problem').waitFor();
    await page.getByLabel(label).and(page.locator(`[aria-invalid="true"]`)).waitFor();
    await page.waitForLoadState('networkidle');
  }

  for (const [how, phoneNumber] of Object.entries(PHONES)) {
    it(`says so at each field, and the browser reports nothing but the answers, with JavaScript ${how}`, async () => {
      tester.expectError(/^400 POST \/connect(\/code|\/password)?$/);
      const page = await tester.open({ javaScript: how === 'on' });
      const refused: string[] = [];
      page.on('console', message => {
        if (/Content Security Policy|violates/i.test(message.text())) refused.push(message.text());
      });
      await signIn(service, `${how}@example.com`);
      await signInAs(page, service, `${how}@example.com`);
      await page.goto(`${service.url}/connect`);
      await page.locator('#phone:focus').waitFor();
      const phone = { label: 'Phone number', button: 'Send the code' };
      await tryWrong(page, { ...phone, value: '12' });
      service.sandbox.faults.next({ on: 'auth.SendCode', status: 400, message: 'PHONE_NUMBER_INVALID' });
      await tryWrong(page, { ...phone, value: '+34 600 111 555' });
      await page.getByLabel('Phone number').fill(phoneNumber);
      await page.getByRole('button', { name: 'Send the code' }).click();
      await page.waitForURL('**/connect/code');
      await page.locator('#code:focus').waitFor();
      const { code } = await secretsOf(service, phoneNumber);
      const codeField = { label: 'Code from Telegram', button: 'Check code' };
      await tryWrong(page, { ...codeField, value: code === '11111' ? '22222' : '11111' });
      await page.getByLabel('Code from Telegram').fill(code);
      await page.getByRole('button', { name: 'Check code' }).click();
      await page.waitForURL('**/connect/password');
      await page.locator('#password:focus').waitFor();
      const password = { label: 'Two-step verification password', button: 'Connect' };
      await tryWrong(page, { ...password, value: 'not this one' });
      await page.getByLabel(password.label).fill(PASSWORD);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.waitForURL(url => !url.pathname.startsWith('/connect/'));
      expect(refused).to.deep.equal([]);
    });
  }
});
