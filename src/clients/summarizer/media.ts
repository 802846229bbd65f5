import type { MediaKind } from './types.ts';

const WORD_IN_BRACKETS = /^\s*\[(\p{L}[\p{L} ]{2,30}?)(?:[: ][^\]\n]{0,300})?\]\s*/u;

const KINDS: [RegExp, MediaKind][] = [
  [/photo|picture|image/iu, 'photo'],
  [/voice|audio/iu, 'voice'],
  [/video|animation|gif|story/iu, 'video'],
  [/document|file|pdf|attachment|invoice|checklist/iu, 'document'],
  [/sticker|dice|game/iu, 'sticker'],
  [/location|place|venue/iu, 'location'],
  [/contact/iu, 'contact'],
  [/poll/iu, 'poll'],
];

/** What a message carries beside its words: in brackets before the caption, as in `[photo] our stand`. */
export function mediaKindOf(text: string): MediaKind | null {
  const word = WORD_IN_BRACKETS.exec(text)?.[1];
  return word === undefined ? null : (KINDS.find(([pattern]) => pattern.test(word))?.[1] ?? null);
}

export function withoutMediaWord(text: string): string {
  return mediaKindOf(text) === null ? text : text.replace(WORD_IN_BRACKETS, '');
}

const ATTACHMENT = /\[(\p{L}[\p{L} ]{2,30}?)(?:: ([^\]\n]{0,300}))?\]/gu;
const MOST_ATTACHMENTS = 10;

/** Everything that a message carries, with its name where it has one, wherever in the text it stands. */
export function attachmentsOf(text: string): { kind: MediaKind; name: string }[] {
  return [...text.matchAll(ATTACHMENT)].slice(0, MOST_ATTACHMENTS).flatMap(([, word = '', name = '']) => {
    const kind = KINDS.find(([pattern]) => pattern.test(word))?.[1];
    return kind ? [{ kind, name }] : [];
  });
}

/** "3 photos and a voice message" */
export function mediaInWords(kinds: MediaKind[]): string {
  const counts = new Map<MediaKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => (count === 1 ? `a ${ONE[kind]}` : `${count} ${ONE[kind]}s`));
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
}

const ONE: Record<MediaKind, string> = {
  photo: 'photo',
  video: 'video',
  voice: 'voice message',
  document: 'document',
  sticker: 'sticker',
  location: 'location',
  contact: 'contact',
  poll: 'poll',
};
