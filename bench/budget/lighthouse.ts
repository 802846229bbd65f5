import getPort from 'get-port';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../test/browser/browser.ts';
import { print } from '../support/ground.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

/** Lighthouse's points from 0 to 100 for a phone, with what it took off. */
export async function judge(url: string, cookie: string): Promise<Record<string, number>> {
  const port = await getPort();
  const args = ['--no-sandbox', `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath: chromiumPath, args });
  try {
    const flags = { port, onlyCategories: CATEGORIES, extraHeaders: { cookie }, logLevel: 'error' as const };
    const result = await lighthouse(url, flags);
    if (!result) throw new Error('Lighthouse gave no answer');
    const { categories, audits } = result.lhr;
    for (const { title, score, scoreDisplayMode } of Object.values(audits)) {
      const counts = scoreDisplayMode === 'binary' || scoreDisplayMode === 'numeric';
      if (counts && score !== null && score < 0.9) print(`    Lighthouse took off for: ${title} (${score})`);
    }
    return Object.fromEntries(
      Object.entries(categories).map(([id, { score }]) => [id, Math.round((score ?? 0) * 100)]),
    );
  } finally {
    await browser.close();
  }
}
