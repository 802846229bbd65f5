import { expect } from 'chai';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { INVOICE } from '../features/digests/quotes.ts';
import { storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'lena@example.com';
const WHITE = 'rgb(255, 255, 255)';
const CONTROLS = 'nav, button:not(.tick), .btn, .toast, input[type="search"], .fold > summary .i, summary .op';

inBrowser('A printed page', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await getPort(), worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    const structured = { urgency: 'high' as const, actionItems: [storedItem('Send the agreement')] };
    await storeDigest(service.db, owner, { name: 'Farid Nazari', structured });
    await storeDigest(service.db, owner, { name: 'Hanna Virtanen', summary: 'Hanna likes it.' });
    await storeDigest(service.db, owner, { name: 'Tomasz Wrona', structured: { ...structured, exchanges: INVOICE } });
    const { digestId } = await storeDigest(service.db, owner, { name: 'Olu Adeyemi', status: 'SKIPPED', summary: '' });
    await service.db('digests').where({ id: digestId }).update({ reason: 'TOO_FEW_MESSAGES' });
  });
  after(stopServices);

  async function print(path: string) {
    const page = await tester.open({ dark: true });
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    const onScreen = await styleOf(page, 'html', 'backgroundColor');
    await page.emulateMedia({ media: 'print' });
    expect(await styleOf(page, 'html', 'backgroundColor'))
      .to.equal(WHITE)
      .and.not.equal(onScreen);
    const controls = await page
      .locator(CONTROLS)
      .locator('visible=true')
      .evaluateAll(all => all.map(one => one.outerHTML));
    expect(controls, 'controls on paper').to.deep.equal([]);
    return page;
  }
  const isDark = async (page: Page, selector: string) => {
    const [lightness] = (await styleOf(page, selector, 'color')).match(/[\d.]+/g) ?? [];
    return Number(lightness) < 0.5;
  };

  it('of Today is white, has no controls and includes collapsed content', async () => {
    const page = await print('/today');
    for (const name of ['Farid Nazari', 'Hanna Virtanen', 'Olu Adeyemi']) {
      expect(await page.getByText(name, { exact: true }).first().isVisible(), name).to.equal(true);
    }
    for (const ink of ['h1', '.line .n', '.line .said', '.quotes .q', '.prom .w', '.line > summary']) {
      expect(await isDark(page, ink), ink).to.equal(true);
    }
  });
});

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
}
