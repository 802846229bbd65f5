import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type LabelledDay, readLabelledChats } from '../items/days.ts';

const keySchema = z.array(z.object({ messages: z.array(z.number()).min(1), weight: z.enum(['essential', 'useful']) }));

/** What an excerpt must or may show: the messages of a matter, from its opener to its outcome. */
export type Key = z.infer<typeof keySchema>[number];
export type KeyedDay = LabelledDay & { keys: Key[] };

/** Days with the keys that stand in the same file, or by index in `keysFile`; null where a file is missing. */
export function readKeyedChats(file: string, keysFile?: string): KeyedDay[] | null {
  const days = readLabelledChats(file);
  if (!days || (keysFile && !existsSync(keysFile))) return null;
  const keys = keysFile ? keysByIndex(keysFile) : keysInside(file);
  return days.map((day, index) => ({ ...day, keys: keys.get(index) ?? [] }));
}

function keysInside(file: string): Map<number, Key[]> {
  const { days } = z
    .object({ days: z.array(z.object({ key: keySchema })) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(days.map(({ key }, index) => [index, key]));
}

function keysByIndex(file: string): Map<number, Key[]> {
  const all = z.array(z.object({ n: z.number(), key: keySchema })).parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(all.map(({ n, key }) => [n, key]));
}
