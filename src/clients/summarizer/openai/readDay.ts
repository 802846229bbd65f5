import pMap from 'p-map';
import { ContextCut } from './apiErrors.ts';
import { type Asking, ask, askForPart } from './ask.ts';
import { SMALLEST_PART } from './contextWindow.ts';
import { inParts, tokensOf } from './dayParts.ts';
import { partLine, promptForMerging, promptForPart } from './prompt.ts';
import type { PromptBackground } from './promptBackground.ts';
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
 * Throws {@link ContextCut} when even the smallest part is too long.
 * @param partTokens days estimated at more tokens are read in parts in any case
 */
export async function readDay(
  given: Omit<Asking, 'overhead'>,
  lines: Line[],
  about: PromptBackground,
  partTokens: number,
): Promise<Reply> {
  const asking = { ...given, overhead: tokensOfPrompt(promptForMerging([], about)) };
  let whole: Reply | undefined;
  for (let size = 1; ; size += 1) {
    const room = asking.context.ownRoomForData(asking.overhead);
    try {
      const parts = partsFor(asking, lines, partTokens);
      const reply = await readParts(asking, parts, about, size > 1);
      if (whole)
        asking.report({ code: 'AI_CONTEXT_CUT', message: 'lost its prompt while it wrote, smaller parts did not' });
      return reply;
    } catch (error) {
      // Smaller parts are worth one try, or one message that forbids the code would cost thirty requests.
      if (whole && !asking.signal.aborted) return whole;
      if (!(error instanceof ContextCut) || size === MOST_SIZES) throw error;
      // What is as long again would fail again: digests of parts that can't be merged, for example.
      if (asking.context.ownRoomForData(asking.overhead) === room) throw error;
      whole = error.cut.reply;
    }
  }
}

/** By the room that others left, unless the day can't be read in it: then only its own failures count. */
function partsFor({ context, overhead }: Asking, lines: Line[], partTokens: number): Line[][] {
  const rooms = [context.roomForData(overhead), context.ownRoomForData(overhead)];
  const parts = rooms.map(room => partsIn(room, lines, partTokens)).find(found => found !== undefined);
  if (!parts) throw new ContextCut();
  return parts;
}

function partsIn(room: number, lines: Line[], partTokens: number): Line[][] | undefined {
  const parts = inParts(lines, Math.min(partTokens, room));
  const isTooSmall = parts.length > 1 && room < SMALLEST_PART;
  const isTooLong = parts.some(part => tokensOf(part) > room);
  const isTooMany = room < partTokens && parts.length > MOST_SMALL_PARTS;
  return isTooSmall || isTooLong || isTooMany ? undefined : parts;
}

/** @param isUnsure whether the parts may still be too long, so that one of them is tried before the others */
async function readParts(asking: Asking, parts: Line[][], about: PromptBackground, isUnsure: boolean): Promise<Reply> {
  const [whole, ...others] = parts;
  if (whole && others.length === 0) return ask(asking, promptForPart(whole, about));
  const failed = new AbortController();
  const together = { ...asking, signal: AbortSignal.any([asking.signal, failed.signal]) };
  const readPart = (lines: Line[], index: number) =>
    askForPart(together, promptForPart(lines, about, { number: index + 1, of: parts.length }));
  try {
    const tried = isUnsure ? await Promise.all(parts.slice(0, 1).map(readPart)) : [];
    const rest = await pMap(parts.slice(tried.length), (lines, index) => readPart(lines, index + tried.length), {
      concurrency: PARTS_AT_ONCE,
    });
    return await merge(together, [...tried, ...rest], about);
  } finally {
    failed.abort();
  }
}

/** Merges the replies into one, in as many steps as the model's context makes necessary. */
async function merge(asking: Asking, replies: Reply[], about: PromptBackground): Promise<Reply> {
  const [first, ...others] = replies;
  if (first && others.length === 0) return first;
  const groups = groupsFor(replies, asking.context.roomForData(asking.overhead));
  const mergeGroup = async (group: Reply[]) => {
    const [only, ...more] = group;
    return only && more.length === 0 ? only : askForPart(asking, promptForMerging(group, about));
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
