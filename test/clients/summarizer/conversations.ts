import type { MessengerMessage } from '../../../src/clients/messenger/types.ts';
import type { SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../support/mediaInText.ts';

/** Tuesday, 09:00 in Berlin. */
export const TUESDAY = new Date('2026-11-17T08:00:00Z');

/**
 * A day's conversation, a message a line, two minutes apart: "Sam: …" is the account's owner, any other name someone
 * else. Ids count from 1.
 */
export function conversation(lines: string[], change: Partial<SummaryRequest> = {}): SummaryRequest {
  const messages = lines.map((line, index): MessengerMessage => {
    const [, name = '', text = ''] = /^([^:]+): ?([\s\S]*)$/.exec(line) ?? [];
    const fromUser = name === 'Sam';
    const senderName = fromUser ? 'Sam Porter' : name;
    return {
      id: index + 1,
      sentAt: new Date(TUESDAY.getTime() + index * 120_000),
      fromUser,
      senderName,
      ...mediaInText(text),
      forwarded: false,
    };
  });
  const peerName = messages.find(({ fromUser }) => !fromUser)?.senderName ?? 'Nadia Haddad';
  return {
    peerName,
    userName: 'Sam Porter',
    isGroup: false,
    messages,
    style: 'BUSINESS',
    timezone: 'Europe/Berlin',
    ...change,
  };
}
