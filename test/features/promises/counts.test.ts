import { expect } from 'chai';
import { compact, post } from '../../support/pages.ts';
import { signIn } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { dayAgo, storeAccount, storePromise } from '../pages/today/stored.ts';

describe('The number beside Promises in the navigation', () => {
  after(stopServices);

  it('is that of the list its link opens, also right after a tick', async () => {
    const service = await startService({ worker: false });
    const nora = await signIn(service, 'nora@example.com');
    const owner = await storeAccount(service.db, 'nora@example.com');
    await storePromise(service.db, owner, 'Send the offer', { dueDate: dayAgo(0) });
    const { promiseId } = await storePromise(service.db, owner, 'Call the lawyer', {});
    await storePromise(service.db, owner, 'Pay the invoice', {});
    await service.db('promises').where({ words: 'Pay the invoice' }).update({ direction: 'theirs' });
    const counted = (html: string) => Number(/id="open-side"[^>]*>(\d+)</.exec(compact(html))?.[1]);
    const show = async () => (await nora.get('/promises').expect(200)).text;
    expect(counted(await show())).to.equal(2);
    expect((await show()).match(/<li class="prom"/g)).to.have.length(2);
    const { text } = await post(nora, `/promises/${promiseId}`, { action: 'done', back: '/promises' }).set(
      'HX-Request',
      'true',
    );
    expect(counted(text)).to.equal(1);
    expect((await show()).match(/<li class="prom"/g)).to.have.length(1);
  });
});
