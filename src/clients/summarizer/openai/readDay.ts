import pMap from 'p-map';
import { ContextCut, failureOf } from './apiErrors.ts';
import { type Asking, ask } from './ask.ts';
import type { Circumstances } from './circumstances.ts';
import { SMALLEST_PART } from './context.ts';
import { inParts, tokensOf } from './parts.ts';
import { partLine, promptForMerging, promptForPart } from './prompt.ts';
import type { Reply } from './reply.ts';
import { tokensOfLine, tokensOfPrompt } from './tokens.ts';
import type { Line } from './transcript.ts';

const PARTS_AT_ONCE = 3;
/** How many times a day is cut into smaller parts. */
const MOST_SIZES = 10;
/** A model whose context requires more parts than this would take hours. */
const MOST_SMALL_PARTS = 32;

/**
 * Reads a day, in smaller parts when the model's context is too small for it: its size is not known beforehand.
 * Throws what {@link failureOf} calls `tooLong` when even the smallest part is too long.
 * @param partTokens days estimated at more tokens are read in parts in any case
 */
export async function readDay(
  given: Omit<Asking, 'overhead'>,
  lines: Line[],
  about: Circumstances,
  partTokens: number,
): Promise<Reply> {
  const asking = { ...given, overhead: tokensOfPrompt(promptForMerging([], about)) };
  for (let size = 1; ; size += 1) {
    const parts = partsFor(asking, lines, partTokens);
    try {
      return await readParts(asking, parts, about);
    } catch (error) {
      if (failureOf(error) !== 'tooLong' || size === MOST_SIZES) throw error;
    }
  }
}

/** Estimated tokens of data that the model has room for. */
function roomForData({ context, overhead }: Asking): number {
  return context.room() - overhead;
}

function partsFor(asking: Asking, lines: Line[], partTokens: number): Line[][] {
  const room = roomForData(asking);
  const parts = inParts(lines, Math.min(partTokens, room));
  const isTooSmall = parts.length > 1 && room < SMALLEST_PART;
  const isTooLong = parts.some(part => tokensOf(part) > room);
  if (isTooSmall || isTooLong || (room < partTokens && parts.length > MOST_SMALL_PARTS)) throw new ContextCut();
  return parts;
}

async function readParts(asking: Asking, parts: Line[][], about: Circumstances): Promise<Reply> {
  const [whole, ...others] = parts;
  if (whole && others.length === 0) return ask(asking, promptForPart(whole, about));
  const failed = new AbortController();
  const together = { ...asking, signal: AbortSignal.any([asking.signal, failed.signal]) };
  const readPart = (lines: Line[], index: number) =>
    ask(together, promptForPart(lines, about, { number: index + 1, of: parts.length }));
  try {
    const replies = await pMap(parts, readPart, { concurrency: PARTS_AT_ONCE });
    return await merge(together, replies, about);
  } finally {
    failed.abort();
  }
}

/** Merges the replies into one, in as many steps as the model's context makes necessary. */
async function merge(asking: Asking, replies: Reply[], about: Circumstances): Promise<Reply> {
  const [first, ...others] = replies;
  if (first && others.length === 0) return first;
  const groups = groupsFor(replies, roomForData(asking));
  const mergeGroup = async (group: Reply[]) => {
    const [only, ...more] = group;
    return only && more.length === 0 ? only : ask(asking, promptForMerging(group, about));
  };
  return merge(asking, await pMap(groups, mergeGroup, { concurrency: PARTS_AT_ONCE }), about);
}

/** Groups neighbors that fit together, at least one pair. Throws {@link ContextCut} when none do. */
function groupsFor(replies: Reply[], room: number): Reply[][] {
  const groups: Reply[][] = [];
  let left = 0;
  for (const reply of replies) {
    const tokens = tokensOfLine(partLine(reply, replies.length));
    if (groups.length === 0 || tokens > left) {
      groups.push([]);
      left = room;
    }
    groups.at(-1)?.push(reply);
    left -= tokens;
  }
  if (groups.length === replies.length) throw new ContextCut();
  return groups;
}
