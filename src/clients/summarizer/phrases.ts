import type { Conversation } from './conversation.ts';
import { MEDIA_KINDS, type Phrases } from './languages/types.ts';

/** The phrase with its places filled. What fills them is not looked into: a name may hold braces or dollars. */
export function fill(phrase: string, values: { who?: string; to?: string | null; topics?: string }): string {
  return phrase.replaceAll(/\{(who|to|topics)\}/g, (_, place: 'who' | 'to' | 'topics') => values[place] ?? '').trim();
}

/** What came beside the words and could not be read, as in "(voice messages: 1, photos: 2)"; '' for nothing. */
export function mediaNote({ recent }: Conversation, { media }: Phrases): string {
  const counts = MEDIA_KINDS.filter(kind => kind !== 'sticker').map(kind => {
    const count = recent.filter(utterance => utterance.media === kind).length;
    return count === 0 ? '' : `${media[kind]}: ${count}`;
  });
  const said = counts.filter(Boolean).join(', ');
  return said && `(${said})`;
}
