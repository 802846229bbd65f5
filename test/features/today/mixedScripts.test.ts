import { expect } from 'chai';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { storeAccount, storeDigest } from './stored.ts';

describe('A summary that mixes directions of writing', () => {
  let service: Service;
  let lena: Agent;

  before(async () => {
    service = await startService({ worker: false });
    lena = await signIn(service, 'lena@example.com');
    const owner = await storeAccount(service.db, 'lena@example.com');
    const structured = { urgency: 'high' as const };
    const summary = 'نور الحسن: 3 files by 12 May. Lena agreed with نور.';
    await storeDigest(service.db, owner, { name: 'نور الحسن', summary, structured });
  });
  after(stopServices);

  it('keeps the name to itself on Today and on the page of the conversation', async () => {
    const { id } = await service.db('dialogs').first('id');
    for (const path of ['/today', `/conversations/${id}`]) {
      const { text } = await lena.get(path).expect(200);
      expect(text, path).to.include('\u2068نور الحسن\u2069: 3 files').and.include('with \u2068نور\u2069.');
    }
  });
});
