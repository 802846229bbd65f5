import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inBrowser, type Look, signInAs } from '../browser/browser.ts';
import { abridge } from '../browser/scene.ts';
import { findCut, findSideways, findSmallTargets, lookAtFocus } from '../browser/sight.ts';
import { PEOPLE, putSync, type Stage, startStage, takeSync } from '../browser/stage.ts';
import { stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';

const WIDTHS = [1440, 390];
const PRESSES = 150;
/** Long enough to be scrolled; the rest of a list is alike. */
const LIST = 6;
const LETTERS = 'parseFloat(getComputedStyle(document.documentElement).fontSize)';

type Place = { path: string | ((stage: Stage) => Promise<string>); who?: string | null };

const PLACES = {
  Today: { path: '/today' },
  Days: { path: '/today?view=table' },
  Week: { path: '/week', who: PEOPLE.settled },
  Conversation: { path: async stage => `/conversations/${await stage.conversation('Farid')}` },
  Contacts: { path: '/contacts' },
  Conversations: { path: '/conversations' },
  Settings: { path: '/settings' },
  Account: { path: '/settings/account' },
  Billing: { path: '/settings/billing' },
  Syncing: { path: '/today', who: PEOPLE.unlucky },
  Undecided: { path: async stage => `/contacts?view=unmatched&id=${await stage.conversation('Hanna')}` },
  'First run': { path: '/start', who: PEOPLE.beginner },
  Connect: { path: '/connect', who: PEOPLE.newcomer },
  'Sign in': { path: '/signin', who: null },
} satisfies Record<string, Place>;
type Name = keyof typeof PLACES;
const MAIN = (Object.keys(PLACES) as Name[]).filter(name => name !== 'Syncing' && name !== 'Undecided');

inBrowser('With impaired vision', tester => {
  let stage: Stage;

  before(async () => {
    stage = await startStage();
  });
  after(stopServices);

  const reopen = async (name: Name, look: Look) => goTo(await tester.reopen(stage.service, look), name);
  /** For tests that do something to the page. */
  const open = async (name: Name, look: Look) => goTo(await tester.open(look), name);

  async function goTo(page: Page, name: Name): Promise<Page> {
    const place: Place = PLACES[name];
    const { who = PEOPLE.regular } = place;
    if (who) await signInAs(page, stage.service, who);
    await page.goto(`${stage.service.url}${typeof place.path === 'string' ? place.path : await place.path(stage)}`);
    return page;
  }

  for (const name of MAIN) {
    it(`everything fits with text at 200%: ${name}`, async () => {
      for (const width of WIDTHS) {
        const page = await reopen(name, { width, isDoubled: true });
        expect(await page.evaluate(LETTERS), 'pixels of a letter').to.equal(30);
        expect(await findSideways(page), `beside the page at ${width}`).to.deep.equal([]);
        expect(await findCut(page), `cut at ${width}`).to.deep.equal([]);
      }
    });
  }

  for (const name of Object.keys(PLACES) as Name[]) {
    it(`every control on a phone is large enough to tap: ${name}`, async () => {
      const page = await reopen(name, { width: 390 });
      await abridge(page, LIST);
      expect(await findSmallTargets(page)).to.deep.equal([]);
    });
  }

  for (const name of ['Today', 'Contacts', 'Settings', 'Conversations'] as const) {
    it(`no bar covers the focused element: ${name}`, async () => {
      const wide = await reopen(name, { width: 1440 });
      const phone = await reopen(name, { width: 390 });
      for (const page of [wide, phone]) await abridge(page, LIST);
      const ways = [await walk(wide, 'Tab'), await walk(phone, 'Tab'), await walk(phone, 'Shift+Tab')];
      expect(ways.map(({ covered }) => covered)).to.deep.equal([[], [], []]);
      for (const { seen } of ways) expect(seen, 'places for the focus').to.be.above(10);
    });
  }

  it('the reason a sync waits is shown on a phone, too', async () => {
    const waits_until = new Date(Date.now() + 3_600_000);
    await putSync(stage, PEOPLE.unlucky, { state: 'active', conversations_total: 6, waits_until });
    const page = await open('Syncing', { width: 390 });
    await page.locator('#sync').getByText('Telegram asks us to wait until').waitFor();
    await takeSync(stage);
  });

  it('page transitions are not animated under reduced motion', async () => {
    const page = await tester.open();
    await page.addInitScript(
      `addEventListener('pagereveal', event => { window.moves = Boolean(event.viewTransition); })`,
    );
    await signInAs(page, stage.service, PEOPLE.regular);
    for (const [reducedMotion, moves] of [
      ['reduce', false],
      ['no-preference', true],
    ] as const) {
      await page.emulateMedia({ reducedMotion });
      await page.goto(`${stage.service.url}/today`);
      await page.getByRole('link', { name: 'Settings' }).locator('visible=true').first().click();
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      // The browser says so when it draws the page for the first time.
      await until(async () => (await page.evaluate('window.moves')) !== undefined);
      expect(await page.evaluate('window.moves'), reducedMotion).to.equal(moves);
    }
    // What the browser says of a movement it gave up is no error of the page.
    await page.evaluate(`void Promise.reject(new DOMException('Transition was aborted because of invalid state'))`);
    await page.waitForTimeout(100);
  });

  /** From one end of the page to the other, or as far as that many presses lead. */
  async function walk(page: Page, key: string) {
    const covered: string[] = [];
    let seen = 0;
    for (; seen < PRESSES; seen++) {
      await page.keyboard.press(key);
      const focus = await lookAtFocus(page);
      if (!focus) break;
      if (focus.isCovered) covered.push(focus.name);
    }
    return { seen, covered };
  }
});
