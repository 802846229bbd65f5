import { expect } from 'chai';
import { dayAgo, startStored, storeDigest } from '../features/pages/today/stored.ts';
import { type Service, stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const LINE = 'They need 1,100 loggers on 30 sites for £70,000 before the contract ends in February.';

inBrowser('Asking and briefs', tester => {
  let service: Service;

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service } = started);
    const sources = {
      sentences: [{ from: 0, to: LINE.length, messageIds: ['1'] }],
      messages: [{ id: '1', sender: 'Claire Whitfield', fromUser: false, sentAt: `${dayAgo(1)}T11:00:00Z` }],
    };
    await storeDigest(service.db, owner, { name: 'Claire Whitfield', day: dayAgo(1), summary: LINE, sources });
  });
  after(stopServices);

  const open = (path: string) => openAs(tester, { service, email: EMAIL, path });

  it('open a source by its number', async () => {
    const page = await open('/ask?q=How+many+loggers%3F');
    const panel = page.locator('#c1 .panel');
    expect(await panel.isVisible()).to.equal(false);
    await page.keyboard.press('1');
    await panel.waitFor({ state: 'visible' });
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).to.equal('q');
  });
});
