import { expect } from 'chai';
import { isTimezone, localDay, startOfDay } from '../../src/lib/timezones.ts';

describe('Time zones', () => {
  it('are the same in any spelling of ASCII letters', () => {
    for (const name of ['Europe/Minsk', 'EUROPE/MINSK', 'eUrOpE/mInSk']) expect(isTimezone(name), name).to.equal(true);
    expect(isTimezone('Europe/Mins\u212a')).to.equal(false);
  });

  it('have days of their own at the same moment', () => {
    const moment = new Date('2026-11-20T23:30:00Z');
    expect(localDay(moment, 'UTC')).to.equal('2026-11-20');
    expect(localDay(moment, 'Europe/Berlin')).to.equal('2026-11-21');
    expect(localDay(moment, 'Pacific/Kiritimati')).to.equal('2026-11-21');
    expect(localDay(moment, 'America/Los_Angeles')).to.equal('2026-11-20');
  });

  it('begin a day at its midnight, or as soon after as the clocks have it', () => {
    const start = (day: string, timezone: string) => startOfDay(day, timezone).toISOString();
    expect(start('2026-11-23', 'UTC')).to.equal('2026-11-23T00:00:00.000Z');
    expect(start('2026-11-23', 'Europe/Berlin')).to.equal('2026-11-22T23:00:00.000Z');
    // Brazil left out midnight.
    expect(start('2018-11-04', 'America/Sao_Paulo')).to.equal('2018-11-04T03:00:00.000Z');
  });
});
