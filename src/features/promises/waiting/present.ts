import { localDay } from '../../../lib/timezones.ts';
import { clockTime, daysBetween, formatCount, isolateName, shortDay } from '../../../lib/words.ts';
import { chatLink, messageLink, nameOf } from '../../messenger/dialogs/rules.ts';
import type { Wait } from './schema.ts';
import type { Waiting } from './service.ts';

const WEEK = 7;

/**
 * What `views/shared/waiting/_list` prints.
 * @param about.here the address of the page
 * @param about.more the address of those that are not among these; undefined if there are none
 * @param about.title of the list
 */
export function presentWaiting(
  { count, waits, config, now }: Waiting,
  { here, more, title = 'Waiting for you' }: { here: string; more?: string | undefined; title?: string },
) {
  return {
    title,
    total: count,
    count: formatCount(count),
    note: `no answer for ${DAYS[config.waitingDays]} or more`,
    rows: waits.map(wait => describeWait(wait, { timezone: config.timezone, now })),
    more,
    here,
  };
}

const DAYS: Record<Waiting['config']['waitingDays'], string> = {
  1: 'a working day',
  2: '2 working days',
  3: '3 working days',
  7: '7 working days',
};

function describeWait(wait: Wait, { timezone, now }: { timezone: string; now: Date }) {
  const name = nameOf(wait);
  const { peerUsername, peerPhone, peerKind, peerKey } = wait;
  const dialog = { peerUsername, peerPhone, topMessageId: 0, peer: { kind: peerKind, id: peerKey } };
  return {
    id: wait.dialogId,
    lastMessageId: wait.lastMessageId,
    name,
    words: isolateName(wait.words, name),
    since: sinceWords(wait.askedAt, { timezone, now }),
    conversation: `/conversations/${wait.dialogId}`,
    reply: messageLink(dialog, String(wait.messageId)) ?? chatLink(dialog),
  };
}

/** `since Mon 10:12` within the last week, else `since Fri 20 Nov`. */
function sinceWords(moment: Date, { timezone, now }: { timezone: string; now: Date }): string {
  const [day, today] = [localDay(moment, timezone), localDay(now, timezone)];
  const words = shortDay(day, today);
  return daysBetween(day, today) < WEEK
    ? `since ${words.slice(0, 3)} ${clockTime(moment, timezone)}`
    : `since ${words}`;
}
