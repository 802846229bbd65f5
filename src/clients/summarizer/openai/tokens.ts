import type { Prompt } from './prompt.ts';

/** Measured 3.8 characters per token on mixed text, less in Cyrillic: better too many tokens than too few. */
const CHARACTERS_PER_TOKEN = 3;

/** Estimates the tokens of a text, rather too many than too few. */
function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Includes the line break, so that the sum over lines is never less than the estimate for their text. */
export function tokensOfLine(line: string): number {
  return tokensOfText(`${line}\n`);
}

export function tokensOfPrompt(prompt: Prompt): number {
  return prompt.reduce((sum, message) => sum + tokensOfText(textOf(message)), 0);
}

/**
 * The fewest tokens that the user's part of a prompt can have, whatever the model's tokenizer: none makes one token of
 * two words. Leaves out the instructions, which never change and which some servers don't count once they know them.
 */
export function fewestTokens(prompt: Prompt): number {
  const asked = prompt.filter(({ role }) => role === 'user');
  return asked.reduce((sum, message) => sum + wordsIn(textOf(message)), 0);
}

/** Words between plain spaces and line breaks: other signs that look empty are dropped by some tokenizers. */
function wordsIn(text: string): number {
  return text.split(/[ \n]+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Signs of which no tokenizer makes a part of a word: they take one to four tokens each. */
const RARE =
  /[^\s -\u06FF\u0900-\u097F\u0E00-\u0E7F\u1E00-\u1FFF\u2000-\u206F\u3000-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/gu;
/** The share of them in a prompt from which its length says nothing of other prompts. */
const MOST_RARE = 0.05;

export function isFullOfRareSigns(prompt: Prompt): boolean {
  const text = prompt
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .join('\n');
  return (text.match(RARE) ?? []).length > text.length * MOST_RARE;
}

/** Below half of the estimate a count leaves open how much of the prompt was read. */
const LEAST_SHARE = 0.5;
/** Characters per token of our own English, at least. */
const SHORTEST_TOKENS = 1.5;
/** Tokens by which two counts of a prompt that was cut to the same length may differ. */
const SLACK = 8;

/**
 * How much of a prompt a server read, by its own counts for it and for the same prompt with some words added at its
 * end: a server that cuts both counts the same twice, whatever is in them. `unknown` where it doesn't count, or leaves
 * out what it remembers of the first.
 */
export function readingOf(
  prompt: Prompt,
  added: string,
  [first, second]: [first: number, second: number],
): 'whole' | 'cut' | 'unknown' {
  const more = second - first;
  if (first === 0 || second === 0 || more < -SLACK) return 'unknown';
  if (more < wordsIn(added)) return 'cut';
  return more <= added.length / SHORTEST_TOKENS && isPlausible(prompt, first) ? 'whole' : 'unknown';
}

/** Whether a prompt may have no more tokens than a server counted. */
export function isPlausible(prompt: Prompt, counted: number): boolean {
  return counted >= tokensOfPrompt(prompt) * LEAST_SHARE;
}

export function textOf({ content }: Prompt[number]): string {
  return typeof content === 'string' ? content : '';
}
