import { clockTime, countOf, dayWords, formatCount, isolateName } from '../../../lib/words.ts';
import { chatLink, dialogName, messageLink } from '../../messenger/dialogs/rules.ts';
import type { Wait } from './schema.ts';
import type { Waiting } from './service.ts';

/**
 * The data of `views/shared/waiting/_list`.
 * @param about.here the address of the page
 * @param about.more the address of the list with the others; undefined if there are none
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
    note: `no answer for ${countOf(config.waitingDays, 'working day', 'working days')} or more`,
    rows: waits.map(wait => describeWait(wait, { timezone: config.timezone, now })),
    more,
    here,
  };
}

function describeWait(wait: Wait, { timezone, now }: { timezone: string; now: Date }) {
  const name = dialogName(wait);
  const { peerUsername, peerPhone, peerKind, peerKey } = wait;
  const dialog = { peerUsername, peerPhone, topMessageId: 0, peer: { kind: peerKind, id: peerKey } };
  return {
    id: wait.dialogId,
    lastMessageId: wait.lastMessageId,
    name,
    words: isolateName(wait.words, name),
    since: `since ${dayWords(wait.askedAt, { timezone, now })} ${clockTime(wait.askedAt, timezone)}`,
    conversation: `/conversations/${wait.dialogId}`,
    reply: messageLink(dialog, String(wait.messageId)) ?? chatLink(dialog),
  };
}
