import { expect } from 'chai';
import { recordStored } from '../../../../bench/support/recordStored.ts';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { EMPTY_CONTENT } from '../../../../src/features/digests/schema.ts';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';

const FRIDAY = '2027-03-05';
const MONDAY = '2027-03-08';
const TUESDAY = '2027-03-09';

describe('The day of a promise', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let item: ActionItem;
  let digestId: string;
  let dialogId: string;

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  beforeEach(async () => {
    item = storedItem('Send the signed contract', { dueDate: FRIDAY, dueTime: '15:00', dueText: 'by Friday at 3' });
    const stored = { day: dayAgo(1), structured: { actionItems: [item] } };
    ({ digestId, dialogId } = await storeDigest(service.db, owner, stored));
    await shown();
  });

  const shown = () => nora.get('/api/promises').expect(200);
  const promise = async () =>
    (await nora.get('/api/promises').query({ dialogId }).expect(200)).body.promises.find(
      ({ itemId }: { itemId: string }) => itemId === item.id,
    );
  const rewrite = async (found: Partial<ActionItem>) => {
    const structured = {
      ...EMPTY_CONTENT,
      actionItems: [{ ...item, dueDate: null, dueTime: null, dueText: null, ...found }],
    };
    await service
      .db('digests')
      .where({ id: digestId })
      .update({ structured: JSON.stringify(structured) });
    await recordStored(service.db, { userId: owner.userId, digestIds: [digestId], now: new Date() });
  };
  const sayAgain = (found: Partial<ActionItem>) =>
    storeDigest(service.db, owner, { dialogId, structured: { actionItems: [{ ...item, ...found }] } });

  it('stays, with its hour and words, when a rewrite finds none', async () => {
    await rewrite({});
    const due = { dueDate: FRIDAY, dueTime: '15:00', dueText: 'by Friday at 3' };
    expect(await promise()).to.include({ ...due, movedFrom: null });
  });

  it('keeps its hour when a rewrite finds only the day', async () => {
    await rewrite({ dueDate: FRIDAY, dueText: 'Friday' });
    expect(await promise()).to.include({ dueDate: FRIDAY, dueTime: '15:00' });
  });

  it('moves when a rewrite finds another one, with a line in its history', async () => {
    await rewrite({ dueDate: MONDAY });
    expect(await promise()).to.include({ dueDate: MONDAY, dueTime: null, movedFrom: FRIDAY });
    const page = wordsOf((await nora.get(`/conversations/${dialogId}`).expect(200)).text);
    expect(page).to.match(/Moved from Fri 5 Mar(?: 2027)? to Mon 8 Mar/);
    await rewrite({});
    expect(await promise()).to.include({ dueDate: MONDAY, movedFrom: FRIDAY });
  });

  it('moves when a later day names another one, also a second time', async () => {
    await sayAgain({ dueDate: MONDAY });
    expect(await promise()).to.include({ dueDate: MONDAY, movedFrom: FRIDAY });
    await storeDigest(service.db, owner, {
      dialogId,
      day: dayAgo(-1),
      structured: { actionItems: [{ ...item, dueDate: TUESDAY }] },
    });
    expect(await promise()).to.include({ dueDate: TUESDAY, movedFrom: MONDAY });
  });

  it('is corrected without a line where its person has not seen it', async () => {
    await service.db('promise_read_markers').update({ last_seen_number: 0 });
    await rewrite({ dueDate: MONDAY });
    expect(await promise()).to.include({ dueDate: MONDAY, movedFrom: null });
  });

  it('is found later where the first reading found none', async () => {
    item = storedItem('Call the notary', { sourceMessageIds: ['77'] });
    ({ digestId, dialogId } = await storeDigest(service.db, owner, { structured: { actionItems: [item] } }));
    await shown();
    await rewrite({ dueDate: MONDAY, dueTime: '11:00' });
    expect(await promise()).to.include({ dueDate: MONDAY, dueTime: '11:00', movedFrom: null });
  });
});
