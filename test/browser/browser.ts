import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Service } from '../support/service.ts';
import { doubleLetters } from './sight.ts';
import { resize } from './size.ts';

export type Look = {
  /** Default 1440 pixels; below 720 it is a phone with a touch screen. */
  width?: number;
  dark?: boolean;
  javaScript?: boolean;
  /** Letters twice as large, as a person may set them in the browser. */
  isDoubled?: boolean;
};

export type Tester = {
  /** A page in a browser of its own: no one is signed in. */
  open(look?: Look): Promise<Page>;
  /**
   * The page with this look that the file's tests hand on, so that its process is started, and styles, scripts and fonts are
   * loaded, once. No one is signed in. What a test does to the page itself (routes, scripts, other sizes of letters) stays.
   */
  reopen(service: Pick<Service, 'url'>, look?: Look): Promise<Page>;
  /** An error that a test provokes and the browser reports: `401 GET /today`. */
  expectError(pattern: RegExp): void;
};

/** On a busy machine a sync takes its time, too. */
export const PATIENCE_MS = 60_000;
/** A test waits for many states in turn. */
const TEST_MS = 5 * PATIENCE_MS;
/** A browser without windows does the same with half the work. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The Chromium of this machine, if it has one. CHROMIUM_PATH names another. */
export const chromiumPath = [process.env.CHROMIUM_PATH, ...PLACES].find(path => path && existsSync(path)) ?? '';

/**
 * Tests with the Chromium of this machine; skipped, with a word, where there is none. One browser for the files that a
 * process runs. A test in which anything goes wrong that no one expected (an error on the console, a violation of the CSP, a
 * request that fails) fails, whatever it looks at itself.
 */
export function inBrowser(title: string, tests: (tester: Tester) => void): void {
  if (!chromiumPath) {
    describe.skip(`${title} (no Chromium found; CHROMIUM_PATH can name one)`, () => tests(noTester));
    return;
  }
  describe(title, function () {
    this.timeout(TEST_MS);
    let browser: Browser;
    let lent: Lent[] = [];
    const handedOn = new Map<string, Page>();
    let expected: RegExp[] = [];

    before(async () => {
      browser = await sharedBrowser();
    });
    after(async () => {
      await Promise.all([...handedOn.values()].map(page => page.context().close()));
      handedOn.clear();
      if (!isWorker) await browser?.close();
    });
    afterEach(async () => {
      const unexpected = errors.splice(0).filter(error => !expected.some(pattern => pattern.test(error)));
      const done = lent;
      [lent, expected] = [[], []];
      await Promise.all(done.map(takeBack));
      expect(unexpected, 'errors reported by the browser').to.deep.equal([]);
    });

    const pageIn = async (context: BrowserContext, look: Look) => {
      const page = await context.newPage();
      if (look.isDoubled) await doubleLetters(page);
      return page;
    };

    tests({
      async open(look = {}) {
        const one = await lend(browser, look);
        lent.push(one);
        return pageIn(one.context, look);
      },
      async reopen({ url }, look = {}) {
        const key = JSON.stringify(look);
        const page = handedOn.get(key) ?? (await pageIn(await heardContext(browser, look), look));
        handedOn.set(key, page);
        // What the page before asks for again and again ends with it, or it would be asked for signed out. A blank page
        // would be another site to the browser, for which it starts another process.
        await page.goto(`${url}/healthz`);
        await page.context().clearCookies();
        if (!isPhone(look)) await resize(page, sizeOf(look));
        await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light', forcedColors: null });
        return page;
      },
      expectError: pattern => void expected.push(pattern),
    });
  });
}

/** Never called: its tests are skipped. */
const noTester: Tester = {
  open: () => Promise.reject(new Error('there is no Chromium')),
  reopen: () => Promise.reject(new Error('there is no Chromium')),
  expectError: () => {},
};

/** Mocha ends its workers. Without them an open browser would keep the process from ending. */
const isWorker = process.env.MOCHA_WORKER_ID !== undefined;
let ofThisProcess: Browser | undefined;

/** Started once a process, and again where it was closed or has crashed. */
async function sharedBrowser(): Promise<Browser> {
  if (ofThisProcess?.isConnected()) return ofThisProcess;
  free.clear();
  // Where there is no graphics card, imitating one costs more than doing without. All pages are ours: one process draws them.
  ofThisProcess = await launch(['--disable-gpu', '--renderer-process-limit=1', '--disable-site-isolation-trials']);
  return ofThisProcess;
}

/** A context, which is a browser to the pages in it, and the blank page for whose sake it keeps the process that draws. */
type Lent = { context: BrowserContext; keeper: Page; look: string; hasOwnTime: boolean };

/**
 * Contexts that no test uses, by their looks. Starting one, with its process, its styles, scripts and fonts, costs as much
 * as four pages.
 */
const free = new Map<string, Lent[]>();
/** What the browser reported since the last test. */
const errors: string[] = [];

async function lend(browser: Browser, look: Look): Promise<Lent> {
  const key = JSON.stringify(look);
  const kept = free.get(key)?.pop();
  if (kept) return kept;
  const context = await heardContext(browser, look);
  const lent = { context, keeper: await context.newPage(), look: key, hasOwnTime: false };
  // A clock is set for all pages of a context, for good.
  const install = context.clock.install.bind(context.clock);
  context.clock.install = options => {
    lent.hasOwnTime = true;
    return install(options);
  };
  return lent;
}

