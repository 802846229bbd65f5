import type { Conversation } from '../conversation.ts';
import type { MediaKind } from '../types.ts';

/** Media with words that could not be read. */
const UNREAD: MediaKind[] = ['voice', 'video'];

/** "(voice messages: 1)": what was said in media that could not be read; '' if nothing was. */
export function mediaNote({ recent, pack }: Conversation): string {
  const counts = UNREAD.map(kind => {
    const count = recent.filter(({ media, sentences }) => media === kind && sentences.length === 0).length;
    return count === 0 ? '' : `${pack.phrases.media[kind]}: ${count}`;
  });
  const said = counts.filter(Boolean).join(', ');
  return said && `(${said})`;
}
