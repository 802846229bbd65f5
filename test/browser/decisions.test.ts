import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { stopServices } from '../support/service.ts';
import { anotherTab, inBrowser, signInAs } from './browser.ts';
import { type Reviewer, startReviewer } from './reviewer.ts';

inBrowser('A decision in the browser', tester => {
  let reviewer: Reviewer;

  before(async () => {
    const names = ['In Two Tabs', 'Double Click', 'Next In Line'];
    reviewer = await startReviewer({ names, sure: ['Sure One', 'Sure Two'] });
  });
  after(stopServices);

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

  async function open(name: string) {
    const page = await tester.open();
    await signInAs(page, reviewer.service, reviewer.email);
    await lookAt(page, name);
    return page;
  }
  async function lookAt(page: Page, name: string) {
    await page.goto(`${reviewer.service.url}/contacts?id=${reviewer.idOf(name)}`);
    await page.getByRole('heading', { name }).waitFor();
  }

  it('does not overwrite a newer decision from another tab', async () => {
    const here = await open('In Two Tabs');
    const there = await anotherTab(here);
    await lookAt(there, 'In Two Tabs');
    await press(there, /^Use/);
    await there.locator('.toast').getByText('linked').waitFor();
    const decided = await reviewer.stateOf('In Two Tabs');
    await press(here, /^Confirm/);
    await here.getByText('Nothing was changed').waitFor();
    expect(await reviewer.stateOf('In Two Tabs')).to.deep.equal(decided);
  });

  it('is idempotent under double clicks and does not apply to the next case', async () => {
    for (const pauseMs of [0, 150]) {
      const page = await open('Double Click');
      const undecided = () => reviewer.service.db('dialogs').where({ match_status: 'AUTO_NAME' }).pluck('peer_name');
      const before = await undecided();
      await doubleClick(page, page.getByRole('button', { name: /^Confirm/ }).first(), pauseMs);
      await page.locator('.toast').getByText('Double Click confirmed').waitFor();
      await page.waitForTimeout(300);
      const after = await undecided();
      expect(before.filter(name => !after.includes(name))).to.deep.equal(['Double Click']);
      await press(page, /^Undo/);
      await page.getByRole('heading', { name: 'Double Click' }).waitFor();
    }
  });

  async function doubleClick(page: Page, button: Locator, pauseMs: number) {
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const [left, top] = [x + width / 2, y + height / 2];
    await page.mouse.move(left, top);
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await page.waitForTimeout(pauseMs);
    }
  }
});
