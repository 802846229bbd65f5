import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launch } from '../../test/browser/browser.ts';
import { median } from '../support/ground.ts';

export type Load = {
  requests: number;
  /** Over the wire, with headers. */
  bytes: number;
  byKind: Record<string, number>;
  lcpMs: number;
  cls: number;
};

const ROUNDS = 7;
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWER = 4;
/** Long enough for what is fetched late. */
const SETTLED_MS = 1500;

const OBSERVE = `
  globalThis.seen = { lcp: 0, cls: 0 };
  new PerformanceObserver(list => { for (const entry of list.getEntries()) seen.lcp = entry.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });
`;

/** The first load of an address and the next one, each several times in a browser of its own. */
export async function loads(url: string, cookie: string): Promise<{ first: Load; repeat: Load }> {
  const browser = await launch();
  try {
    const [firsts, repeats]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await phone(browser, url, cookie);
      firsts.push(await load(context, url));
      repeats.push(await load(context, url));
      await context.close();
    }
    return { first: middle(firsts), repeat: middle(repeats) };
  } finally {
    await browser.close();
  }
}

async function phone(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const size = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  const context = await browser.newContext(size);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  await context.addInitScript(OBSERVE);
  return context;
}

/** In a new tab, so that only what the browser keeps on disk is there already. */
async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const traffic = await listen(devtools);
  await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLED_MS);
  const { lcp, cls } = await seen(page);
  await page.close();
  return { ...traffic(), lcpMs: lcp, cls };
}

function seen(page: Page): Promise<{ lcp: number; cls: number }> {
  return page.evaluate('seen');
}

async function listen(devtools: CDPSession): Promise<() => Pick<Load, 'requests' | 'bytes' | 'byKind'>> {
  const kinds = new Map<string, string>();
  const kept = new Set<string>();
  const bytes = new Map<string, number>();
  await devtools.send('Network.enable');
  devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on('Network.requestServedFromCache', ({ requestId }) => kept.add(requestId));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  return () => {
    // What comes from the browser's own store has no bytes on the wire.
    const sent = [...bytes].filter(([id, size]) => !kept.has(id) && size > 0);
    const byKind: Record<string, number> = {};
    for (const [id, size] of sent) byKind[kinds.get(id) ?? 'Other'] = (byKind[kinds.get(id) ?? 'Other'] ?? 0) + size;
    return { requests: sent.length, bytes: sent.reduce((sum, [, size]) => sum + size, 0), byKind };
  };
}

function middle(all: Load[]): Load {
  const [one] = all;
  if (!one) throw new Error('nothing was loaded');
  // The faster half: the ones in which others least disturbed this machine.
  const half = (values: number[]) => values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length / 2));
  const of = (pick: (load: Load) => number) => median(half(all.map(pick)));
  return {
    ...one,
    requests: of(l => l.requests),
    bytes: of(l => l.bytes),
    lcpMs: of(l => l.lcpMs),
    cls: of(l => l.cls),
  };
}
