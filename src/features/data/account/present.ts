import Bowser from 'bowser';
import { formatDayInSentence, formatQuantity, formatSince } from '../../../lib/words.ts';
import type { Device } from '../../base/users/schema.ts';
import type { AccountConsequences } from './service.ts';

type DeviceContext = { now: Date; timezone: string; sessionId: string };

export function presentDevice({ id, userAgent, signedInAt, lastSeenAt }: Device, context: DeviceContext) {
  const isThis = id === context.sessionId;
  const used = isThis ? '' : `, last used ${onDay(lastSeenAt, context)}`;
  return { id, isThis, name: deviceName(userAgent), when: `Signed in ${formatSince(signedInAt, context)}${used}` };
}

/** `Firefox on Windows`. A user agent that names no known browser or system is an `Unknown device`. */
function deviceName(userAgent: string): string {
  // The library throws on an empty user agent.
  const { browser, os } = Bowser.parse(userAgent || 'none');
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || (os.name ? `A browser on ${os.name}` : 'Unknown device');
}

function onDay(moment: Date, context: DeviceContext): string {
  const day = formatDayInSentence(moment, context);
  return /^[ty]/.test(day) ? day : `on ${day}`;
}

/** The consequences of deleting the account, one line each. `isKept`: not affected by the deletion. */
export function presentConsequences({ digests, messengerAccounts, hasCrm, hasApps, isPaying }: AccountConsequences) {
  const sessions = messengerAccounts === 1 ? 'session is' : `${messengerAccounts} sessions are`;
  const lines = [
    { words: 'You are signed out everywhere, and a running sync stops', isKept: false },
    messengerAccounts > 0 && { words: `Your Telegram ${sessions} ended at Telegram and erased here`, isKept: false },
    hasCrm && { words: 'Our access to your CRM is revoked and erased', isKept: false },
    hasApps && { words: 'Access tokens, assistants and the calendar feed stop working', isKept: false },
    isPaying && {
      words: 'Your subscription is canceled immediately and nothing more is charged. Payments aren’t refunded automatically',
      isKept: false,
    },
    { words: `${erasedWords(digests)}, with conversations, matches, settings and everything else`, isKept: false },
    { words: 'Notes, tasks and contacts that are in the CRM stay there: they belong to that account', isKept: true },
    isPaying && { words: 'The payment provider keeps its invoices, as the law requires', isKept: true },
  ];
  return lines.filter(line => line !== false);
}

function erasedWords(digests: number): string {
  if (digests === 0) return 'Your account is erased';
  return `${formatQuantity(digests, 'digest is', 'digests are')} erased`;
}

const LEFT: Record<string, { title: string; text: string }> = {
  messenger: {
    title: 'We couldn’t reach Telegram',
    text: 'Its session is erased here. End it there too: Settings, Devices.',
  },
  crm: {
    title: 'We couldn’t reach the CRM',
    text: 'Our access is erased here. End it there too: Settings, Integrations, Connected apps.',
  },
  payments: {
    title: 'We couldn’t reach the payment provider yet',
    text: 'We keep trying until your subscription is canceled.',
  },
};

/** The goodbye page, with the steps that could not be done yet. Unknown ones are left out. */
export function presentGoodbye(left: readonly string[]) {
  return { left: [...new Set(left)].flatMap(service => LEFT[service] ?? []) };
}
