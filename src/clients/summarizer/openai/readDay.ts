import pMap from 'p-map';
import { type AskingForDigest, ask } from './ask.ts';
import { type Background, partLine, promptForMerging, promptForPart, tokensOf } from './prompt.ts';
import type { Reply } from './reply.ts';
import { type Line, toJson } from './transcript.ts';

const AT_ONCE = { concurrency: 3 };
/** Tokens that stay free for the answer, of a large context and of a small one. */
const FOR_ANSWER = { most: 4096, share: 0.25 };
/** Tokens of data that are sent at once in any case. */
const SMALLEST_PART = 500;

/** Reads a day, in parts where it is longer than the model takes in at once. Throws ClientError. */
export async function readDay(
  asking: AskingForDigest,
  lines: Line[],
  about: Background,
  context: number,
): Promise<Reply> {
  const forAnswer = Math.min(FOR_ANSWER.most, context * FOR_ANSWER.share);
  const { system, user } = promptForMerging([], about);
  const room = Math.max(SMALLEST_PART, context - tokensOf(system + user) - forAnswer);
  const failed = new AbortController();
  const together = { ...asking, signal: AbortSignal.any([asking.signal, failed.signal]) };
  const parts = inParts(lines, toJson, room);
  const promptFor = (part: Line[], index: number) =>
    promptForPart(part, about, parts.length > 1 ? { number: index + 1, of: parts.length } : undefined);
  const merge = async (group: Reply[]) => {
    const [only, ...more] = group;
    return only && more.length === 0 ? only : ask(together, promptForMerging(group, about));
  };
  try {
    let replies = await pMap(parts, (part, index) => ask(together, promptFor(part, index)), AT_ONCE);
    let space = room;
    while (replies.length > 1) {
      const groups = inParts(replies, partLine, space);
      if (groups.length < replies.length) replies = await pMap(groups, merge, AT_ONCE);
      else space *= 2;
    }
    return replies[0] as Reply;
  } finally {
    failed.abort();
  }
}

/** Consecutive parts of similar size, none over `room` tokens (estimated) unless a single entry is. */
function inParts<T>(entries: T[], toLine: (entry: T, index: number) => string, room: number): T[][] {
  const sizes = entries.map((entry, index) => tokensOf(`${toLine(entry, index)}\n`));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fair = total / Math.ceil(total / room);
  const parts: T[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const [index, entry] of entries.entries()) {
    const size = sizes[index] ?? 0;
    if (filled >= fair || filled + size > room) {
      parts.push([]);
      filled = 0;
    }
    parts.at(-1)?.push(entry);
    filled += size;
  }
  return parts;
}
