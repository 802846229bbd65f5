import { type Line, toJsonLine } from './transcript.ts';

/** Measured 3.8 characters a token on mixed text, less in Cyrillic: rather too many tokens than too few. */
const CHARACTERS_PER_TOKEN = 3;

export function tokensOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + tokensOfLine(line), 0);
}

/** The day in consecutive parts of about the same size, none over `partTokens` (estimated) unless a single message is. */
export function inParts(lines: Line[], partTokens: number): Line[][] {
  const total = tokensOf(lines);
  if (total <= partTokens) return [lines];
  const fair = total / Math.ceil(total / partTokens);
  const parts: Line[][] = [];
  let [part, tokens]: [Line[], number] = [[], 0];
  for (const line of lines) {
    const more = tokensOfLine(line);
    const isFull = tokens >= fair || tokens + more > partTokens;
    if (isFull && part.length > 0) {
      parts.push(part);
      [part, tokens] = [[], 0];
    }
    part.push(line);
    tokens += more;
  }
  return part.length > 0 ? [...parts, part] : parts;
}

function tokensOfLine(line: Line): number {
  return Math.ceil(toJsonLine(line).length / CHARACTERS_PER_TOKEN);
}
