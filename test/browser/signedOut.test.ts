import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inBrowser, launch, newContext, signInAs } from './browser.ts';
import { type Reviewer, startReviewer } from './reviewer.ts';

inBrowser('After signing out', tester => {
  let reviewer: Reviewer;
  /** Playwright switches off what people have: pages kept as they were left. */
  let keeping: Browser;

  before(async () => {
    reviewer = await startReviewer({ names: ['Bruno', 'Irina', 'Kwame'] });
    keeping = await launch([], ['--disable-back-forward-cache']);
  });
  after(async () => {
    await keeping?.close();
    await stopServices();
  });

  async function leave(page: Page, path: string, act: (page: Page) => Promise<void>) {
    await signInAs(page, reviewer.service, reviewer.email);
    await page.goto(`${reviewer.service.url}${path}`);
    await page.getByText('Irina').first().waitFor();
    await page.evaluate(() => sessionStorage.setItem('kept by a script', 'a word'));
    await act(page);
  }

  /** Each step back as far as there is one. */
  async function expectNothingBehind(page: Page) {
    expect(await page.evaluate(() => sessionStorage.getItem('kept by a script'))).to.equal(null);
    for (let step = 0; step < 3; step++) {
      // A page that is shown as it was left loads nothing.
      await page.goBack({ waitUntil: 'commit' });
      await until(async () => (await page.evaluate('document.readyState')) === 'complete');
      expect(await page.locator('body').innerText()).not.to.match(/Irina|Bruno|Kwame/);
    }
  }

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign out' }).locator('visible=true').first().click();
    await page.waitForURL('**/signin*');
  };

  it('Back shows no user data', async () => {
    const page = await tester.open();
    await leave(page, '/contacts', signOut);
    await expectNothingBehind(page);
  });

  it('Back shows no user data from the back/forward cache @thorough', async () => {
    const context = await newContext(keeping, {});
    const page = await context.newPage();
    await leave(page, '/contacts', signOut);
    await expectNothingBehind(page);
    await context.close();
  });
});
