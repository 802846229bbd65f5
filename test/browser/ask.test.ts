import { expect } from 'chai';
import { dayAgo, storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, said, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const LINE = 'They need 1,100 loggers on 30 sites for £70,000 before the contract ends in February.';

inBrowser('Asking and briefs', tester => {
  let service: Service;
  let claire: { dialogId: string };

  before(async () => {
    service = await startService({ worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    const itemsOf = (day: number) =>
      (['user', 'contact', 'unknown'] as const).map(side =>
        storedItem(`Send the price list for site ${day} ${side}, with calibration and insurance`, { owner: side }),
      );
    claire = await storeDigest(service.db, owner, {
      name: 'Claire Whitfield',
      summary: LINE,
      structured: { actionItems: itemsOf(0) },
    });
    for (let day = 1; day < 28; day++) {
      const sources = {
        sentences: [{ from: 0, to: LINE.length, messageIds: [`${day}`] }],
        messages: [{ id: `${day}`, sender: 'Claire Whitfield', fromUser: false, sentAt: `${dayAgo(day)}T11:00:00Z` }],
      };
      const more = { day: dayAgo(day), summary: `${LINE} ${day}`, sources, structured: { actionItems: itemsOf(day) } };
      await storeDigest(service.db, owner, { dialogId: claire.dialogId, ...more });
    }
  });
  after(stopServices);

  async function open(path: string) {
    const page = await tester.open();
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    return page;
  }

  it('open a source by its number', async () => {
    const page = await open('/ask?q=How+many+loggers%3F');
    const panel = page.locator('#c1 .panel');
    expect(await panel.isVisible()).to.equal(false);
    await page.keyboard.press('1');
    await panel.waitFor({ state: 'visible' });
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).to.equal('q');
  });

  it('lead from a conversation by B, to the text by C, and back by Esc', async () => {
    const page = await open(`/conversations/${claire.dialogId}`);
    await page.keyboard.press('b');
    await page.waitForURL(/\/brief\//);
    await page.keyboard.press('c');
    await said(page, 'Cop');
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/conversations\//);
  });
});
