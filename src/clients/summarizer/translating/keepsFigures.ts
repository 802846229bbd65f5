import { numbersIn, partsOf } from '../openai/readNumbers.ts';

/** Up to this one, numbers are also written as words. */
const LARGEST_WORD = 12;
const LAST_HOUR = 24;
/** What stays as it was said. */
export const QUOTED = /[“„«"「]([^“”„«»"「」]{2,400})[”“»"」]/gu;

/**
 * Whether a translation has the figures and quotes of its original. "17:30" may become "5:30", "4 Termine" "four
 * appointments", and the 11 of "27.11." a month; no figure may take another's place.
 */
export function keepsFigures(original: string, translated: string): boolean {
  const [before, after] = [figuresIn(original), figuresIn(translated)];
  const lost = without(before, after);
  const gained = without(after, before);
  const isHour = (figure: string) => isWhole(figure, LAST_HOUR);
  const halves = (one: string, other: string) =>
    isHour(one) && isHour(other) && Math.abs(Number(one) - Number(other)) === 12;
  const missing = lost.filter(figure => !gained.some(other => halves(figure, other)));
  const added = gained.filter(figure => !lost.some(other => halves(figure, other)));
  if (missing.some(figure => !isWhole(figure, LARGEST_WORD))) return false;
  if (missing.length > 0 && added.length > 0) return false;
  return [...original.matchAll(QUOTED)].every(([, words = '']) => translated.includes(words.trim()));
}

function figuresIn(text: string): string[] {
  return numbersIn(text).flatMap(partsOf);
}

/** What of a list is not in the other, each as often as it is there once more. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter(one => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isWhole(figure: string, most: number): boolean {
  return /^\d{1,2}$/.test(figure) && Number(figure) <= most;
}
