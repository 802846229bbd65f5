import { longDay, numberWord, pluralOf } from '../../lib/words.ts';
import { isUrgent } from '../digests/rules.ts';
import type { MailMode } from '../settings/schema.ts';
import type { SyncError } from '../sync/schema.ts';
import { type MailGroups, openItems } from './groupMail.ts';

/** Gmail cuts a mail off at 102 KB, and hides what ends the mails with it. */
export const LONGEST_HTML_BYTES = 90_000;
const LONGEST_TEXT = 1500;

/** After this time the mail of a day comes too late to be of use. */
export const TOO_LATE_MS = 12 * 3600 * 1000;

/** Whether the day is worth an email to a user who chose `mode`. @param errors of the sync that ended */
export function isWorthAMail(mode: MailMode, groups: MailGroups, errors: SyncError[]): boolean {
  if (mode === 'OFF') return false;
  // Said once: a connection that is lost is not read again.
  if (errors.some(({ code }) => code === 'SESSION_EXPIRED')) return true;
  return mode === 'URGENT' ? groups.needsYou.some(isUrgent) : groups.needsYou.length + groups.worthKnowing.length > 0;
}

/** From counts alone, nothing of what was said: "Friday: two are urgent, five people wait for you". */
export function subjectFor(day: string, groups: MailGroups): string {
  const [weekday = ''] = longDay(day).split(' ');
  return `${weekday}: ${gist(groups)}`;
}

function gist(groups: MailGroups): string {
  const urgent = groups.needsYou.filter(isUrgent).length;
  const owing = groups.needsYou.filter(digest => openItems(digest).length > 0);
  const written = groups.needsYou.length + groups.worthKnowing.length;
  if (written === 0) return 'nothing new could be read';
  if (urgent + owing.length === 0) return 'a quiet day, nothing waits for you';
  const urgency = urgent === 0 ? 'nothing urgent' : `${numberInside(urgent)} ${pluralOf(urgent, 'is', 'are')} urgent`;
  return owing.length === 0 ? urgency : `${urgency}, ${waiting(owing)}`;
}

function waiting(owing: MailGroups['needsYou']): string {
  const onlyPeople = owing.every(({ dialog }) => dialog.peerType === 'user');
  const one = onlyPeople ? 'person waits' : 'conversation waits';
  const many = onlyPeople ? 'people wait' : 'conversations wait';
  return `${numberInside(owing.length)} ${pluralOf(owing.length, one, many)} for you`;
}

function numberInside(count: number): string {
  return numberWord(count).toLowerCase();
}

/** On one line, so that nothing anybody wrote looks like a part of the mail, and not endless. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > LONGEST_TEXT ? `${[...line].slice(0, LONGEST_TEXT).join('')}…` : line;
}
