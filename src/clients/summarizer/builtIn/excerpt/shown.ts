import { cleanText } from '../../cleaning.ts';
import { attachmentsOf, mediaKindOf, withoutMediaWord } from '../../media.ts';
import type { MediaKind } from '../../types.ts';

/** Characters. What is longer is cut before it is read, as everywhere. */
const LONGEST_READ = 6000;
const LONGEST_NAME = 60;

/**
 * Signs by which an excerpt says who answers, what is done and what was sent, and all arrows and ticks that look like
 * them: in people's words they could make something up that no one said. So is the mark that makes a link a picture
 * wherever a note or mail is read as Markdown.
 */
const SIGNS =
  /[\u21AA-\u21B3\u2713\u2714\u2610-\u2612\u2705\u25F7\u2937\u2BA1\u{1F4CE}\u{1F4F7}\u{1F3A4}\u{1F3AC}\u{1F4CD}\u{1F464}\u{1F4CA}]|!(?=\[)/gu;

/** A text on one line and without signs. Invisible characters and those that turn the direction are gone already. */
export function neutral(text: string): string {
  return text.replaceAll(SIGNS, ' ').replaceAll(/\s+/g, ' ').trim();
}

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
