import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { stopServices } from '../support/service.ts';
import { inBrowser, signInAs, type Tester } from './browser.ts';
import { COLOURS, judgeColours } from './colours.ts';
import { abridge, type Scene } from './scene.ts';
import { resize } from './size.ts';
import { PEOPLE, type Stage, startStage } from './stage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LANDMARKS = ['landmark-one-main', 'region'];
/** Colours that change at once can be judged at once. */
const STILL = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
`;
const DRAWN = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))';
const WIDTHS = [1440, 390];
const COLOUR_SCHEMES: ('light' | 'dark')[] = ['light', 'dark'];

/** Each page once, wide and in light; in both widths and colours, and its other states on a phone, in the thorough tests. */
export function judgeScenes(title: string, scenes: Scene[]): void {
  const firsts = firstOfEachPage(scenes);
  inBrowser(title, tester => judgeWith(tester, scenes, scene => !firsts.has(scene)));
}

function judgeWith(tester: Tester, scenes: Scene[], isState: (scene: Scene) => boolean): void {
  let stage: Stage;

  before(async () => {
    stage = await startStage();
  });
  after(stopServices);

  for (const scene of scenes) {
    if (isState(scene)) test(scene, ' @thorough', judgeOnPhone);
    else {
      test(scene, '', judgeOnce);
      test(scene, ', in each width and colour @thorough', judgeEverywhere);
    }
  }

  function test(scene: Scene, where: string, judgeIn: typeof judgeOnce): void {
    it(`has nothing axe finds: ${scene.name}${where}`, async () => {
      if (scene.expects) tester.expectError(scene.expects);
      await scene.before?.(stage);
      try {
        await judgeIn(await show(scene), scene.isPart);
      } finally {
        await scene.after?.(stage);
      }
    });
  }

  async function show({ path, who = PEOPLE.regular, act, abridged = false }: Scene): Promise<Page> {
    const page = await tester.reopen(stage.service);
    if (who) await signInAs(page, stage.service, who);
    const where = typeof path === 'string' ? path : await path(stage);
    await page.goto(new URL(where, stage.service.url).href);
    await act?.(page, stage);
    await holdStill(page);
    if (abridged) expect(await abridge(page), 'entries left out').to.be.above(0);
    return page;
  }
}

/** "Contacts" stands for "Contacts, create with errors". */
function firstOfEachPage(scenes: Scene[]): Set<Scene> {
  const byPage = Map.groupBy(scenes, ({ name }) => name.split(',')[0]);
  return new Set([...byPage.values()].flatMap(([first]) => first ?? []));
}

/** Wide and in light, and whether it fits the narrowest phone. */
export async function judgeOnce(page: Page, isPart = false): Promise<void> {
  await judge(page, 1440, isPart, ['light']);
  await judgeNarrow(page);
}

/** In both widths and colors, and on the narrowest phone. */
export async function judgeEverywhere(page: Page, isPart = false): Promise<void> {
  for (const width of WIDTHS) await judge(page, width, isPart);
  await judgeNarrow(page);
}

/** As a phone with the light off shows it. */
async function judgeOnPhone(page: Page, isPart = false): Promise<void> {
  await judge(page, 390, isPart, ['dark']);
  await judgeNarrow(page);
}

async function judgeNarrow(page: Page): Promise<void> {
  await resize(page, { width: 320, height: 640 });
  expect(await sideways(page), 'pixels it scrolls sideways at 320').to.equal(0);
}

export async function holdStill(page: Page): Promise<void> {
  await page.evaluate(STILL);
}

/**
 * Light and dark at this width: all rules once, and in each the colours that were not judged yet. As tall as the page: what
 * a bar covers by chance could be scrolled into view.
 */
async function judge(page: Page, width: number, isPart: boolean, schemes = COLOUR_SCHEMES) {
  await resize(page, { width, height: 900 });
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await resize(page, { width, height: Math.max(height, 900) });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  for (const colorScheme of schemes) {
    const told = `${width} ${colorScheme}`;
    await page.emulateMedia({ colorScheme });
    await page.evaluate(DRAWN);
    expect(await page.evaluate('innerWidth'), told).to.equal(width);
    if (colorScheme === schemes[0]) expect(await findings(page, isPart ? LANDMARKS : []), told).to.deep.equal([]);
    expect(await judgeColours(page, colorScheme), told).to.deep.equal([]);
  }
}

/** What axe complains of besides the colours, and where. */
async function findings(page: Page, without: string[]): Promise<string[]> {
  const rules = Object.fromEntries([...without, ...COLOURS].map(rule => [rule, { enabled: false }]));
  const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES }, rules, resultTypes: ['violations'] });
  // Hundreds of time zones, which the system draws.
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ exclude: ['option'] }, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

function sideways(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.body.offsetWidth');
}
