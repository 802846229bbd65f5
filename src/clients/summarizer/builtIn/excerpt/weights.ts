import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SIGNALS } from './signals.ts';

const numbers = z.number();
const schema = z.strictObject(
  Object.fromEntries(['bias', ...SIGNALS].map(name => [name, numbers])) as Record<
    'bias' | (typeof SIGNALS)[number],
    typeof numbers
  >,
);

/** Trained by `bench/lines/train.ts` on labelled days. */
export const WEIGHTS = schema.parse(JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')));
