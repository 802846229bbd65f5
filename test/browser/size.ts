import type { CDPSession, Page } from 'playwright-core';

const tools = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Gives a page another size, in CSS pixels. `setViewportSize` would make the window as large, too, and all of it would be
 * painted: seconds for a long page. Once a page was sized like this, it is always.
 */
export async function resize(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const size = { width, height, screenWidth: width, screenHeight: height };
  const session = await toolsOf(page);
  await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
}

/** A PNG of a page in the size that it was given here; `page.screenshot` would undo that. */
export async function pictureOf(page: Page): Promise<Buffer> {
  const session = await toolsOf(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
}

function toolsOf(page: Page): Promise<CDPSession> {
  const session = tools.get(page) ?? page.context().newCDPSession(page);
  tools.set(page, session);
  return session;
}
