import { tokensOfLine } from './tokens.ts';
import { type Line, toJsonLine } from './transcript.ts';

export function tokensOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + tokensOfLine(toJsonLine(line)), 0);
}

/** The day in consecutive parts of similar size, none over `partTokens` (estimated) unless a single message is. */
export function inParts(lines: Line[], partTokens: number): Line[][] {
  const total = tokensOf(lines);
  if (total <= partTokens) return [lines];
  const fair = total / Math.ceil(total / partTokens);
  const parts: Line[][] = [];
  let [part, tokens]: [Line[], number] = [[], 0];
  for (const line of lines) {
    const more = tokensOfLine(toJsonLine(line));
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
