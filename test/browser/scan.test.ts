import { expect } from 'chai';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { freePort } from '../support/freePort.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { person, world } from '../support/worlds.ts';
import { inBrowser, openAs } from './browser.ts';
import { findSideways } from './sight.ts';

const PASSWORD = 'tulip';
const worlds = [
  world(),
  world({ key: 'locked', owner: person(2000, { firstName: 'Olu', phone: '+34600111333' }), password: PASSWORD }),
];
const LOOKS = { 'on a desk, dark': { width: 1440, dark: true }, 'on a phone @thorough': { width: 390 } };

inBrowser('A code to scan', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await freePort(), worlds });
  });
  after(stopServices);

  async function openCode(look: Parameters<typeof tester.open>[0]): Promise<Page> {
    const email = `scan${Math.random()}@example.com`;
    await signIn(service, email);
    const page = await openAs(tester, { service, email: email, path: '/connect', look });
    await page.getByRole('button', { name: 'Show a code to scan' }).click();
    await page.getByRole('img', { name: 'QR code to sign in to Telegram' }).waitFor();
    return page;
  }

  /** As a phone's camera reads it. */
  async function read(page: Page): Promise<string> {
    const image = await page.getByRole('img', { name: 'QR code' }).screenshot({ scale: 'css' });
    const { data, width, height } = PNG.sync.read(image);
    return jsQR.default(new Uint8ClampedArray(data), width, height)?.data ?? '';
  }

  /** Scans what is shown. A code that has expired or was replaced since it was read is read again. */
  async function scan(page: Page, worldKey: string): Promise<void> {
    for (;;) {
      const link = await read(page);
      expect(link).to.match(/^tg:\/\/login\?token=[\w-]+$/);
      try {
        return service.sandbox.scan(worldKey, link);
      } catch (error) {
        if (!(error instanceof Error && /^AUTH_TOKEN_(EXPIRED|INVALID)$/.test(error.message))) throw error;
      }
    }
  }

  for (const [where, look] of Object.entries(LOOKS)) {
    it(`is readable ${where}, and leads on to the password and to Today`, async () => {
      const page = await openCode(look);
      expect(await findSideways(page)).to.deep.equal([]);
      await scan(page, 'locked');
      await page.waitForURL('**/connect/password');
      await page.getByLabel('Two-step verification password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.waitForURL('**/today');
      await page.getByText('Telegram is connected: Olu').waitFor();
    });
  }
});
