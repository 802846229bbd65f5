import { expect } from 'chai';
import { findNextRun } from '../../src/lib/timezones.ts';
import { runsOf, walkMinutes } from './minuteWalk.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Some hours before a change of the clocks, or any day where there is none. */
const CHANGES: [timezone: string, from: string][] = [
  ['America/New_York', '2026-10-31T20:00:00Z'],
  ['America/New_York', '2027-03-13T20:00:00Z'],
  ['Europe/London', '2026-10-24T15:00:00Z'],
  ['Europe/London', '2027-03-27T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T06:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T06:00:00Z'],
  ['America/Sao_Paulo', '2018-11-03T15:00:00Z'],
  ['America/Sao_Paulo', '2018-02-17T15:00:00Z'],
  ['America/Sao_Paulo', '2026-11-01T00:00:00Z'],
  ['Pacific/Apia', '2011-12-29T00:00:00Z'],
  ['Pacific/Apia', '2026-11-20T00:00:00Z'],
  ['America/Nuuk', '2024-03-30T12:00:00Z'],
  ['Africa/Casablanca', '2026-02-14T12:00:00Z'],
  ['Asia/Kathmandu', '2026-11-20T00:00:00Z'],
  ['UTC', '2026-12-31T00:00:00Z'],
];

const TIMES = ['00:00', '00:30', '01:30', '01:59', '02:00', '02:30', '03:00', '18:00', '23:59'];

describe('The next daily run', () => {
  for (const [timezone, from] of CHANGES) {
    it(`is found by walking minute by minute through ${timezone} from ${from.slice(0, 10)}`, () => {
      const walk = walkMinutes(timezone, new Date(from), 4 * DAY);
      for (const time of TIMES) {
        const expected = runsOf(walk, time);
        const found = [];
        let after = new Date(from);
        while (after.getTime() < Date.parse(from) + 3 * DAY) {
          const run = findNextRun(after, { time, timezone });
          found.push({ at: run.at.toISOString(), day: run.day });
          after = run.at;
        }
        expect(found.length, time).to.be.at.least(2);
        expect(expected.slice(0, found.length), time).to.deep.equal(found);
      }
    });
  }

  it('is known for every zone of this Node, within 25 hours and more', () => {
    const after = new Date('2026-11-21T08:00:00Z');
    for (const timezone of ['UTC', 'Europe/Kyiv', ...Intl.supportedValuesOf('timeZone')]) {
      const ahead = findNextRun(after, { timezone, time: '07:30' }).at.getTime() - after.getTime();
      expect(ahead, timezone).to.be.within(1, 25 * HOUR);
    }
  });
});
