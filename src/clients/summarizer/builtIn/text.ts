import { fold } from '../cleaning.ts';
import type { Lexicon } from '../languages/lexicon.ts';

const SHORTEST_REST = 10;
/** The name after a greeting, with its title. */
const SPOKEN_TO = /^,?(?:\s\p{Lu}[\p{L}\p{M}'-]{0,30}\.?){1,3}(?=\s*[,.!:])/u;

/** What a no begins with. */
export const NO_FIRST = /^\P{L}*(?:no|not|nope|nah|nein|nee|ne|нет|ні|non|não|nie|hayır|yok)(?!\p{L})/u;

export function capitalized(text: string): string {
  return text.replace(/^[^\p{L}\p{N}@#]*\p{Ll}/u, start => start.toUpperCase());
}

/** "Well, OK, I will call them." is "I will call them." */
export function openingCut(text: string, { acts, code }: Lexicon): string {
  let rest = text;
  for (let cut = 0; cut < 3; cut += 1) {
    const found = acts.opening.exec(fold(rest, code));
    if (!found || found.index > 0) break;
    const behind = rest.slice(found[0].length).replace(SPOKEN_TO, '');
    const after = behind.replace(/^[\s,.!…:;-]+/u, '');
    const isMarked = /^\s*[,.!…:;-]/u.test(behind) || acts.opening.exec(fold(after, code))?.index === 0;
    if (after.length < SHORTEST_REST || !isMarked) break;
    rest = after;
  }
  const bare = rest
    .replace(/^[\s\p{Extended_Pictographic}]+/u, '')
    .replace(/(?<![\s\p{Extended_Pictographic}])[\s\p{Extended_Pictographic}]+$/u, '');
  return capitalized(bare || rest);
}

/** "Hi Sofia, sure" says yes. */
export function withoutGreeting(folded: string): string {
  return folded.replace(/^(?:hi|hello|hey|thanks|thank you|good morning|morning)(?: \p{L}{2,20})?, (?=\p{L})/u, '');
}
