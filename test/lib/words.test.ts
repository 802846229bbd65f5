import { expect } from 'chai';
import { daysBetween, formatSince, formatUntil } from '../../src/lib/words.ts';

describe('Words around numbers and days', () => {
  it('say until when and since when, with the day where it is another one', () => {
    const at = (now: string) => ({ now: new Date(now), timezone: 'Europe/Berlin' });
    const moment = new Date('2026-11-20T21:40:00Z');
    expect(formatUntil(moment, at('2026-11-20T08:00:00Z'))).to.equal('22:40');
    expect(formatUntil(moment, at('2026-11-19T22:00:00Z'))).to.equal('22:40 on Fri 20 Nov');
    expect(formatSince(moment, at('2026-11-20T22:00:00Z'))).to.equal('today at 22:40');
    expect(formatSince(moment, at('2026-11-20T23:30:00Z'))).to.equal('yesterday at 22:40');
    expect(formatSince(moment, at('2026-11-23T08:00:00Z'))).to.equal('on Friday at 22:40');
  });

  it('count days over a change of the clock and of the year', () => {
    expect(daysBetween('2026-10-24', '2026-10-26')).to.equal(2);
    expect(daysBetween('2026-12-31', '2027-01-01')).to.equal(1);
    expect(daysBetween('2026-11-21', '2026-11-20')).to.equal(-1);
  });
});
