import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inBrowser, type Look, signInAs } from '../browser/browser.ts';
import { abridge } from '../browser/scene.ts';
import { type Change, findCut, findSideways, findSmallTargets, lookAtFocus, seenPixels } from '../browser/sight.ts';
import { PEOPLE, putSync, type Stage, startStage, takeSync } from '../browser/stage.ts';
import { stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';

const WIDTHS = [1440, 390];
const PRESSES = 150;
/** Long enough to be scrolled; the rest of a list is alike. */
const LIST = 6;
/** Fewer are no sign. */
const PIXELS = 12;
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

/** What only a picture says, by the words for it: where it is, and how it is taken away. The picture must be another then. */
type Signs = Record<string, [selector: string, without: Change]>;

const NOT_CURRENT: Change = ['aria-current', null];
const SIGNS: { on: Name; width: number; signs: Signs }[] = [
  {
    // The sample there is the same on every day.
    ...{ on: 'Sign in', width: 1440 },
    signs: {
      'something due soon': ['.bars.b2', ['class', 'bars b0']],
      'something without hurry': ['.bars.b1', ['class', 'bars b0']],
    },
  },
  {
    ...{ on: 'Today', width: 1440 },
    signs: {
      'an urgent conversation': ['main .bars.b3', ['class', 'bars b0']],
      'the current page': ['.nav--main [aria-current]', NOT_CURRENT],
      'the current view': ['#views-sidebar [aria-current]', NOT_CURRENT],
      'what is due today': ['main .hl', ['class', '']],
      'the field for a search': ['#q', 'unframed'],
    },
  },
  {
    ...{ on: 'Days', width: 1440 },
    signs: {
      'the days of the plot': ['.plot .tot', ['height', '0']],
      'the urgent part of a day': ['.plot .urg', ['class', 'tot']],
    },
  },
  {
    ...{ on: 'Week', width: 1440 },
    signs: {
      'what was kept in a week': ['svg.wide .done', ['height', '0']],
      'what was not': ['svg.wide .rest', ['height', '0']],
      'the current week': ['.left-sidebar [aria-labelledby="weeks-h"] [aria-current]', NOT_CURRENT],
    },
  },
  {
    ...{ on: 'Today', width: 390 },
    signs: {
      'the current page': ['.tabbar [aria-current]', NOT_CURRENT],
      'the current view': ['#views [aria-current]', NOT_CURRENT],
      'a place to tick': ['main .tick', 'unframed'],
    },
  },
  {
    ...{ on: 'Contacts', width: 1440 },
    signs: {
      'the current case': ['.queue [aria-current]', NOT_CURRENT],
      'how sure a match is': ['.case meter', ['value', '0']],
    },
  },
  { ...{ on: 'Contacts', width: 390 }, signs: { 'the first button': ['.thumb .btn--primary', 'unframed'] } },
  {
    ...{ on: 'Conversations', width: 1440 },
    signs: {
      'a switch that is on': ['.toggle[aria-checked="true"]', ['aria-checked', 'false']],
      'a switch that is off': ['.toggle[aria-checked="false"]', 'unframed'],
    },
  },
  {
    ...{ on: 'Settings', width: 1440 },
    signs: {
      'the current part': ['.left-sidebar .nav:not(.nav--main) [aria-current]', NOT_CURRENT],
      'a switch of a form': ['#includeGroups', 'unchecked'],
      'the chosen style': ['.choice :checked', 'unchecked'],
      'a field': ['#minMessages', 'unframed'],
    },
  },
  { ...{ on: 'Settings', width: 390 }, signs: { 'the current part': ['.views [aria-current]', NOT_CURRENT] } },
  { ...{ on: 'First run', width: 390 }, signs: { 'how far it is': ['progress', ['value', '0']] } },
];

inBrowser('With impaired vision', tester => {
  let stage: Stage;

  before(async () => {
    stage = await startStage();
    await spread(stage);
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

  // Only a model says that a conversation is urgent.
  const callUrgent = () =>
    stage.service.db('digests').update({ structured: stage.service.db.raw(`structured || '{"urgency": "high"}'`) });

  for (const { on, width, signs } of SIGNS) {
    it(`every icon is visible in forced colors: ${on} at ${width}`, async () => {
      if (on === 'Today' || on === 'Days') await callUrgent();
      const page = await reopen(on, { width });
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await unseen(page, signs)).to.deep.equal([]);
    });
  }

  it('focus, sync and confirmations are visible in forced colors', async () => {
    await putSync(stage, PEOPLE.unlucky, { state: 'active', conversations_total: 6, conversations_done: 3 });
    // An answer to the poll would put the value back between the two pictures.
    const syncing = await tester.open();
    await syncing.route('**/sync?*', () => {});
    await goTo(syncing, 'Syncing');
    await syncing.emulateMedia({ forcedColors: 'active' });
    expect(await unseen(syncing, { 'how far the sync is': ['progress', ['value', '0']] })).to.deep.equal([]);
    await takeSync(stage);
    const page = await open('Undecided', { width: 1440 });
    await page.emulateMedia({ forcedColors: 'active' });
    await page
      .getByRole('button', { name: /^Ignore/ })
      .first()
      .click();
    // It does not go away while it is pointed at.
    await page.locator('.toast').hover();
    await page.keyboard.press('Tab');
    const signs: Signs = { 'the line with Undo': ['.toast', 'unframed'], 'the focus': [':focus', 'blurred'] };
    expect(await unseen(page, signs)).to.deep.equal([]);
  });

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

  async function unseen(page: Page, signs: Signs): Promise<string[]> {
    const names: string[] = [];
    for (const [name, [selector, without]] of Object.entries(signs)) {
      const pixels = await seenPixels(page.locator(selector).locator('visible=true').first(), without);
      if (pixels < PIXELS) names.push(`${name}: ${pixels} pixels`);
    }
    return names;
  }

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

/** Over several days: with all digests on one there is nothing to plot. */
async function spread({ service: { db }, idOf }: Stage) {
  const ids = await db('digests')
    .where({ user_id: await idOf(PEOPLE.regular), status: 'COMPLETE' })
    .orderBy('last_message_at', 'desc')
    .offset(4)
    .pluck('id');
  const moved = Object.entries(Object.groupBy(ids, (_id, place) => String((place % 5) + 1)));
  for (const [days, some = []] of moved) {
    await db('digests')
      .whereIn('id', some)
      .update({ digest_date: db.raw('digest_date - ?::int', [days]) });
  }
}
