import { MEDIA } from '../../messenger/types.ts';
import type { Exchange, ExchangeLine, Span, SummarySentence } from '../types.ts';

/** Printed before an answer, and after a completed task. */
export const ANSWER_MARK = '↳ ';
export const DONE_MARK = '✓';

/** The only sentence of our own: for a day with nothing to quote. */
export const NO_KEY_LINES = 'No key lines in these messages.';

/** An excerpt: a "Name: words" line per opener and a "↳ " line per answer, each with its source messages. */
export function renderedLines(exchanges: Exchange[]): SummarySentence[] {
  return exchanges.flatMap(({ opener, answers }) => [
    { text: renderLine(opener), sourceMessageIds: messagesOf(opener) },
    ...answers.map(line => ({ text: `${ANSWER_MARK}${renderLine(line)}`, sourceMessageIds: messagesOf(line) })),
  ]);
}

/** "Name: words", and "Name ↪: words" for what someone else had written. */
export function renderLine({ who, isForwarded, spans, isDone }: ExchangeLine): string {
  const said = spans.map(renderSpan).join(' / ');
  return `${who}${isForwarded ? ' ↪' : ''}: ${said}${isDone ? ` ${DONE_MARK}` : ''}`;
}

export function renderSpan({ text, isStart, isEnd, attachment }: Span): string {
  const words = `${isStart ? '' : '… '}${text}${isEnd ? '' : ' …'}`;
  const sent = attachment ? [MEDIA[attachment.kind].sign, attachment.name] : [];
  return [...sent, words].filter(Boolean).join(' ');
}

/** The ids of all messages that a line shows something of. */
export const messagesOf = ({ spans }: ExchangeLine): string[] => spans.map(({ messageId }) => messageId);
