import { expect } from 'chai';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { storeAccount, storeDigest, storedItem } from './stored.ts';

const NAME = 'نور الحسن';
const ISOLATED = `\u2068${NAME}\u2069`;
const SUMMARY = `${NAME}: 3 files by 12 May. Lena agreed with نور.`;
const ITEM = storedItem(`Send ${NAME} 3 files`);

describe('A text that mixes directions of writing', () => {
  let service: Service;
  let lena: Agent;
  let dialogId: string;

  before(async () => {
    service = await startService({ crm: true, worker: false });
    lena = await signIn(service, 'lena@example.com');
    const owner = await storeAccount(service.db, 'lena@example.com');
    const structured = { urgency: 'high' as const, actionItems: [ITEM] };
    ({ dialogId } = await storeDigest(service.db, owner, { name: NAME, summary: SUMMARY, structured }));
  });
  after(stopServices);

  const pageOf = async (path: string) => (await lena.get(path).expect(200)).text.replaceAll(/<\/?mark>/g, '');

  it('isolates the name on Today, in search results and on the conversation’s page', async () => {
    for (const path of ['/today', '/today?q=files', '/today?q=نور', `/conversations/${dialogId}`]) {
      const text = await pageOf(path);
      expect(text, path).to.include(`${ISOLATED}: 3 files`).and.include('with \u2068نور\u2069.');
    }
  });
});
