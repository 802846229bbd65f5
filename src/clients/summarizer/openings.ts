import { fold } from './cleaning.ts';
import type { Sentence } from './conversation.ts';

const SHORTEST_REST = 12;
/** The name behind a greeting, with its title. */
const SPOKEN_TO = /^,?(?:\s\p{Lu}[\p{L}\p{M}'-]*\.?){1,3}(?=\s*[,.!:])/u;

/** "Well, OK, I will call them." is "I will call them." */
export function withoutOpening({ text, utterance: { pack } }: Sentence): string {
  let rest = text;
  for (let cut = 0; cut < 3; cut += 1) {
    const found = pack.opening.exec(fold(rest, pack.code));
    if (!found) break;
    const behind = rest.slice(found[0].length).replace(SPOKEN_TO, '');
    const after = behind.replace(/^[\s,.!…:;-]+/u, '');
    if (after.length < SHORTEST_REST || !/^\s*[,.!…:;-]/u.test(behind)) break;
    rest = after;
  }
  return rest.replace(/^[^\p{L}\p{N}@#]*\p{Ll}/u, start => start.toUpperCase());
}
