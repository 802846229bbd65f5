import type { WorldMessage } from '../../sandbox/messenger/world.ts';
import type { Media, MessengerMessage } from '../../src/clients/messenger/types.ts';

/** What a world can hold. */
type Kind = NonNullable<WorldMessage['media']>;

const IN_BRACKETS = /(?:(?<!\s)\s+)?\[(\p{L}[\p{L} ]{2,30}?)(?:: ?([^\]\n]{0,300})| (\P{L}{1,8}))?\]\s*/gu;

const KINDS: [RegExp, Kind][] = [
  [/photo|picture|image/iu, 'photo'],
  [/voice|audio/iu, 'voice'],
  [/video|animation|gif|story/iu, 'video'],
  [/document|file|pdf|attachment/iu, 'document'],
  [/sticker/iu, 'sticker'],
  [/location|place|venue/iu, 'location'],
  [/contact/iu, 'contact'],
  [/poll/iu, 'poll'],
];

/**
 * Conversations in plain text say in brackets what a message carries: `[photo] our stand`, `[file: offer.pdf]`,
 * `[sticker 👍]`.
 */
export function mediaInText(text: string): Pick<MessengerMessage, 'text'> & { media?: Media & { kind: Kind } } {
  for (const { 0: found, 1: word = '', 2: name = '', 3: emoji = '', index } of text.matchAll(IN_BRACKETS)) {
    const kind = KINDS.find(([pattern]) => pattern.test(word))?.[1];
    const [before, behind] = [text.slice(0, index), text.slice(index + found.length)];
    if (kind) return { text: `${before} ${behind}`.trim(), media: { kind, name: name || emoji } };
  }
  return { text };
}
