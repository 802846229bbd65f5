import { expect } from 'chai';
import { MODEL, startWithModel } from '../features/messenger/consent/given.ts';
import { dayAgo, setClock, storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import type { AiSandbox } from '../support/ai/server.ts';
import { post } from '../support/pages.ts';
import { signIn } from '../support/people.ts';
import { type Service, stopServices } from '../support/service.ts';
import { inBrowser, openAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const LINE = 'Claire needs 1,100 loggers on 30 sites for £70,000 before the contract ends in February.';
const ANSWER = 'Claire needs 1,100 loggers on 30 sites.';

inBrowser('Sentences of a model', tester => {
  let ai: AiSandbox;
  let service: Service;
  let claire: { dialogId: string };

  before(async () => {
    ({ ai, service } = await startWithModel({ worker: false }));
    setClock(service);
    const nora = await signIn(service, EMAIL);
    const owner = await storeAccount(service.db, EMAIL);
    const sourcesOf = (sender: string, line: string) => ({
      sentences: [{ from: 0, to: line.length, messageIds: ['1'] }],
      messages: [{ id: '1', sender, fromUser: false, sentAt: `${dayAgo(1)}T11:00:00Z` }],
    });
    claire = await storeDigest(service.db, owner, {
      ...{ name: 'Claire Whitfield', summary: LINE, sources: sourcesOf('Claire Whitfield', LINE), day: dayAgo(1) },
      structured: { actionItems: [storedItem('Send Claire the price list')] },
    });
    await service.db('digests').update({ engine: MODEL });
    await post(nora, `/settings/connections/${owner.accountId}/writer`, { writer: 'model' }).expect(303);
  });
  beforeEach(async () => {
    ai.faults.clear();
    says(ANSWER);
    await service.db('written_answers').delete();
  });
  after(stopServices);

  function says(...texts: string[]) {
    ai.script(() => ({ sentences: texts.map(text => ({ text, passages: [1] })) }));
  }

  const open = (path: string, look = {}) => openAs(tester, { service, email: EMAIL, path, look });

  it('come into the page that is there already, and lead to their passages', async () => {
    ai.faults.delay(1500);
    const page = await open('/ask?q=How+many+loggers%3F', { width: 390 });
    await page.locator('#c1').waitFor();
    await page.getByText('Writing it in sentences…').waitFor({ state: 'visible' });
    await page.getByText(ANSWER).waitFor();
    await page.locator('#answer').getByRole('link', { name: 'Source 1' }).click();
    expect(page.url()).to.match(/#c1$/);
    expect(await page.locator('#answer form').count()).to.equal(0);
  });

  it('are on top of a brief, which still prints on one page', async () => {
    const page = await open(`/brief/${claire.dialogId}`);
    await page.locator('#stand').getByText(ANSWER).waitFor();
    const text = await page.locator('#text').textContent();
    expect(text).to.include(`${ANSWER} [1]`);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).to.have.length(1);
  });
});
