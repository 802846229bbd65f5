/** Scripts in which a (non-)joiner between two letters changes what is seen. */
const JOINED =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}]';
const EMOJI = '\\p{Extended_Pictographic}';
/** One at a time, and only where each changes what is seen: such can spell nothing. */
const SEEN = [
  `(?<=${EMOJI}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=${EMOJI})`,
  `(?<=${EMOJI})\\ufe0f`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
].join('|');
const UNSEEN = new RegExp(`[^\\P{Cc}\\n]|\\p{Cs}|[\\ufff9-\\ufffb]|(?!${SEEN})\\p{Default_Ignorable_Code_Point}`, 'gu');

/**
 * A text without what a person doesn't see but a program reads, such as tags and selectors that spell hidden words, and
 * without what turns the direction of the text around it. Line breaks stay. The flags of England, Scotland and Wales,
 * which are spelled in tags, become a black one.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/[\t\u2028\u2029]/g, ' ').replaceAll(UNSEEN, '');
}

/** The same on one line; '' for a name that no one sees. */
export function visibleName(name: string): string {
  return visibleText(name)
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .trim();
}
