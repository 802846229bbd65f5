import { expect } from 'chai';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { signUnsubscribe } from '../../src/features/base/mailing/rules.ts';
import { dayAgo, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { connectMessenger, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, owner, world } from '../support/worlds.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const WAYS = [
  { way: 'with JavaScript', javaScript: true },
  { way: 'with JavaScript off', javaScript: false },
];
const OFFER = storedItem('Send the offer');
const LAWYER = storedItem('Call the lawyer', { dueDate: dayAgo(2) });

type Ids = { userId: string; offer: string; lawyer: string };

const SWITCHES = [
  { name: 'Read Person 5002', path: () => '/conversations' },
  { name: 'Read this conversation', path: ({ offer }: Ids) => `/conversations/${offer}` },
  { name: 'Add notes automatically for confident matches', path: () => '/settings' },
  { name: 'Single-key shortcuts', path: () => '/settings/account' },
];

inBrowser('A decision or change', tester => {
  let service: Service;
  let ids: Ids;

  before(async () => {
    service = await startService({ port: await getPort(), worlds: [world(crowd(3))], crm: true, worker: false });
    const nora = await signIn(service, EMAIL);
    const accountId = await connectMessenger(service, nora, owner.phone ?? '');
    const { dialogs } = (await nora.get('/api/messenger/dialogs').expect(200)).body;
    const [offer, lawyer] = dialogs.map(({ id }: { id: string }) => id);
    const { id: userId } = await service.db('users').where({ email: EMAIL }).first('id');
    ids = { userId, offer, lawyer };
    const of = (dialogId: string, day: string, item: typeof OFFER) =>
      storeDigest(service.db, { userId, accountId }, { dialogId, day, structured: { actionItems: [item] } });
    await of(offer, dayAgo(0), OFFER);
    await of(lawyer, dayAgo(4), LAWYER);
  });
  after(stopServices);

  async function open(path: string, look: { javaScript?: boolean } = {}) {
    const page = await tester.open(look);
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    return page;
  }
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const isTicked = async ({ id }: { id: string }) =>
    (await service.db('promises').where({ item_id: id, state: 'done' }).first()) !== undefined;
  /** Whatever the page counts, and its headline. */
  const countsOf = (page: Page) => page.locator('main h1').allTextContents();
  const toastOf = (page: Page, { text }: { text: string }) => page.locator('.toast').getByText(`Done: ${text}`);

  for (const { way, javaScript } of WAYS) {
    it(`is undone ${way}: a promise on Today`, async () => {
      const page = await open('/today', { javaScript });
      const before = await countsOf(page);
      const done = page.getByRole('button', { name: `Done: ${LAWYER.text}` });
      await done.click();
      await toastOf(page, LAWYER).waitFor();
      expect(await isTicked(LAWYER)).to.equal(true);
      await press(page, /^Undo/);
      await page.locator('.toast').waitFor({ state: 'detached' });
      await done.waitFor();
      expect(await isTicked(LAWYER)).to.equal(false);
      expect(await countsOf(page)).to.deep.equal(before);
    });

    for (const { name, path } of SWITCHES) {
      it(`is undone ${way} by the same switch: ${name}`, async () => {
        const page = await open(path(ids), { javaScript });
        const toggle = (checked: boolean) => page.getByRole('switch', { name, exact: true, checked });
        await toggle(true).click();
        await toggle(false).waitFor();
        await page.reload();
        await toggle(false).click();
        await toggle(true).waitFor();
        await page.reload();
        await toggle(true).waitFor();
      });
    }

    it(`is undone ${way}: the digests by mail were stopped`, async () => {
      const mode = () => service.db('sync_configs').where({ user_id: ids.userId }).first('mail_digests');
      await service.db('sync_configs').where({ user_id: ids.userId }).update({ mail_digests: 'URGENT' });
      const { SESSION_SECRET = '' } = service.env;
      const token = await signUnsubscribe(
        SESSION_SECRET,
        { userId: ids.userId, mail: 'digest', mode: 'URGENT' },
        new Date(),
      );
      const page = await tester.open({ javaScript });
      await page.goto(`${service.url}/mail/unsubscribe/${token}`);
      await press(page, 'Stop the daily email');
      await page.getByRole('heading', { name: 'The daily email is off' }).waitFor();
      expect(await mode()).to.deep.equal({ mail_digests: 'OFF' });
      await press(page, 'Turn the daily email back on');
      await page.getByRole('heading', { name: 'The daily email is back on' }).waitFor();
      expect(await mode()).to.deep.equal({ mail_digests: 'URGENT' });
    });
  }

  it('is undone by the key that the line names', async () => {
    const page = await open('/today');
    await page.getByRole('button', { name: `Done: ${LAWYER.text}` }).click();
    await toastOf(page, LAWYER).waitFor();
    await page.keyboard.press('z');
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await isTicked(LAWYER)).to.equal(false);
  });

  it('is not repeated on reload, and its message is gone after Undo', async () => {
    const page = await open('/today', { javaScript: false });
    const done = page.getByRole('button', { name: `Done: ${LAWYER.text}` });
    await done.click();
    await toastOf(page, LAWYER).waitFor();
    const told = page.url();
    await press(page, /^Undo/);
    await done.waitFor();
    await page.goto(told);
    expect(await page.locator('.toast').count()).to.equal(0);
    expect(await isTicked(LAWYER)).to.equal(false);
  });
});
