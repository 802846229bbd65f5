import pMap from 'p-map';
import { type Asking, ask } from './ask.ts';
import { type Background, partLine, promptForMerging, promptForPart } from './prompt.ts';
import type { Reply } from './reply.ts';
import { tokensOf, tokensOfPrompt } from './tokens.ts';
import { type Line, toJson } from './transcript.ts';

const PARTS_AT_ONCE = 3;
/** Tokens that stay free for the answer, of a large context and of a small one. */
const FOR_ANSWER = { most: 4096, share: 0.25 };
/** Tokens of data that are sent at once in any case. */
const SMALLEST_PART = 500;

/** Reads a day, in parts where it is longer than the model takes in at once. Throws ClientError. */
export async function readDay(asking: Asking, lines: Line[], about: Background, contextTokens: number): Promise<Reply> {
  const forAnswer = Math.min(FOR_ANSWER.most, contextTokens * FOR_ANSWER.share);
  const room = Math.max(SMALLEST_PART, contextTokens - tokensOfPrompt(promptForMerging([], about)) - forAnswer);
  const parts = inParts(lines, toJson, room);
  const [whole, ...others] = parts;
  if (whole && others.length === 0) return ask(asking, promptForPart(whole, about));
  const failed = new AbortController();
  const together = { ...asking, signal: AbortSignal.any([asking.signal, failed.signal]) };
  const readPart = (part: Line[], index: number) =>
    ask(together, promptForPart(part, about, { number: index + 1, of: parts.length }));
  try {
    const replies = await pMap(parts, readPart, { concurrency: PARTS_AT_ONCE });
    return await merge(together, replies, about, room);
  } finally {
    failed.abort();
  }
}

/** Merges the replies into one, in as many steps as the model's context makes necessary. */
async function merge(asking: Asking, replies: Reply[], about: Background, room: number): Promise<Reply> {
  const [first, ...others] = replies;
  if (first && others.length === 0) return first;
  const inRoom = inParts(replies, partLine, room);
  const groups = inRoom.length < replies.length ? inRoom : inPairs(replies);
  const mergeGroup = async (group: Reply[]) => {
    const [only, ...more] = group;
    return only && more.length === 0 ? only : ask(asking, promptForMerging(group, about));
  };
  return merge(asking, await pMap(groups, mergeGroup, { concurrency: PARTS_AT_ONCE }), about, room);
}

/** Consecutive parts of similar size, none over `room` tokens (estimated) unless a single entry is. */
function inParts<T>(entries: T[], toLine: (entry: T, index: number) => string, room: number): T[][] {
  const sizes = entries.map((entry, index) => tokensOf(`${toLine(entry, index)}\n`));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fair = total / Math.ceil(total / room);
  const parts: T[][] = [];
  let left = 0;
  for (const [index, entry] of entries.entries()) {
    const size = sizes[index] ?? 0;
    const filled = room - left;
    if (parts.length === 0 || size > left || filled >= fair) {
      parts.push([]);
      left = room;
    }
    parts.at(-1)?.push(entry);
    left -= size;
  }
  return parts;
}

function inPairs<T>(entries: T[]): T[][] {
  return entries.flatMap((entry, index) => (index % 2 === 0 ? [[entry, ...entries.slice(index + 1, index + 2)]] : []));
}
