import type { Prompt } from './prompt.ts';

/** Measured 3.8 characters a token on mixed text, less in Cyrillic: rather too many tokens than too few. */
const CHARACTERS_PER_TOKEN = 3;

/** What a text is estimated to take, rather too much than too little. */
function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** With its end, so that lines together are never estimated at less than the text they make. */
export function tokensOfLine(line: string): number {
  return tokensOfText(`${line}\n`);
}

export function tokensOfPrompt(prompt: Prompt): number {
  return prompt.reduce((sum, message) => sum + tokensOfText(textOf(message)), 0);
}

/**
 * What the user's part of a prompt takes at the very least, whatever the model counts by: no tokenizer makes one token of two
 * words. Without the instructions, which are always the same and which some servers don't count once they know them.
 */
export function fewestTokens(prompt: Prompt): number {
  const asked = prompt.filter(({ role }) => role === 'user');
  return asked.reduce((sum, message) => sum + textOf(message).split(/\s+/).length, 0);
}

function textOf({ content }: Prompt[number]): string {
  return typeof content === 'string' ? content : '';
}
