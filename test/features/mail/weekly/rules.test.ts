import { expect } from 'chai';
import { nextWeekMail, weekReportedOn } from '../../../../src/features/base/mailing/rules.ts';
import { dueSlots } from '../../../../src/features/mail/weekly/service.ts';

const FRIDAY = 5;
const SUNDAY = 7;
const BERLIN = 'Europe/Berlin';
const slot = (day: number, hour: number, timezone = BERLIN) => ({ day, hour, timezone });
const dueAt = (moment: string, ...slots: ReturnType<typeof slot>[]) =>
  dueSlots(slots, new Date(moment)).map(({ at, monday }) => `${at.toISOString().slice(0, 16)} ${monday}`);

describe('When the mail of a week is due', () => {
  it('is from its hour on, on its day in the zone of its user', () => {
    const friday = slot(FRIDAY, 16);
    expect(dueAt('2026-11-27T14:59:59Z', friday)).to.deep.equal([]);
    expect(dueAt('2026-11-27T15:00:00Z', friday)).to.deep.equal(['2026-11-27T15:00 2026-11-23']);
    expect(dueAt('2026-11-27T22:59:00Z', friday)).to.deep.equal(['2026-11-27T15:00 2026-11-23']);
    expect(dueAt('2026-11-27T23:00:00Z', friday), 'Saturday there').to.deep.equal([]);
    expect(dueAt('2026-11-26T15:00:00Z', friday), 'a Thursday').to.deep.equal([]);
  });

  it('is on another day in UTC where the zone is far from it', () => {
    expect(dueAt('2026-11-22T18:00:00Z', slot(1, 8, 'Pacific/Kiritimati'))).to.deep.equal([
      '2026-11-22T18:00 2026-11-16',
    ]);
    expect(dueAt('2026-11-29T04:00:00Z', slot(6, 20, 'America/Los_Angeles'))).to.deep.equal([
      '2026-11-29T04:00 2026-11-23',
    ]);
  });

  it('stays at the same hour when the clocks change', () => {
    expect(dueAt('2026-10-23T14:00:00Z', slot(FRIDAY, 16))).to.have.length(1);
    expect(dueAt('2026-10-30T14:59:00Z', slot(FRIDAY, 16))).to.deep.equal([]);
    expect(dueAt('2026-10-30T15:00:00Z', slot(FRIDAY, 16))).to.have.length(1);
  });

  it('is the first of an hour that comes twice, and the end of one that is skipped', () => {
    const twice = slot(SUNDAY, 2);
    expect(dueAt('2026-10-24T23:59:00Z', twice)).to.deep.equal([]);
    expect(dueAt('2026-10-25T00:00:00Z', twice)).to.deep.equal(['2026-10-25T00:00 2026-10-19']);
    expect(dueAt('2026-10-25T01:00:00Z', twice)).to.deep.equal(['2026-10-25T00:00 2026-10-19']);
    expect(dueAt('2027-03-28T00:59:00Z', twice)).to.deep.equal([]);
    expect(dueAt('2027-03-28T01:00:00Z', twice)).to.deep.equal(['2027-03-28T01:00 2027-03-22']);
    const midnight = slot(FRIDAY, 0, 'Africa/Cairo');
    expect(dueAt('2026-04-23T22:00:00Z', midnight), 'midnight is left out').to.deep.equal([
      '2026-04-23T22:00 2026-04-20',
    ]);
  });

  it('is in UTC where the zone no longer exists, which does not affect anyone else’s', () => {
    const due = dueAt('2026-11-27T16:00:00Z', slot(FRIDAY, 16, 'Atlantis/Poseidonis'), slot(FRIDAY, 16));
    expect(due).to.deep.equal(['2026-11-27T16:00 2026-11-23', '2026-11-27T15:00 2026-11-23']);
  });
});

describe('The week that a mail looks back on', () => {
  it('is the present one from Friday on, and before that the one that is over', () => {
    const days = ['2026-11-23', '2026-11-26', '2026-11-27', '2026-11-29', '2026-11-30'];
    expect(days.map(weekReportedOn)).to.deep.equal([
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
      '2026-11-23',
      '2026-11-23',
    ]);
  });
});

describe('The next mail of a week', () => {
  const next = (day: number, hour: number, newest: string | null = null) =>
    nextWeekMail({ day, hour, newest }, { now: new Date('2026-11-25T10:00:00Z'), timezone: BERLIN }).toISOString();

  it('is on the first such day and hour', () => {
    expect(next(FRIDAY, 16)).to.equal('2026-11-27T15:00:00.000Z');
    expect(next(3, 12)).to.equal('2026-11-25T11:00:00.000Z');
    expect(next(3, 11), 'that is now').to.equal('2026-12-02T10:00:00.000Z');
  });

  it('is the first about a week that was not sent', () => {
    expect(next(FRIDAY, 16, '2026-11-23')).to.equal('2026-12-04T15:00:00.000Z');
    expect(next(1, 8, '2026-11-23'), 'a Monday, about the week before').to.equal('2026-12-07T07:00:00.000Z');
    expect(next(FRIDAY, 16, '2026-11-16')).to.equal('2026-11-27T15:00:00.000Z');
  });
});
