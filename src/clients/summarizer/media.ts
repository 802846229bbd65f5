import type { Media, MediaKind } from '../messenger/types.ts';
import { cleanText } from './cleaning.ts';

const LONGEST_NAME = 300;

/** As a model reads it, before the caption: `[file: offer.pdf]`. */
export function mediaInBrackets({ kind, name }: Media): string {
  const shown = nameOf({ name });
  return shown ? `[${WORDS[kind]}: ${shown}]` : `[${WORDS[kind]}]`;
}

/** On one line, without secrets and without what would end the brackets around it. */
export function nameOf({ name }: Pick<Media, 'name'>): string {
  return cleanText(name.slice(0, LONGEST_NAME).replaceAll(/[\n[\]]/g, ' '));
}

const WORDS: Record<MediaKind, string> = {
  photo: 'photo',
  video: 'video',
  voice: 'voice message',
  document: 'file',
  sticker: 'sticker',
  location: 'location',
  contact: 'contact',
  poll: 'poll',
  checklist: 'checklist',
  invoice: 'payment request',
  other: 'attachment',
};

/** What someone typed looks like no media. */
export function withoutTypedMedia(text: string): string {
  return text.replaceAll(TYPED, '($1');
}

const TYPED = new RegExp(`\\[(\\s*(?:${Object.values(WORDS).join('|')})(?!\\p{L}))`, 'giu');

/** "3 photos and a voice message" */
export function mediaInWords(kinds: MediaKind[]): string {
  const counts = new Map<MediaKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) =>
    count === 1 ? ONE[kind] : `${count} ${ONE[kind].replace(/^an? /, '')}s`,
  );
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
}

const ONE: Record<MediaKind, string> = {
  photo: 'a photo',
  video: 'a video',
  voice: 'a voice message',
  document: 'a document',
  sticker: 'a sticker',
  location: 'a location',
  contact: 'a contact',
  poll: 'a poll',
  checklist: 'a checklist',
  invoice: 'a payment request',
  other: 'an attachment',
};
