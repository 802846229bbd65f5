import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inBrowser, type Look, signInAs } from '../browser/browser.ts';
import { abridge } from '../browser/scene.ts';
import { findCut, findSideways, findSmallTargets } from '../browser/sight.ts';
import { PEOPLE, type Stage, startStage } from '../browser/stage.ts';
import { stopServices } from '../support/service.ts';

const WIDTHS = [1440, 390];
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
});
