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
