import type { Prompt } from './prompt.ts';

/** English has about four, and whatever has no token of its own takes one for a byte or two: rather too many than too few. */
const BYTES_PER_TOKEN = 3;

/** Estimates the tokens of a text in any script. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export function tokensOfPrompt(prompt: Prompt): number {
  return prompt.reduce((sum, message) => sum + tokensOf(textOf(message)), 0);
}

/**
 * The fewest tokens that the user's part of a prompt can have, whatever the model's tokenizer: none makes one token of
 * two words. Leaves out the instructions, which never change and which some servers don't count once they know them.
 */
export function fewestTokens(prompt: Prompt): number {
  const asked = prompt.filter(({ role }) => role === 'user').map(textOf);
  return asked
    .join(' ')
    .split(/[ \n]+/)
    .filter(word => /[\p{L}\p{N}]/u.test(word)).length;
}

export function textOf({ content }: Prompt[number]): string {
  return typeof content === 'string' ? content : '';
}
