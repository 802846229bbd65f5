import { formatCount, formatDayInSentence, formatQuantity, formatTimeOfDay, isolateName } from '../../../lib/words.ts';
import { chatLink, dialogName, messageLink } from '../../messenger/dialogs/rules.ts';
import type { Wait } from './schema.ts';
import type { Waiting } from './service.ts';

/**
 * The data of `views/shared/waiting/_list`. `here` is the page's address; `more` that of the list with the others, undefined
 * if there are none.
 */
export function presentWaiting(
  { count, waits, config, now }: Waiting,
  { here, more, title = 'Waiting for you' }: { here: string; more?: string | undefined; title?: string },
) {
  return {
    title,
    total: count,
    count: formatCount(count),
    note: `no answer for ${formatQuantity(config.waitingDays, 'working day', 'working days')} or more`,
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
    since: `since ${formatDayInSentence(wait.askedAt, { timezone, now })} ${formatTimeOfDay(wait.askedAt, timezone)}`,
    conversation: `/conversations/${wait.dialogId}`,
    reply: messageLink(dialog, String(wait.messageId)) ?? chatLink(dialog),
  };
}
