import { figuresIn } from '../checker/figures.ts';
import { createGround, unfounded } from '../checker/unfounded.ts';
import { fold } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { wordsOf } from '../words.ts';
import type { Piece } from './types.ts';

/** What the digest was checked against. */
export type Said = { conversation: Conversation };

/** Up to this one, numbers are also written as words. */
const LARGEST_WORD = 12;
const SHORTEST_NAME = 3;
/** What stays as it was said. */
export const QUOTED = /[“„«"「]([^“”„«»"「」]{2,400})[”“»"」]/gu;
/** A translation may be several times as long in letters: Chinese has few. */
const longestFor = (text: string) => 6 * text.length + 60;

/**
 * The translated texts, by number, that say what their originals say, which the messages held: no other figure, day,
 * name or person, every figure above twelve, and quotes as they were.
 */
export async function foundedTexts(
  pieces: readonly Piece[],
  translated: ReadonlyMap<number, string>,
  { said: { conversation }, language, writtenIn }: { said: Said; language: string; writtenIn: string },
): Promise<[number, string][]> {
  const { names, isGroup, timezone, language: spoken } = conversation;
  const ofGroup = new Set(isGroup ? wordsOf(fold(names.peer, spoken)) : []);
  const people = new Set([...names.words].filter(word => word.length >= SHORTEST_NAME && !ofGroup.has(word)));
  const founded: [number, string][] = [];
  for (const { n, text, days, isTitle } of pieces) {
    const found = translated.get(n);
    if (!found || found.length > longestFor(text) || !keepsFigures(text, found, language)) continue;
    const said = [{ text, language: writtenIn }];
    const ground = await createGround({ said, languages: [writtenIn, language], people, timezone, days });
    if (unfounded(found, ground, { isHeading: isTitle }).length === 0) founded.push([n, found]);
  }
  return founded;
}

/** "17:30" may become "5:30", and the 11 of "27.11." a month. */
function keepsFigures(original: string, translated: string, language: string): boolean {
  const partsIn = (text: string) => figuresIn(text, language).flatMap(({ parts }) => parts);
  const kept = new Set(partsIn(translated));
  const isKept = (part: string) =>
    Number(part) <= LARGEST_WORD || kept.has(part) || kept.has(String(Number(part) - 12));
  if (!partsIn(original).every(isKept)) return false;
  return [...original.matchAll(QUOTED)].every(([, words = '']) => translated.includes(words.trim()));
}
