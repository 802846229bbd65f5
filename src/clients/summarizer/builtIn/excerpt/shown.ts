import type { Media, MessengerMessage } from '../../../messenger/types.ts';
import { cleanText, neutral } from '../../cleaning.ts';
import { nameOf } from '../../media.ts';

/** Characters. What is longer is cut before it is read, as everywhere. */
const LONGEST_READ = 6000;
const LONGEST_NAME = 60;

/** A name that can't look like the beginning of someone's words. */
export function shownName(name: string): string {
  return neutral(name.replaceAll(/[:：﹕꞉∶|/]/g, ' ')) || '?';
}

/** All words of a message as they may be shown, on one line: the text that spans are cut from. */
export function shownText(text: string): string {
  return neutral(cleanText(text.slice(0, LONGEST_READ)));
}

/** What a message carries; null for nothing, and for stickers, which say nothing. */
export function shownAttachment({ media }: Pick<MessengerMessage, 'media'>): Media | null {
  if (!media || media.kind === 'sticker') return null;
  const name = neutral(nameOf(media));
  const { kind } = media;
  return { kind, name: name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 12)}…${name.slice(-11)}` : name };
}
