import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import { momentAt } from '../../../lib/timezones.ts';
import { visibleText } from '../../../lib/visibleText.ts';
import { formatInFull, toPromiseTitle } from '../../digests/quoteSource.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { UserPromise } from '../schema.ts';
import type { CalendarOfUser } from './service.ts';

const MINUTE_MS = 60_000;
const EVENT_MINUTES = { appointment: 60, promise: 30, deadline: 30 } as const;
const MAX_TEXT_LENGTH = 1000;
/** How often a calendar is told to ask again. */
const READ_EVERY_SECONDS = 1800;

/**
 * The calendar as iCalendar (RFC 5545). Events keep their promise's id. Times are in UTC, so that no zone rules are needed;
 * others are all-day.
 */
export function toCalendar({ timezone, promises }: CalendarOfUser, { appUrl }: { appUrl: string }): string {
  const calendar = ical({
    name: 'Forenoon',
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Forenoon', product: 'Promises', language: 'EN' },
    ttl: READ_EVERY_SECONDS,
    // Informational: no time in the file depends on the zone.
    x: [{ key: 'X-WR-TIMEZONE', value: timezone }],
  });
  for (const promise of promises) {
    if (promise.dueDate === null) continue;
    calendar.createEvent({
      id: `${promise.id}@forenoon`,
      ...eventTimes(promise, promise.dueDate, timezone),
      summary: eventSummary(promise),
      description: toPrintable([describeSide(promise), ...formatInFull(promise)].join('\n')),
      url: `${appUrl}/conversations/${promise.dialogId}`,
      stamp: promise.changedAt,
      lastModified: promise.changedAt,
      transparency: isMeeting(promise) ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
    });
  }
  // The library leaves out the end of the last line, which RFC 5545 asks for.
  return `${calendar.toString()}\r\n`;
}

function eventTimes({ dueTime, kind }: UserPromise, day: string, timezone: string) {
  if (dueTime === null) return { allDay: true, start: new Date(`${day}T00:00:00Z`) };
  const start = momentAt(day, dueTime, timezone);
  return { start, end: new Date(start.getTime() + EVENT_MINUTES[kind] * MINUTE_MS) };
}

const isMeeting = ({ kind, dueTime }: UserPromise): boolean => kind === 'appointment' && dueTime !== null;

/** Titles of promises that others owe begin with their name; all others end with the name of the conversation. */
function eventSummary(promise: UserPromise): string {
  const name = dialogName(promise);
  const title = toPromiseTitle(promise);
  return toPrintable(promise.direction === 'theirs' ? `${promise.who ?? name}: ${title}` : `${title} (${name})`);
}

const KIND_WORDS = { appointment: 'Appointment', deadline: 'Deadline', promise: 'Promise' } as const;

function describeSide(promise: UserPromise): string {
  const name = dialogName(promise);
  if (promise.kind !== 'promise' || promise.direction === 'unassigned') {
    return `${KIND_WORDS[promise.kind]}, from the conversation with ${name}.`;
  }
  return promise.direction === 'mine' ? `You owe ${name}.` : `${promise.who ?? name} owes you.`;
}

/** Removes control characters except line breaks, which calendars write in their own way. */
const toPrintable = (text: string) => visibleText(text).slice(0, MAX_TEXT_LENGTH).toWellFormed();
