import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { StartError } from '../src/lib/errors.ts';

/** Throws {@link StartError} when the file holds something else. @param advice what the person can do then, a sentence */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>, advice: string): T {
  return parseJson(readFileSync(file, 'utf8'), schema, `${file} can't be read. ${advice}`);
}

/** Throws {@link StartError} with this message when the text is something else. */
export function parseJson<T>(text: string, schema: z.ZodType<T>, message: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new StartError(message);
  }
}
