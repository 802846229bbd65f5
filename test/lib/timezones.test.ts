import { expect } from 'chai';
import { isTimezone, localDay, startOfDay } from '../../src/lib/timezones.ts';

describe('Time zones', () => {
  it('are IANA names', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kolkata']) {
      expect(isTimezone(name), name).to.equal(true);
    }
  });

  it('are neither offsets nor anything else', () => {
    const wrong = [
      '',
      ' ',
      '+01:00',
      '-0530',
      'Berlin',
      'Europe/Nowhere',
      'GMT+5',
      'Europe/Berlin\0',
      ' UTC',
      'x'.repeat(1000),
    ];
    for (const name of wrong) expect(isTimezone(name), JSON.stringify(name)).to.equal(false);
  });

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

  it('begin and end summer time on the right day', () => {
    expect(localDay(new Date('2026-03-28T22:59:59Z'), 'Europe/Berlin')).to.equal('2026-03-28');
    expect(localDay(new Date('2026-03-28T23:00:00Z'), 'Europe/Berlin')).to.equal('2026-03-29');
    expect(localDay(new Date('2026-03-29T21:59:59Z'), 'Europe/Berlin')).to.equal('2026-03-29');
    expect(localDay(new Date('2026-03-29T22:00:00Z'), 'Europe/Berlin')).to.equal('2026-03-30');
  });

  it('write a day with all its digits', () => {
    expect(localDay(new Date('2027-01-02T12:00:00Z'), 'UTC')).to.equal('2027-01-02');
  });

  it('begin a day at its midnight, or as soon after as the clocks have it', () => {
    const start = (day: string, timezone: string) => startOfDay(day, timezone).toISOString();
    expect(start('2026-11-23', 'UTC')).to.equal('2026-11-23T00:00:00.000Z');
    expect(start('2026-11-23', 'Europe/Berlin')).to.equal('2026-11-22T23:00:00.000Z');
    // Brazil left out midnight.
    expect(start('2018-11-04', 'America/Sao_Paulo')).to.equal('2018-11-04T03:00:00.000Z');
  });
});
