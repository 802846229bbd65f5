import { expect } from 'chai';
import { storeAccount, storeDigest } from '../features/pages/today/stored.ts';
import { connectAssistant, disconnectAll, readTool } from '../support/assistants.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';

inBrowser('Connected apps', tester => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
    await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    await storeDigest(service.db, owner, { summary: 'The tender closes.' });
  });
  afterEach(disconnectAll);
  after(stopServices);

  it('let an assistant in, show what it did, and close everything', async () => {
    const page = await tester.open();
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}/settings/apps`);
    await page.getByText('Create a token', { exact: true }).click();
    await page.getByLabel('What is it for?').fill('Claude');
    await page.getByLabel('Connect an AI assistant').check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = (await page.locator('#new-token').textContent()) ?? '';
    await page.getByRole('link', { name: 'Choose what it may read' }).click();
    await page.getByRole('heading', { name: 'What may Claude read?' }).waitFor();
    await page.getByLabel('All private conversations').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Reads all private conversations').waitFor();
    const { digests } = await readTool(await connectAssistant(service, secret), 'today');
    expect(digests).to.have.length(1);
    await page.reload();
    await page.getByText(/Last call today at [\d:]+: today\./).waitFor();
    await page.getByText('1 by 1 token').waitFor();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.locator('#new-feed').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('No token and no link opens anything any more.').waitFor();
    expect(await page.getByText('Claude', { exact: true }).count()).to.equal(0);
  });
});
