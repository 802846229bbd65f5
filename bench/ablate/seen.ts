import * as lexicon from '../../src/clients/summarizer/languages/lexicon.ts';
import { LANGUAGES } from '../../src/clients/summarizer/languages/types.ts';

/** While it runs, notes every text in which cues of a language are looked for. Texts are by case and language, a line each. */
export async function seenWhile(read: (at: (index: number) => void) => Promise<void>): Promise<Map<string, string>[]> {
  const codesOf = new Map<string, Set<string>>();
  const note = (code: string, of: unknown) => {
    if (of instanceof RegExp) codesOf.set(of.source, (codesOf.get(of.source) ?? new Set()).add(code));
    else if (typeof of === 'object' && of !== null && !(of instanceof Set) && !(of instanceof Map))
      for (const inner of Object.values(of)) note(code, inner);
  };
  for (const code of [...LANGUAGES, 'und']) note(code === 'und' ? 'other' : code, lexicon.lexiconOf(code));
  const seen: Map<string, Set<string>>[] = [];
  let current = new Map<string, Set<string>>();
  const { exec } = RegExp.prototype;
  // Only while what is read is noted: it makes every search slow.
  RegExp.prototype.exec = function noted(text) {
    for (const code of codesOf.get(this.source) ?? [])
      current.set(code, (current.get(code) ?? new Set()).add(`${text}`.replaceAll('\n', ' ')));
    return exec.call(this, text);
  };
  try {
    await read(() => {
      current = new Map();
      seen.push(current);
    });
  } finally {
    RegExp.prototype.exec = exec;
  }
  return seen.map(of => new Map([...of].map(([code, texts]) => [code, [...texts].join('\n')])));
}
