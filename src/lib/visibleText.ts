const JOINERS = '[\\u200c\\u200d]';
const CURSIVE = '[[\\p{Script=Arabic}\\p{Script=Syriac}]&&\\p{L}]';
/** Joins no letter behind it: https://www.unicode.org/Public/UCD/latest/ucd/extracted/DerivedJoiningType.txt */
const NON_JOINING_LETTERS =
  '\\u0621-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf' +
  '\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef\\u0710\\u0715-\\u0719\\u071e\\u0728\\u072a\\u072c\\u072f\\u074d';
const GOES_ON = `[${CURSIVE}--[${NON_JOINING_LETTERS}]]\\p{Mn}{0,8}`;
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';
const EMOJI = '\\p{Extended_Pictographic}';
/** Joiners kept only where they change the rendering (RFC 5892, A.1 and A.2), so they can't hide text. */
const VISIBLE_JOINERS = [
  `(?<=${EMOJI}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=${EMOJI})`,
  `(?<=[${EMOJI}--\\p{Emoji_Presentation}])\\ufe0f`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `(?<=${GOES_ON})(?:\\u200c(?=${JOINERS}{0,8}${CURSIVE})|\\u200d(?!${JOINERS}{0,8}${CURSIVE}))`,
  `(?<=${VIRAMA})${JOINERS}`,
  `\\u200d(?=${VIRAMA})`,
].join('|');
/** Includes all hieroglyph controls, some of which are marks, and the few \p{Cf} that enclose digits. */
const HIDDEN = '[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cs}\\u{13430}-\\u{1345f}]';
const INVISIBLE = new RegExp(`[\\p{Cc}--\\n]|${HIDDEN}`, 'gv');
const UNSEEN = new RegExp(`[\\p{Cc}--\\n]|(?=${HIDDEN})(?!${VISIBLE_JOINERS}).`, 'gv');
/** Includes blank letters that people type as spaces. */
const SPACE = /[\t\u2028\u2029\u115f\u1160\u3164\uffa0]/g;

/**
 * A text without what a person doesn't see but a program reads, such as tags and selectors that spell hidden words, and
 * without what turns the direction of the text around it. Line breaks stay. The flags of England, Scotland and Wales,
 * which are spelled in tags, become a black one.
 */
export const visibleText = (text: string): string => text.replaceAll(SPACE, ' ').replaceAll(UNSEEN, '');

/** The text without invisible characters. It lacks joiners, too, so it is for reading and comparing, not for showing. */
export const withoutInvisible = (text: string): string => text.replaceAll(SPACE, ' ').replaceAll(INVISIBLE, '');

/** The visible text of a name on one line; '' if nothing of it is visible. */
export function visibleName(name: string): string {
  return visibleText(name)
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .trim();
}
