import { expect } from 'chai';
import getPort from 'get-port';
import { fillMornings } from '../../bench/support/morning.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const CONVERSATIONS = 250;
const MOST_PIXELS = 4000;

inBrowser('Today on a phone, with 250 conversations', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ port: await getPort(), worker: false });
    await signIn(service, EMAIL);
    const { id } = await service.db('users').where({ email: EMAIL }).first('id');
    await fillMornings(service.db, id, { perDay: CONVERSATIONS, days: 1, script: 'latin' });
    await service
      .db('promises')
      .where({ direction: 'mine' })
      .update({ due_date: service.db.raw('current_date') });
    const late = service.db('promises').where({ direction: 'theirs' }).select('id');
    await service
      .db('promises')
      .whereIn('id', late)
      .update({ due_date: service.db.raw('current_date - 1') });
  });
  after(stopServices);

  for (const [width, most] of [
    [390, MOST_PIXELS],
    [320, MOST_PIXELS * 1.25],
  ] as const) {
    it(`is at most ${most} pixels high before the rest at ${width}, and never wider than the screen`, async () => {
      const page = await tester.open({ width });
      await signInAs(page, service, EMAIL);
      await page.goto(`${service.url}/today`);
      const rest = page.getByRole('link', { name: /^Show the other 237/ });
      await rest.scrollIntoViewIfNeeded();
      const end = await rest.evaluate(link => {
        const { documentElement } = link.ownerDocument;
        return link.getBoundingClientRect().bottom - documentElement.getBoundingClientRect().top;
      });
      expect(end).to.be.at.most(most);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      expect(await page.locator('#due .prom').count()).to.equal(7);
      expect(await page.locator('#opening .line').count()).to.equal(3);
    });
  }
});
