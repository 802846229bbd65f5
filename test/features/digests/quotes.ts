import type { Exchange, ExchangeLine, Span } from '../../../src/clients/summarizer/types.ts';

/** People's own words as the built-in summarizer stores them with a digest. */

let ids = 100;

/** What someone wrote, or the user where it is `You`, who is called Lena. */
export function said(
  who: string,
  words: string,
  details: Partial<ExchangeLine & Pick<Span, 'attachment'>> = {},
): ExchangeLine {
  const { attachment = null, ...line } = details;
  ids += 1;
  const messageId = details.messageId ?? String(ids);
  const fromUser = who === 'You';
  return {
    ...{ who: fromUser ? 'Lena' : who, fromUser, isForwarded: false, messageId },
    spans: [{ messageId, text: words, isStart: true, isEnd: true, attachment }],
    ...{ day: '2026-11-20', time: '09:14', isDone: false },
    ...line,
  };
}

function sentFile(who: string, name: string, details: Partial<ExchangeLine> = {}): ExchangeLine {
  return said(who, '', { ...details, attachment: { kind: 'document', name } });
}

export function exchange(opener: ExchangeLine, ...answers: ExchangeLine[]): Exchange {
  return { opener, answers, isOver: answers.at(-1)?.isDone ?? false };
}

/** The invoice is asked for and sent, a question is answered. */
export const INVOICE = [
  exchange(
    said('Tomasz', 'can you put the PO number on it, 44817', { messageId: '11' }),
    sentFile('You', 'INV-2026-031_rev.pdf', { messageId: '12', time: '09:20', isDone: true }),
  ),
  exchange(
    said('You', 'are the two tags in hall B back?', { messageId: '13', time: '11:05' }),
    said('Tomasz', 'yes both green since 8', { messageId: '14', time: '11:06' }),
  ),
];
