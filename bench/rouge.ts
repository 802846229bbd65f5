import { stemmer } from 'stemmer';

/** F1 of the three ROUGE measures, 0..1. */
export type RougeScores = { rouge1: number; rouge2: number; rougeL: number };

/**
 * ROUGE-1, -2 and -L as in Google's `rouge_score` with its stemmer on: lower case, letters (of every script) and digits
 * only, words of more than three letters stemmed (Porter), ROUGE-L over the whole text. Each measure takes the
 * reference it fits best.
 */
export function rouge(candidate: string, references: string[]): RougeScores {
  const words = wordsOf(candidate);
  const best = { rouge1: 0, rouge2: 0, rougeL: 0 };
  for (const reference of references.map(wordsOf)) {
    best.rouge1 = Math.max(best.rouge1, sharedGrams(words, reference, 1));
    best.rouge2 = Math.max(best.rouge2, sharedGrams(words, reference, 2));
    best.rougeL = Math.max(best.rougeL, f1(commonSubsequence(words, reference), words.length, reference.length));
  }
  return best;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return words.map(word => (word.length > 3 && /^[a-z0-9]+$/.test(word) ? stemmer(word) : word));
}

function sharedGrams(candidate: string[], reference: string[], size: number): number {
  const left = gramsOf(candidate, size);
  const open = new Map<string, number>();
  for (const gram of left) open.set(gram, (open.get(gram) ?? 0) + 1);
  const right = gramsOf(reference, size);
  const shared = right.filter(gram => {
    const count = open.get(gram) ?? 0;
    if (count > 0) open.set(gram, count - 1);
    return count > 0;
  });
  return f1(shared.length, left.length, right.length);
}

function gramsOf(words: string[], size: number): string[] {
  return words.slice(size - 1).map((_, index) => words.slice(index, index + size).join(' '));
}

function f1(shared: number, candidateLength: number, referenceLength: number): number {
  return shared === 0 ? 0 : (2 * shared) / (candidateLength + referenceLength);
}

function commonSubsequence(left: string[], right: string[]): number {
  let previous = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const row = [0];
    for (const [index, other] of right.entries()) {
      const longest = word === other ? (previous[index] ?? 0) + 1 : Math.max(previous[index + 1] ?? 0, row[index] ?? 0);
      row.push(longest);
    }
    previous = row;
  }
  return previous.at(-1) ?? 0;
}
