import { gzipSync } from 'node:zlib';
import { OUTPUT_HEADS } from '../src/clients/summarizer/reader/features.ts';
import type { Model, Thresholds } from '../src/clients/summarizer/reader/model.ts';
import type { Trees } from '../src/clients/summarizer/reader/trees.ts';
import type { WeightsHead } from '../src/clients/summarizer/reader/weights.ts';
import { SLOT_BITS } from '../src/clients/summarizer/reader/words.ts';

/** In the order of the file. */
function treesOf({ context, pair, outcome, ends }: Model): [string, Trees | null][] {
  return [
    ...context.map((trees, at): [string, Trees | null] => [OUTPUT_HEADS[at]!, trees]),
    ['pair', pair],
    ['outcome', outcome],
    ['promise ends', ends],
  ];
}

/** Infinity is nothing that JSON knows. */
const NEVER = 1e9;

export function pack(model: Model): Buffer {
  const trees = treesOf(model).flatMap(([name, one]) => (one ? [{ name, one }] : []));
  const head: WeightsHead = {
    heads: OUTPUT_HEADS,
    bits: SLOT_BITS,
    thresholds: Object.fromEntries(
      Object.entries(model.thresholds).map(([name, value]) => [name, Math.min(value, NEVER)]),
    ) as Thresholds,
    trees: trees.map(({ name, one }) => ({ name, depth: one.depth, count: one.features.length / one.depth })),
  };
  const text = Buffer.from(JSON.stringify(head));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const numbers = trees.flatMap(({ one }) => [bytes(one.features), bytes(one.thresholds), bytes(one.leaves)]);
  return gzipSync(Buffer.concat([size, text, bytes(model.scales), bytes(model.weights), ...numbers]), { level: 9 });
}

function bytes({ buffer, byteOffset, byteLength }: Uint8Array | Int8Array | Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
