import { isTimezone, runOfToday } from '../../../lib/timezones.ts';
import { countOf, formatCount } from '../../../lib/words.ts';
import { timeOf, weekReportedOn } from '../../base/mailing/rules.ts';
import { DEFAULT_SCHEDULE } from '../../base/settings/schema.ts';
import type { Week } from '../../pages/week/service.ts';
import type { DueSlot, Slot } from './schema.ts';

/** Slots whose time has come on the present day in their zone. A missed day is not made up for on the next one. */
export function dueSlots(slots: readonly Slot[], now: Date): DueSlot[] {
  return slots.flatMap(slot => {
    // Node versions add and remove time zones; a removed one must not stop everybody's mails.
    const timezone = isTimezone(slot.timezone) ? slot.timezone : DEFAULT_SCHEDULE.timezone;
    const run = runOfToday(now, { weekday: slot.day, time: timeOf(slot.hour), timezone });
    return run && run.at <= now ? [{ ...slot, at: run.at, monday: weekReportedOn(run.day) }] : [];
  });
}

/** How many lines each list has, including the one that says how many are left: fifteen in all. */
export const LINES = { late: 4, waiting: 4, moved: 3, next: 4 } as const;

/** A week in which nothing was due, asked or written is not worth a mail. */
export function isWorthAMail({ counts, waiting, moved }: Week): boolean {
  const { due, fresh, next } = counts;
  return due + fresh + next + waiting.count + moved.length > 0;
}

/** Uses only counts, nothing of what was said: "Your week: 11 of 13 promises kept, 2 past their day, 9 new". */
export function subjectFor({ counts, waiting, isPresent }: Week): string {
  const { due, kept, late, ahead, fresh } = counts;
  const soFar = isPresent && ahead > 0 ? ' so far' : '';
  const parts = [
    due > 0 ? `${formatCount(kept)} of ${countOf(due, 'promise', 'promises')} kept${soFar}` : 'nothing due',
    late > 0 && `${formatCount(late)} past ${late === 1 ? 'its' : 'their'} day`,
    fresh > 0 && `${formatCount(fresh)} new`,
    waiting.count > 0 && `${countOf(waiting.count, 'person', 'people')} waiting`,
  ];
  return `Your week: ${parts.filter(part => part !== false).join(', ')}`;
}
