import { expect } from 'chai';
import { findReportedMonday } from '../../../../src/features/base/mailing/rules.ts';
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
    expect(dueAt('2026-11-22T18:00:00Z', slot(1, 8, 'Pacific/Kiritimati'))).to.deep.equal(['2026-11-22T18:00 2026-11-16']);
    expect(dueAt('2026-11-29T04:00:00Z', slot(6, 20, 'America/Los_Angeles'))).to.deep.equal(['2026-11-29T04:00 2026-11-23']);
  });

  it('is the first of an hour that comes twice, and the end of one that is skipped', () => {
    const twice = slot(SUNDAY, 2);
    expect(dueAt('2026-10-24T23:59:00Z', twice)).to.deep.equal([]);
    expect(dueAt('2026-10-25T00:00:00Z', twice)).to.deep.equal(['2026-10-25T00:00 2026-10-19']);
    expect(dueAt('2026-10-25T01:00:00Z', twice)).to.deep.equal(['2026-10-25T00:00 2026-10-19']);
    expect(dueAt('2027-03-28T00:59:00Z', twice)).to.deep.equal([]);
    expect(dueAt('2027-03-28T01:00:00Z', twice)).to.deep.equal(['2027-03-28T01:00 2027-03-22']);
    const midnight = slot(FRIDAY, 0, 'Africa/Cairo');
    expect(dueAt('2026-04-23T22:00:00Z', midnight), 'midnight is left out').to.deep.equal(['2026-04-23T22:00 2026-04-20']);
  });
});

describe('The week that a mail looks back on', () => {
  it('is the present one from Friday on, and before that the one that is over', () => {
    for (const day of ['2026-11-23', '2026-11-26']) expect(findReportedMonday(day)).to.equal('2026-11-16');
    for (const day of ['2026-11-27', '2026-11-29', '2026-11-30']) expect(findReportedMonday(day)).to.equal('2026-11-23');
  });
});
