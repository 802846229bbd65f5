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

function toolsOf(page: Page): Promise<CDPSession> {
  const session = tools.get(page) ?? page.context().newCDPSession(page);
  tools.set(page, session);
  return session;
}
