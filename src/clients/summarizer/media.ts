import { MEDIA, type Media } from '../messenger/types.ts';
import { cleanText } from './cleaning.ts';

const MAX_NAME_LENGTH = 300;

/** Attachment as a model reads it, before the caption: `[file: offer.pdf]`. */
export function mediaInBrackets({ kind, name }: Media): string {
  const shown = mediaName({ name });
  const { label } = MEDIA[kind];
  return shown ? `[${label}: ${shown}]` : `[${label}]`;
}

/** A single line without secrets or closing brackets. */
export function mediaName({ name }: Pick<Media, 'name'>): string {
  return cleanText(name.slice(0, MAX_NAME_LENGTH).replaceAll(/[\n[\]]/g, ' '));
}

/** Changes brackets that someone typed, so that they don't look like our mark for media. */
export const withoutTypedMedia = (text: string): string => text.replaceAll(TYPED, '($1');

const LABELS = Object.values(MEDIA).map(({ label }) => label);
const TYPED = new RegExp(`\\[(\\s*(?:${LABELS.join('|')})(?!\\p{L}))`, 'giu');
