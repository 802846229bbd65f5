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
  return asked.reduce((sum, message) => sum + textOf(message).split(/\s+/).length, 0);
}

function textOf({ content }: Prompt[number]): string {
  return typeof content === 'string' ? content : '';
}
