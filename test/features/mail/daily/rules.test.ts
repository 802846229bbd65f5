import { expect } from 'chai';
import { rowsIn } from '../../../../src/features/base/mailing/rules.ts';
import {
  chooseDigests,
  isWorthAMail,
  type MailCounts,
  MOST_LINES,
  shareLines,
  subjectFor,
} from '../../../../src/features/mail/daily/rules.ts';
import type { SyncError } from '../../../../src/features/sync/schema.ts';
import { digest, item, urgent } from '../../pages/today/digests.ts';

const MONDAY = '2026-11-23';
const NOTHING: MailCounts = {
  ...{
    today: 0,
    late: 0,
    lateAsked: 0,
    urgent: 0,
    dated: 0,
    tomorrow: undefined,
    waiting: 0,
    digests: 0,
    unmutedDigests: 0,
    urgentDigests: 0,
  },
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
    expect(subject({ late: 9, lateAsked: 4 })).to.equal('Your Monday: 5 promises overdue, 4 perhaps settled');
    expect(subject({ today: 1, dated: 2 })).to.equal('Your Monday: 1 promise due, 2 dates');
    expect(subject({ urgent: 2 })).to.equal('Your Monday: 2 promises urgent');
  });

  it('says when nothing is due, and no one waits', () => {
    expect(subject({ digests: 4 })).to.equal('Your Monday: nothing due, no one waiting');
    expect(subject({ waiting: 1204 })).to.equal('Your Monday: nothing due, 1,204 people waiting');
    expect(subject({ urgentDigests: 1 })).to.equal('Your Monday: nothing due, 1 urgent conversation');
  });

  it('leads with tomorrow after noon', () => {
    expect(subject({ tomorrow: { promises: 3, dates: 0 }, today: 2, late: 1, waiting: 2 })).to.equal(
      'Tomorrow, Tuesday: 3 promises due, 2 still due today, 1 overdue, 2 people waiting',
    );
    expect(subject({ tomorrow: { promises: 0, dates: 0 }, late: 1 })).to.equal(
      'Tomorrow, Tuesday: nothing due, 1 promise overdue',
    );
    expect(subject({ tomorrow: { promises: 0, dates: 0 } })).to.equal('Tomorrow, Tuesday: nothing due, no one waiting');
    expect(subject({ tomorrow: { promises: 1, dates: 0 } })).to.equal('Tomorrow, Tuesday: 1 promise due');
    expect(subject({ tomorrow: { promises: 1, dates: 2 }, late: 1 })).to.equal(
      'Tomorrow, Tuesday: 1 promise due, 2 dates, 1 overdue',
    );
    expect(subject({ tomorrow: { promises: 0, dates: 1 }, today: 1 })).to.equal(
      'Tomorrow, Tuesday: 1 date, 1 still due today',
    );
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
    for (const one of ['today', 'late', 'urgent', 'dated', 'waiting'])
      expect(worth('ALWAYS', { [one]: 1 })).to.equal(true);
    expect(worth('ALWAYS', { tomorrow: { promises: 1, dates: 0 } })).to.equal(true);
    expect(worth('ALWAYS', { tomorrow: { promises: 0, dates: 1 } })).to.equal(true);
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
  const plain = { tomorrow: 0, due: 0, waiting: 0, late: 0, overdue: 0, digests: 0, urgent: 0, others: 0 };
  const share = (wanted: Partial<typeof plain>) => shareLines({ ...plain, ...wanted });

  it('are twelve at most, whatever the day holds', () => {
    for (const wanted of mixes()) {
      const lines = share(wanted);
      const counts = Object.values(lines);
      expect(counts.reduce((one, other) => one + other, wanted.others)).to.be.at.most(MOST_LINES);
      expect(Math.min(...counts)).to.be.at.least(0);
      const parts = ['tomorrow', 'due', 'waiting', 'late', 'digests'] as const;
      const without = (of: Record<(typeof parts)[number], number>) => parts.filter(part => of[part] === 0);
      expect(without(lines), JSON.stringify(wanted)).to.deep.equal(without(wanted));
    }
  });

  function mixes() {
    let all = [plain];
    const some = { tomorrow: [0, 1, 8], due: [0, 1, 5, 8], waiting: [0, 1, 6], late: [0, 1, 40], digests: [0, 1, 300] };
    for (const [part, counts] of Object.entries({ ...some, others: [0, 1, 3, 5] })) {
      all = all.flatMap(mix => counts.map(count => ({ ...mix, [part]: count })));
    }
    return all.map(mix => ({ ...mix, urgent: Math.min(mix.digests, 4), overdue: Math.min(mix.late, 8) }));
  }

  it('name two promises that are overdue, unless that leaves less than four to what is due', () => {
    const late = { late: 11, overdue: 5 };
    expect(share({ ...late, tomorrow: 8, waiting: 2, digests: 10 })).to.include({ tomorrow: 6, waiting: 2, late: 3 });
    expect(share({ ...late, due: 8, waiting: 1, digests: 10, urgent: 2, others: 3 })).to.include({ due: 4, late: 1 });
  });

  it('go to what is due first, and leave some to those who wait and to what is urgent', () => {
    const none = { tomorrow: 0, late: 0 };
    const busy = { due: 8, waiting: 6, digests: 40 };
    expect(share({ ...busy, others: 1 })).to.deep.equal({ ...none, due: 7, waiting: 3, digests: 1 });
    expect(share({ ...busy, urgent: 5 })).to.deep.equal({ ...none, due: 6, waiting: 3, digests: 3 });
    expect(share({ due: 2, waiting: 6, digests: 40 })).to.deep.equal({ ...none, due: 2, waiting: 6, digests: 4 });
    expect(share({ digests: 40 })).to.deep.equal({ ...none, due: 0, waiting: 0, digests: 12 });
  });

  it('leave three at most to what is overdue, and after noon most to tomorrow', () => {
    expect(share({ late: 9, digests: 40 })).to.include({ late: 3, digests: 9 });
    expect(share({ due: 8, waiting: 3, late: 9, digests: 4 })).to.include({ due: 7, waiting: 3, late: 1, digests: 1 });
    expect(share({ tomorrow: 8, due: 8, late: 2, digests: 4 })).to.include({
      tomorrow: 8,
      due: 2,
      late: 1,
      digests: 1,
    });
  });

  it('keep one of each list to say how many are left', () => {
    expect([rowsIn(3, 3), rowsIn(3, 4), rowsIn(1, 40), rowsIn(0, 0)]).to.deep.equal([3, 2, 0, 0]);
  });
});
