import { expect } from 'chai';
import { dayAgo, storeAccount, storeDigest } from '../features/pages/today/stored.ts';
import { storeQuestion } from '../features/promises/waiting/stored.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { countLoads, inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('Who waits', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    for (const [at, name] of ['Ingrid', 'Noor'].entries()) {
      const { dialogId } = await storeDigest(service.db, owner, { name });
      await storeQuestion(service.db, owner.userId, { dialogId, askedAt: `${dayAgo(20 - at)}T10:00:00Z` });
    }
  });
  after(stopServices);

  it('leaves in place by a key, and is back by another', async () => {
    const page = await tester.open();
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}/promises?view=waiting`);
    const loads = countLoads(page);
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await page.locator('.toast').getByText('No answer needed: Ingrid').waitFor();
    await page.locator('.wait').first().waitFor({ state: 'hidden' });
    expect(await page.locator('#n-waiting').textContent()).to.equal('1');
    expect(await service.db('waiting_questions').whereNotNull('dismissed_at')).to.have.length(1);
    await page.keyboard.press('z');
    await page.locator('.wait').first().waitFor({ state: 'visible' });
    expect(await page.locator('#n-waiting').textContent()).to.equal('2');
    expect(await service.db('waiting_questions').whereNotNull('dismissed_at')).to.have.length(0);
    expect(loads()).to.equal(0);
  });
});