/** Ends its pages and forgets who was signed in: what pages keep for a tab goes with it, and more they don't keep. */
async function takeBack(lent: Lent): Promise<void> {
  const { context, keeper, look, hasOwnTime } = lent;
  if (hasOwnTime) return context.close();
  try {
    await Promise.all(context.pages().map(page => (page === keeper ? undefined : page.close())));
    await context.setOffline(false);
    await context.clearPermissions();
    await context.clearCookies();
    free.set(look, [...(free.get(look) ?? []), lent]);
  } catch {
    await context.close().catch(() => {});
  }
}

async function heardContext(browser: Browser, look: Look): Promise<BrowserContext> {
  const context = await newContext(browser, look);
  listen(context);
  return context;
}

/** What each window would draw in its address bar, which costs more than our pages. */
const OF_WINDOWS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright leaves out of a browser of tests, in the same argument: the last one counts. */
const OF_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'MediaRouter'],
  ...['PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

export function launch(args: string[] = [], ignoreDefaultArgs: string[] = []): Promise<Browser> {
  const features = `--disable-features=${[...OF_WINDOWS, ...OF_PLAYWRIGHT].join(',')}`;
  // Without its sandbox it also starts in a container and as root.
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', features, ...args],
    ignoreDefaultArgs,
    // Under the library that shifts the clock Chromium would be many times slower.
    env: { ...process.env, LD_PRELOAD: '' },
  });
}

/** Seconds by which the clock of this process is shifted. */
const SHIFT_S = Number(process.env.FAKETIME ?? 0);

function shiftDate(milliseconds: number): void {
  const Real = Date;
  const shifted = () => Real.now() + milliseconds;
  globalThis.Date = new Proxy(Real, {
    construct: (_, args) => (args.length > 0 ? Reflect.construct(Real, args) : new Real(shifted())),
    apply: () => new Real(shifted()).toString(),
    get: (_, key) => (key === 'now' ? shifted : Reflect.get(Real, key)),
  });
}

const PHONE_BELOW = 720;

function isPhone({ width = 1440 }: Look): boolean {
  return width < PHONE_BELOW;
}

function sizeOf(look: Look): { width: number; height: number } {
  return { width: look.width ?? 1440, height: isPhone(look) ? 844 : 900 };
}

export async function newContext(browser: Browser, look: Look): Promise<BrowserContext> {
  const { dark, javaScript } = look;
  const context = await browser.newContext({
    viewport: sizeOf(look),
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: javaScript ?? true,
    reducedMotion: 'reduce',
    ...(isPhone(look) && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
  });
  if (SHIFT_S !== 0) await context.addInitScript(shiftDate, SHIFT_S * 1000);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * That an answer was an error is told of with its address. Whoever is quicker than the page chose the focus. What signing
 * out clears is no complaint, nor is what axe can't reach in the closed frames of the inbox.
 */
const NO_FAULT =
  /^(?:Failed to load resource|Clear-Site-Data header|Failed to execute 'postMessage')|already has a focused element|origin-keyed agent cluster/;

function listen(context: BrowserContext): void {
  context.on('console', message => {
    if (NO_FAULT.test(message.text())) return;
    errors.push(`console: ${message.text()}`);
  });
  context.on('weberror', error => errors.push(`script: ${error.error().message}`));
  context.on('response', response => {
    if (response.status() >= 400) errors.push(`${response.status()} ${nameOf(response.request())}`);
  });
  context.on('requestfailed', request => {
    // Whoever goes on before an answer is there ends the request.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') errors.push(`${reason} ${nameOf(request)}`);
  });
}

function nameOf(request: { method(): string; url(): string }): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}

/** Signs the browser of a page in, without its pages. */
export async function signInAs(page: Page, service: Pick<Service, 'url'>, email: string): Promise<void> {
  const answer = await page
    .context()
    .request.post(`${service.url}/api/auth/callback/dev-credentials`, {
      form: { email, callbackUrl: '/today' },
      maxRedirects: 0,
    });
  expect(answer.status()).to.equal(302);
}

/** A page at this address, in a browser in which this person is signed in. */
export async function openAs(
  tester: Tester,
  { service, email, path, look }: { service: Pick<Service, 'url'>; email: string; path: string; look?: Look | undefined },
): Promise<Page> {
  const page = await tester.open(look);
  await signInAs(page, service, email);
  await page.goto(`${service.url}${path}`);
  return page;
}

/** How many documents the page has loaded since this was called. */
export function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', request => {
    if (request.isNavigationRequest()) loads++;
  });
  return () => loads;
}

/** Waits until screen readers are told so. */
export function said(page: Page, words: string): Promise<void> {
  return page.locator('#say', { hasText: words }).waitFor({ state: 'attached' });
}

/** The row of the promise with these words. */
export function rowOf(page: Page, words: string): Locator {
  return page.locator('.prom').filter({ has: page.getByText(words, { exact: true }) });
}

/** Keeps answers to this address back until the returned function is called. */
export async function holdAnswers(page: Page, url: string): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async route => {
    await held;
    // The page may have given it up meanwhile.
    await route.continue().catch(() => {});
  });
  return release;
}

/** The same person's second tab. */
export function anotherTab(page: Page): Promise<Page> {
  return page.context().newPage();
}

/** Presses Tab until the element has the focus, as someone without a mouse. */
export async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' | 'textbox' | 'radio' = 'button') {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let pressed = 0; pressed < 80; pressed++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} can't be reached with the keyboard`);
}
