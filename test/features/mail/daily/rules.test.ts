import { expect } from 'chai';
import { rowsThatFit } from '../../../../src/features/base/mailing/rules.ts';
import {
  chooseDigests,
  isDayWorthMail,
  MAX_LINES,
  type MailCounts,
  shareLines,
} from '../../../../src/features/mail/daily/rules.ts';
import type { SyncError } from '../../../../src/features/sync/schema.ts';
import { digest, urgent } from '../../pages/today/digests.ts';

const NOTHING: MailCounts = {
  ...{ dueToday: 0, overdue: 0, urgent: 0, dated: 0, tomorrow: 0, waiting: 0 },
  ...{ digests: 0, unmutedDigests: 0, urgentDigests: 0 },
};

describe('Whether a day is worth a mail', () => {
  const expired = { code: 'SESSION_EXPIRED', stage: 'connect' } as SyncError;
  const flooded = { code: 'FLOOD_WAIT', stage: 'connect' } as SyncError;
  const worth = (mode: 'OFF' | 'ALWAYS' | 'URGENT', counts: Partial<MailCounts>, errors: SyncError[] = []) =>
    isDayWorthMail(mode, { ...NOTHING, ...counts }, errors);

  it('depends on what was chosen', () => {
    const loud = { digests: 1, unmutedDigests: 1, urgentDigests: 1 };
    expect([worth('OFF', loud), worth('ALWAYS', loud), worth('URGENT', loud)]).to.deep.equal([false, true, true]);
    const quiet = { digests: 1, unmutedDigests: 1 };
    expect([worth('ALWAYS', quiet), worth('URGENT', quiet)]).to.deep.equal([true, false]);
    expect(worth('ALWAYS', {})).to.equal(false);
  });

  it('includes days with nothing new on which something is due, or someone waits', () => {
    for (const one of ['dueToday', 'overdue', 'urgent', 'dated', 'tomorrow', 'waiting'])
      expect(worth('ALWAYS', { [one]: 1 })).to.equal(true);
  });

  it('includes an ended session, which would go unnoticed otherwise, but not a wait', () => {
    expect(worth('URGENT', {}, [expired])).to.equal(true);
    expect(worth('OFF', {}, [expired])).to.equal(false);
    expect(worth('ALWAYS', {}, [flooded])).to.equal(false);
  });
});

describe('The lines of a daily mail', () => {
  const plain = { due: 0, waiting: 0, overdue: 0, digests: 0 };
  const share = (wanted: Partial<typeof plain>) => shareLines({ ...plain, ...wanted });

  it('are none of muted conversations', () => {
    const muted = digest({ name: 'Muted', structured: urgent, dialog: { isMuted: true } });
    const { shown, urgent: count } = chooseDigests([muted, digest()]);
    expect([shown.map(({ dialog }) => dialog.peerName), count]).to.deep.equal([['Ada'], 0]);
  });

  it('are twelve at most, with a row and the number of the rest of each kind', () => {
    for (const many of [1, 6, 300]) {
      const counts = Object.values(share({ due: many, waiting: many, overdue: many, digests: many }));
      expect(counts.reduce((one, other) => one + other, 0)).to.be.at.most(MAX_LINES);
      expect(Math.min(...counts)).to.be.at.least(Math.min(many, 2));
    }
  });

  it('go to three news and the count of the rest, then to what is due, and two to what is overdue', () => {
    const busy = { due: 8, waiting: 6, overdue: 40, digests: 40 };
    expect(share(busy)).to.deep.equal({ digests: 4, due: 4, overdue: 2, waiting: 2 });
    expect(share({ ...busy, overdue: 0 })).to.deep.equal({ digests: 4, due: 5, overdue: 0, waiting: 3 });
    expect(share({ digests: 40 }).digests).to.equal(12);
    expect([rowsThatFit(3, 3), rowsThatFit(3, 4), rowsThatFit(1, 40), rowsThatFit(0, 0)]).to.deep.equal([3, 2, 0, 0]);
  });
});
