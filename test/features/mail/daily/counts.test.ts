import { expect } from 'chai';
import { sendDigestMail } from '../../../../src/features/mail/daily/sendDigestMail.ts';
import { dayAfter } from '../../../../src/lib/timezones.ts';
import { post } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { storeAccount, storeDigest, storedItem } from '../../pages/today/stored.ts';

const NORA = 'nora@example.com';
const TODAY = '2026-11-25';

describe('The counts of a daily mail', () => {
  let service: Service;
  let owner: { userId: string; accountId: string };

  before(async () => {
    service = await startService({ mail: true });
    service.clock.advance(Date.parse(`${TODAY}T10:00:00Z`) - Date.now());
    const nora = await signIn(service, NORA);
    owner = await storeAccount(service.db, NORA);
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
    const meet = { owner: 'unknown', ownerName: null, kind: 'appointment', dueTime: '14:00' } as const;
    const actionItems = [
      storedItem('Meet today', { ...meet, dueDate: TODAY }),
      storedItem('Send today', { dueDate: TODAY }),
      storedItem('Meet', { ...meet, dueDate: dayAfter(TODAY, 1) }),
      storedItem('Send', { dueDate: dayAfter(TODAY, 1) }),
    ];
    await storeDigest(service.db, owner, { name: 'Claire', day: TODAY, structured: { actionItems } });
  });
  after(stopServices);
  afterEach(() => service.db('sent_mails').delete());

  async function mail() {
    const worker = service.worker();
    const askedAt = service.clock.now().toISOString();
    await sendDigestMail(
      { ...worker, appUrl: worker.config.appUrl },
      {
        ...{ userId: owner.userId, jobId: 'none', day: TODAY, askedAt },
      },
    );
    return service.mail.mails().at(-1)?.text ?? '';
  }

  it('leave no promise of the day, or of the next, out for an appointment', async () => {
    const text = await mail();
    expect(text).to.match(/TODAY \(2\)\n\n\*[^*]+Meet today[^*]+\*[^*]+Send today/);
    expect(text).to.match(/TOMORROW \(2\)\n\n\* 14:00 · Claire: Meet\n\* Claire: Send\n/);
  });

  it('are of all that was closed since yesterday, not only of what Today lists', async () => {
    const now = service.clock.now();
    const kept = Array.from({ length: 25 }, (_, n) => storedItem(`Kept ${n}`, {}));
    await storeDigest(service.db, owner, { name: 'Ada', day: TODAY, structured: { actionItems: kept } });
    await service
      .db('promises')
      .whereLike('words', 'Kept %')
      .update({ state: 'done', changed_by: 'automatic', changed_at: now });
    expect(await mail()).to.match(/CLOSED SINCE YESTERDAY \(25\)[^(]+\* 23 more on Today/);
  });
});
