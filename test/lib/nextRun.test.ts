import { expect } from 'chai';
import { nextRun } from '../../src/lib/timezones.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
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

const TIMES = [
  '00:00',
  '00:30',
  '01:00',
  '01:30',
  '01:59',
  '02:00',
  '02:15',
  '02:30',
  '03:00',
  '18:00',
  '23:30',
  '23:59',
];

describe('The next daily run', () => {
  for (const [timezone, from] of CHANGES) {
    it(`is found by walking minute by minute through ${timezone} from ${from.slice(0, 10)}`, () => {
      const walk = walkMinutes(timezone, new Date(from), 4 * DAY);
      for (const time of TIMES) {
        const expected = runsOf(walk, time);
        const found = [];
        let after = new Date(from);
        while (after.getTime() < Date.parse(from) + 3 * DAY) {
          const run = nextRun(after, { time, timezone });
          found.push({ at: run.at.toISOString(), day: run.day });
          after = run.at;
        }
        expect(found.length, time).to.be.at.least(2);
        expect(expected.slice(0, found.length), time).to.deep.equal(found);
      }
    });
  }

  it('is at the next minute there is when the clocks leave the time out', () => {
    const newYork = { timezone: 'America/New_York', time: '02:30' };
    expect(nextRun(new Date('2027-03-13T12:00:00Z'), newYork)).to.deep.equal({
      at: new Date('2027-03-14T07:00:00Z'),
      day: '2027-03-14',
    });
    const lordHowe = { timezone: 'Australia/Lord_Howe', time: '02:15' };
    expect(nextRun(new Date('2026-10-03T12:00:00Z'), lordHowe).at).to.deep.equal(new Date('2026-10-03T15:30:00Z'));
  });

  it('is once when the time comes twice', () => {
    const about = { timezone: 'America/New_York', time: '01:30' };
    const first = nextRun(new Date('2026-11-01T00:00:00Z'), about);
    expect(first.at).to.deep.equal(new Date('2026-11-01T05:30:00Z'));
    expect(nextRun(first.at, about).at).to.deep.equal(new Date('2026-11-02T06:30:00Z'));
  });

  it('leaves out a day that the zone never had', () => {
    const about = { timezone: 'Pacific/Apia', time: '18:00' };
    expect(nextRun(new Date('2011-12-30T05:00:00Z'), about)).to.deep.equal({
      at: new Date('2011-12-31T04:00:00Z'),
      day: '2011-12-31',
    });
  });

  it('is known for every zone of this Node, within 25 hours and more', () => {
    const after = new Date('2026-11-21T08:00:00Z');
    for (const timezone of ['UTC', 'Europe/Kyiv', ...Intl.supportedValuesOf('timeZone')]) {
      const ahead = nextRun(after, { timezone, time: '07:30' }).at.getTime() - after.getTime();
      expect(ahead, timezone).to.be.within(1, 25 * HOUR);
    }
  });

  it('refuses a zone there is not', () => {
    expect(() => nextRun(new Date(), { timezone: 'Mars/Base', time: '07:30' })).to.throw(RangeError);
  });
});

type Minute = { at: number; day: string; time: string };

/** What the clock on the wall shows at each minute, told by Intl alone. */
function walkMinutes(timezone: string, from: Date, milliseconds: number): Minute[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const minutes: Minute[] = [];
  for (let at = from.getTime(); at < from.getTime() + milliseconds; at += MINUTE) {
    const [day = '', time = ''] = format.format(at).split(' ');
    minutes.push({ at, day, time });
  }
  return minutes;
}

/** For each day seen, the first minute at which the wall shows the time or has gone past it. */
function runsOf(walk: Minute[], time: string): { at: string; day: string }[] {
  const [beginning] = walk;
  const days = [...new Set(walk.map(minute => minute.day))].sort();
  return days.flatMap(day => {
    const wanted = `${day} ${time}`;
    const first = walk.find(minute => `${minute.day} ${minute.time}` >= wanted);
    if (!first || !beginning || first.at <= beginning.at) return [];
    return [{ at: new Date(first.at).toISOString(), day }];
  });
}
