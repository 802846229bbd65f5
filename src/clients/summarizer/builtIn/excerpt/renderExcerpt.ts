import type { MediaKind } from '../../languages/types.ts';
import type { Exchange, Line, Span } from './types.ts';

/** What stands before an answer, and behind what was done. */
export const ANSWER = '↳ ';
export const DONE = '✓';

/** Signs in place of words: an excerpt has no language of its own. */
const SENT: Record<MediaKind, string> = {
  document: '📎',
  photo: '📷',
  voice: '🎤',
  video: '🎬',
  location: '📍',
  contact: '👤',
  poll: '📊',
  sticker: '',
};

/** One line for each opener, "Name: words", and one behind "↳ " for each answer. '' for no exchanges. */
export function renderExcerpt(exchanges: Exchange[]): string {
  return exchanges
    .flatMap(({ opener, answers }) => [renderLine(opener), ...answers.map(answer => `${ANSWER}${renderLine(answer)}`)])
    .join('\n');
}

export function renderLine({ who, forwardedBy, spans, files, isDone }: Line): string {
  const byline = forwardedBy === null ? who : `${who} ↪`;
  const sent = files.map(({ kind, name }) => [SENT[kind], name].filter(Boolean).join(' '));
  const words = spans.map(renderSpan);
  return `${byline}: ${[...words, ...sent].join(' / ')}${isDone ? ` ${DONE}` : ''}`;
}

function renderSpan({ text, isStart, isEnd }: Span): string {
  return `${isStart ? '' : '… '}${text}${isEnd ? '' : ' …'}`;
}
