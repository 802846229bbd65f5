import { jsonrepair } from 'jsonrepair';
import type { z } from 'zod';

/** Characters. No digest is a twentieth of it. */
const LONGEST_ANSWER = 300_000;
/** Braces at which the object that was asked for may begin. */
const MOST_TRIED = 30;
const AFTER_THOUGHTS = /<\/(?:seed:)?think>|\[\/THINK\]/;

/** `wasMended`: there were other words around the JSON, or faults in it. */
export type ReadJson<T> = { value: T; wasMended: boolean };

/**
 * The first object in a model's answer that the schema takes, whatever is around it, with small faults mended.
 * `cutOff` where one begins and none ends: half a digest is none, and nothing may end it but the model.
 */
export function readJson<T>(content: string, schema: z.ZodType<T>): ReadJson<T> | 'cutOff' | 'none' {
  const whole = parse(content);
  const taken = schema.safeParse(whole);
  if (taken.success) return { value: taken.data, wasMended: false };
  const said = (typeof whole === 'string' ? whole : content).split(AFTER_THOUGHTS).at(-1) ?? '';
  if (said.length > LONGEST_ANSWER) return 'none';
  const starts = [...said.matchAll(/\{/g)].slice(0, MOST_TRIED).map(({ index }) => index);
  let isWhole = false;
  for (const start of starts) {
    const object = objectAt(said, start);
    if (object === undefined) continue;
    isWhole ||= start === starts[0];
    const found = schema.safeParse(parse(object) ?? mended(object));
    if (found.success) return { value: found.data, wasMended: true };
  }
  return starts.length > 0 && !isWhole ? 'cutOff' : 'none';
}

/** To the brace that closes the one at `start`; undefined where none does. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mended(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
