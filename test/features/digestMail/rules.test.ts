import { expect } from 'chai';
import {
  chooseDigests,
  isWorthAMail,
  type MailCounts,
  MOST_LINES,
  shareLines,
  subjectFor,
} from '../../../src/features/digestMail/rules.ts';
import { rowsIn } from '../../../src/features/mailing/rules.ts';
import type { SyncError } from '../../../src/features/sync/schema.ts';
import { digest, item, urgent } from '../today/digests.ts';

const MONDAY = '2026-11-23';
const NOTHING: MailCounts = {
  ...{ today: 0, late: 0, urgent: 0, dated: 0, waiting: 0, digests: 0, unmutedDigests: 0, urgentDigests: 0 },
};
const subject = (counts: Partial<MailCounts>, isUnread = false) =>
  subjectFor(MONDAY, { ...NOTHING, ...counts }, isUnread);

describe('The subject of a daily mail', () => {
  it('counts what is due, what is overdue and who waits', () => {
    expect(subject({ today: 3, waiting: 2, digests: 9 })).to.equal('Your Monday: 3 promises due, 2 people waiting');
    expect(subject({ today: 1, late: 2, urgent: 1, waiting: 1 })).to.equal(
      'Your Monday: 1 promise due, 2 overdue, 1 urgent, 1 person waiting',
    );
    expect(subject({ late: 1 })).to.equal('Your Monday: 1 promise overdue');
    expect(subject({ today: 1, dated: 2 })).to.equal('Your Monday: 1 promise due, 2 dates');
    expect(subject({ urgent: 2 })).to.equal('Your Monday: 2 promises urgent');
  });

  it('says when nothing is due, and no one waits', () => {
    expect(subject({ digests: 4 })).to.equal('Your Monday: nothing due, no one waiting');
    expect(subject({ waiting: 1204 })).to.equal('Your Monday: nothing due, 1,204 people waiting');
    expect(subject({ urgentDigests: 1 })).to.equal('Your Monday: nothing due, 1 urgent conversation');
  });

  it('says when nothing could be read', () => {
    expect(subject({}, true)).to.equal('Your Monday: nothing due, nothing new could be read');
    expect(subject({ today: 1 }, true)).to.equal('Your Monday: 1 promise due, nothing new could be read');
    expect(subject({ digests: 2 }, true)).to.equal('Your Monday: nothing due, no one waiting');
  });
});

describe('Whether a day is worth a mail', () => {
  const expired = { code: 'SESSION_EXPIRED', stage: 'connect' } as SyncError;
  const flooded = { code: 'FLOOD_WAIT', stage: 'connect' } as SyncError;
  const worth = (mode: 'OFF' | 'ALWAYS' | 'URGENT', counts: Partial<MailCounts>, errors: SyncError[] = []) =>
    isWorthAMail(mode, { ...NOTHING, ...counts }, errors);

  it('depends on what was chosen', () => {
    const loud = { digests: 1, unmutedDigests: 1, urgentDigests: 1 };
    expect([worth('OFF', loud), worth('ALWAYS', loud), worth('URGENT', loud)]).to.deep.equal([false, true, true]);
    const quiet = { digests: 1, unmutedDigests: 1 };
    expect([worth('ALWAYS', quiet), worth('URGENT', quiet)]).to.deep.equal([true, false]);
    expect(worth('ALWAYS', {})).to.equal(false);
  });

  it('includes days with nothing new on which something is due, or someone waits', () => {
    for (const one of ['today', 'late', 'urgent', 'waiting']) expect(worth('ALWAYS', { [one]: 1 })).to.equal(true);
  });

  it('excludes days on which only muted conversations have something new', () => {
    expect(worth('ALWAYS', { digests: 3 })).to.equal(false);
  });

  it('includes an ended session, which would go unnoticed otherwise, but not a wait', () => {
    expect(worth('URGENT', {}, [expired])).to.equal(true);
    expect(worth('OFF', {}, [expired])).to.equal(false);
    expect(worth('ALWAYS', {}, [flooded])).to.equal(false);
  });
});

describe('The digests of a daily mail', () => {
  it('are the urgent ones first, without those that are done or muted', () => {
    const task = item();
    const done = digest({ name: 'Done', structured: { ...urgent, actionItems: [task] }, ticked: new Set([task.id]) });
    const muted = digest({ name: 'Muted', structured: urgent, dialog: { isMuted: true } });
    const { shown, urgent: count } = chooseDigests([done, muted, digest(), digest({ name: 'Bo', structured: urgent })]);
    expect(shown.map(({ dialog }) => dialog.peerName)).to.deep.equal(['Bo', 'Done', 'Ada']);
    expect(count).to.equal(1);
  });
});

describe('The lines of a daily mail', () => {
  const plain = { due: 0, waiting: 0, digests: 0, urgent: 0, others: 0 };
  const share = (wanted: Partial<typeof plain>) => shareLines({ ...plain, ...wanted });

  it('are twelve at most, whatever the day holds', () => {
    for (const due of [0, 1, 5, 8])
      for (const waiting of [0, 1, 6])
        for (const digests of [0, 1, 9, 300])
          for (const others of [0, 1, 3]) {
            const lines = share({ due, waiting, digests, others, urgent: Math.min(digests, 4) });
            expect(lines.due + lines.waiting + lines.digests + others).to.be.at.most(MOST_LINES);
            expect(lines.due === 0, `${due} due`).to.equal(due === 0);
            expect(lines.waiting === 0, `${waiting} waiting`).to.equal(waiting === 0);
            expect(lines.digests === 0, `${digests} digests`).to.equal(digests === 0);
          }
  });

  it('go to what is due first, and leave some to those who wait and to what is urgent', () => {
    expect(share({ due: 8, waiting: 6, digests: 40, others: 1 })).to.deep.equal({ due: 7, waiting: 3, digests: 1 });
    expect(share({ due: 8, waiting: 6, digests: 40, urgent: 5 })).to.deep.equal({ due: 6, waiting: 3, digests: 3 });
    expect(share({ due: 2, waiting: 6, digests: 40 })).to.deep.equal({ due: 2, waiting: 6, digests: 4 });
    expect(share({ digests: 40 })).to.deep.equal({ due: 0, waiting: 0, digests: 12 });
  });

  it('keep one of each list to say how many are left', () => {
    expect([rowsIn(3, 3), rowsIn(3, 4), rowsIn(1, 40), rowsIn(0, 0)]).to.deep.equal([3, 2, 0, 0]);
  });
});
