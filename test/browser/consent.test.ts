import { expect } from 'chai';
import getPort from 'get-port';
import { MODEL } from '../features/messenger/consent/given.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, owner, world } from '../support/worlds.ts';
import { inBrowser, signInAs, tabTo } from './browser.ts';

const WHO = 'nora@example.com';
const SENTENCE = 'I use Forenoon to keep track of what we agree. It keeps short quotes from our chat once a day.';

inBrowser('Choosing who writes', tester => {
  let service: Service;
  let url: string;

  before(async () => {
    const env = { AI_API_KEY: 'key', AI_MODEL: MODEL };
    service = await startService({ port: await getPort(), worlds: [world(crowd(1))], worker: false, env });
    url = `${service.url}/connect`;
    await signIn(service, WHO);
  });
  after(stopServices);

  const open = async () => {
    const page = await tester.open();
    await signInAs(page, service, WHO);
    await page.goto(url);
    return page;
  };

  it('works with the keyboard alone', async () => {
    const page = await open();
    const first = page.getByRole('radio', { name: 'This server' });
    await tabTo(page, 'This server', 'radio');
    expect(await page.getByRole('radio', { checked: true }).count()).to.equal(0);
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'An AI model' }).isChecked()).to.equal(true);
    await page.keyboard.press('ArrowUp');
    expect(await first.isChecked()).to.equal(true);
    await tabTo(page, 'Phone number', 'textbox');
    await page.keyboard.type(owner.phone ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/connect/code');
  });

  it('copies the sentence for the other side, and says so', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy sentence' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.include(SENTENCE);
    expect(await page.locator('#say').textContent()).to.equal('Copied');
  });
});
