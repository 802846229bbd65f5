import { jsonrepair } from 'jsonrepair';
import type { z } from 'zod';

/** Characters. No digest is a twentieth of it. */
const LONGEST_ANSWER = 300_000;
/** Quotation marks and braces. No digest has a tenth of it. */
const MOST_SIGNS = 20_000;
/** Objects among which the one that was asked for may be. */
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
  const { objects, isCutOff } = objectsIn(said);
  for (const [start, end] of objects.slice(0, MOST_TRIED)) {
    const object = said.slice(start, end);
    const found = schema.safeParse(parse(object) ?? mended(object));
    if (found.success) return { value: found.data, wasMended: true };
  }
  return isCutOff ? 'cutOff' : 'none';
}

/** Where the objects of a text begin and end, the outer ones first. `isCutOff`: the first brace is never closed. */
function objectsIn(text: string): { objects: [start: number, end: number][]; isCutOff: boolean } {
  const objects: [number, number][] = [];
  const open: number[] = [];
  let isInString = false;
  for (const { 0: sign, index } of text.matchAll(/\\.|["{}]/gs).take(MOST_SIGNS)) {
    const start = sign === '}' && !isInString ? open.pop() : undefined;
    if (start !== undefined) objects.push([start, index + 1]);
    else if (sign === '"' && open.length > 0) isInString = !isInString;
    else if (sign === '{' && !isInString) open.push(index);
  }
  return { objects: objects.toSorted(([one], [other]) => one - other), isCutOff: open.length > 0 };
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
