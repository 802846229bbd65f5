import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { stopServices } from '../support/service.ts';
import { inBrowser, signInAs, type Tester } from './browser.ts';
import { abridge, type Scene } from './scene.ts';
import { PEOPLE, type Stage, startStage } from './stage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LANDMARKS = ['landmark-one-main', 'region'];
/** In the other colours nothing else can differ. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
/** Colours that change at once can be judged at once. */
const STILL = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
`;
const DRAWN = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))';
const WIDTHS = [1440, 390];

/** Walks through the scenes, in light and dark, wide and narrow. */
export function judgeScenes(title: string, scenes: Scene[]): void {
  inBrowser(title, tester => judgeWith(tester, scenes));
}

function judgeWith(tester: Tester, scenes: Scene[]): void {
  let stage: Stage;

  before(async () => {
    stage = await startStage();
  });
  after(stopServices);

  for (const scene of scenes) {
    it(`has nothing axe finds, and fits the narrowest phone: ${scene.name}`, async () => {
      if (scene.expects) tester.expectError(scene.expects);
      await scene.before?.(stage);
      try {
        const page = await show(scene);
        await judgeEverywhere(page, scene);
      } finally {
        await scene.after?.(stage);
      }
    });
  }

  async function show({ path, who = PEOPLE.regular, act, abridged = false }: Scene): Promise<Page> {
    const page = await tester.reopen();
    if (who) await signInAs(page, stage.service, who);
    const where = typeof path === 'string' ? path : await path(stage);
    await page.goto(new URL(where, stage.service.url).href);
    await act?.(page, stage);
    await holdStill(page);
    if (abridged) expect(await abridge(page), 'entries left out').to.be.above(0);
    return page;
  }
}

/** In both widths and colors, and on the narrowest phone. */
export async function judgeEverywhere(page: Page, scene: Pick<Scene, 'name' | 'isPart'>): Promise<void> {
  for (const width of WIDTHS) await judge(page, width, scene);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await sideways(page), 'pixels it scrolls sideways at 320').to.equal(0);
}

export async function holdStill(page: Page): Promise<void> {
  await page.evaluate(STILL);
}

/** Light and dark at this width. As tall as the page: what a bar covers by chance could be scrolled into view. */
async function judge(page: Page, width: number, { name, isPart = false }: Pick<Scene, 'name' | 'isPart'>) {
  await page.setViewportSize({ width, height: 900 });
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, 900) });
  const names = [`${width} light`, `${width} dark`];
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findings(page, { type: 'tag', values: RULES }, isPart ? LANDMARKS : []), names[0]).to.deep.equal([]);
  await shoot(page, `${name} ${names[0]}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findings(page, { type: 'rule', values: COLOURS }), names[1]).to.deep.equal([]);
  await shoot(page, `${name} ${names[1]}`);
}

type Chosen = { type: 'tag' | 'rule'; values: string[] };

/** What axe complains of, and where. */
async function findings(page: Page, runOnly: Chosen, without: string[] = []): Promise<string[]> {
  await page.evaluate(DRAWN);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  // Hundreds of time zones, which the system draws.
  const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
  const options = JSON.stringify({ runOnly, rules, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ exclude: ['option'] }, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

/** For whoever wants to look: SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true });
}

function sideways(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.body.offsetWidth');
}
