import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CRM, type OpenSetup, openSetup, TELEGRAM, UNKNOWN_HASH } from '../features/operator/setup/openSetup.ts';
import { until } from '../support/until.ts';
import { holdStill, judgeEverywhere, judgeOnce } from './axe.ts';
import { holdAnswers, inBrowser } from './browser.ts';
import { resize } from './size.ts';

inBrowser('The setup page', tester => {
  let setup: OpenSetup;
  beforeEach(async () => {
    setup = await openSetup();
    setup.ai.behave({ models: ['qwen3:14b', 'llama4:8b'] });
  });
  afterEach(() => setup.stop());

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();

  async function open(): Promise<Page> {
    const page = await tester.open();
    await page.goto(`${setup.url}/setup?token=${setup.token}`);
    expect(new URL(page.url()).search).to.equal('');
    return page;
  }

  async function look(page: Page, judge = judgeOnce) {
    await holdStill(page);
    await judge(page);
    await resize(page, { width: 1440, height: 900 });
  }

  it('checks the format while it is typed and the service on leaving the field', async () => {
    const page = await open();
    const checks = page.locator('#checks');
    await page.getByLabel('api_id').pressSequentially('28x');
    await checks.getByText('api_id is a number').waitFor();
    await page.getByLabel('api_id').fill(TELEGRAM.apiId);
    await page.getByLabel('api_hash').fill(UNKNOWN_HASH);
    const release = await holdAnswers(page, '**/setup/telegram/check');
    await page.getByLabel('api_hash').press('Tab');
    await page.locator('#running').waitFor({ state: 'visible' });
    release();
    await checks.getByText('Telegram doesn’t accept this pair').waitFor();
    await look(page);
    await page.getByLabel('api_hash').fill(TELEGRAM.apiHash);
    await page.getByLabel('api_hash').press('Tab');
    await checks.getByText('Telegram accepts them: app 2814 ••••').waitFor();
    expect(await checks.innerText()).to.match(/\d\.\d s/);
    await press(page, 'Save and continue');
    await heading(page, 'Who writes the digests?');
  });

  it('leads through all five steps', async () => {
    const page = await open();
    await heading(page, 'First, Telegram');
    await look(page);
    await page.getByLabel('api_id').fill(TELEGRAM.apiId);
    await page.getByLabel('api_hash').fill(TELEGRAM.apiHash);
    await press(page, 'Save and continue');
    await heading(page, 'Who writes the digests?');
    await look(page);
    expect(await page.getByLabel('Model of Ollama').inputValue()).to.equal('');
    await page.getByLabel('Server address').fill(setup.ai.url);
    await page.getByLabel('Model', { exact: true }).fill('qwen3:14b');
    await press(page, 'Use this server');
    await heading(page, 'Now HubSpot');
    await page.getByText('qwen3:14b at').waitFor();
    await look(page);
    await page.getByLabel('Service key').fill(CRM.accessKey);
    await press(page, 'Save and continue');
    await heading(page, 'Where is it open?');
    await press(page, 'Only this machine');
    await heading(page, 'And you');
    await look(page);
    await page.getByLabel('Your email address').fill('nora@example.com');
    await press(page, 'Save and continue');
    await heading(page, 'Ready to start');
    await look(page);
    await press(page, 'Finish setup');
    await heading(page, 'Forenoon is set up');
    await page.getByText('npm run sign-in-link').waitFor();
    await look(page);
  });

  it('downloads a model, tells how far it is without losing the focus, and shows two digests @thorough', async () => {
    const model = 'qwen3:4b-instruct';
    setup.ai.ollama.install();
    setup.ai.ollama.offer({ [model]: { bytes: 2.5e9 } }, { steps: 40, stepMs: 100 });
    const page = await open();
    await page.getByLabel('api_id').fill(TELEGRAM.apiId);
    await page.getByLabel('api_hash').fill(TELEGRAM.apiHash);
    await press(page, 'Save and continue');
    await heading(page, 'Who writes the digests?');
    await look(page, judgeEverywhere);
    expect(await page.locator('input:checked').count()).to.equal(0);
    await page.getByLabel(model).check();
    await press(page, 'Download and try');
    await page.getByRole('progressbar', { name: 'Download progress' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).focus();
    const amount = page.locator('#models .work p').first();
    const before = await amount.innerText();
    await until(async () => (await amount.innerText()) !== before);
    expect(await page.evaluate('document.activeElement?.id')).to.equal('cancel-work');
    await press(page, 'Cancel');
    await page.getByText(`The download of ${model} was cancelled`).waitFor();
    await look(page, judgeEverywhere);
    setup.ai.faults.next({ kind: 'diskFull', on: 'ollama.pull' });
    await press(page, 'Resume');
    await page.getByText(`The disk has no room for ${model}`).waitFor();
    await look(page, judgeEverywhere);
    setup.ai.ollama.offer({ [model]: { bytes: 2.5e9 } });
    await press(page, 'Resume');
    await page.getByText('The same conversation, written by each').waitFor();
    await look(page, judgeEverywhere);
    await press(page, `Use ${model}-16k`);
    await heading(page, 'Now HubSpot');
  });
});
