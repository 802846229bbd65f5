import Bowser from 'bowser';
import { dayWords, sinceWords } from '../../../lib/words.ts';
import type { Device } from '../../base/users/schema.ts';

type Context = { now: Date; timezone: string; sessionId: string };

/** What a device's line says. */
export function presentDevice({ id, userAgent, signedInAt, lastSeenAt }: Device, context: Context) {
  const isThis = id === context.sessionId;
  const used = isThis ? '' : `, last used ${onDay(lastSeenAt, context)}`;
  return { id, isThis, name: nameOf(userAgent), when: `Signed in ${sinceWords(signedInAt, context)}${used}` };
}

/** `Firefox on Windows`. A user agent that names no known browser or system is an `Unknown device`. */
function nameOf(userAgent: string): string {
  // The library throws on an empty user agent.
  const { browser, os } = Bowser.parse(userAgent || 'none');
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || (os.name ? `A browser on ${os.name}` : 'Unknown device');
}

function onDay(moment: Date, context: Context): string {
  const day = dayWords(moment, context);
  return /^[ty]/.test(day) ? day : `on ${day}`;
}
