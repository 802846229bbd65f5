import { cleanText, neutral } from '../../cleaning.ts';
import { attachmentsOf, mediaKindOf, withoutMediaWord } from '../../media.ts';
import type { MediaKind } from '../../types.ts';

/** Characters. What is longer is cut before it is read, as everywhere. */
const LONGEST_READ = 6000;
const LONGEST_NAME = 60;

/** A name that can't look like the beginning of someone's words. */
export function shownName(name: string): string {
  return neutral(name.replaceAll(/[:：﹕꞉∶|/]/g, ' ')) || '?';
}

/** All words of a message as they may be shown, on one line: the text that spans are cut from. */
export function shownText(text: string): string {
  return neutral(cleanText(withoutMediaWord(text.slice(0, LONGEST_READ))));
}

/** What a message carries, by its first word in brackets; null for nothing, and for stickers, which say nothing. */
export function shownAttachment(text: string): { kind: MediaKind; name: string } | null {
  const kind = mediaKindOf(text.slice(0, LONGEST_READ));
  if (kind === null || kind === 'sticker') return null;
  const [found] = attachmentsOf(text.slice(0, LONGEST_READ));
  const name = shownText(found?.name ?? '');
  return { kind, name: name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 12)}…${name.slice(-11)}` : name };
}
