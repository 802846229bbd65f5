import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { COUNT, HEADS } from './features.ts';
import type { Model, Thresholds } from './model.ts';
import type { Trees } from './trees.ts';
import { BITS } from './words.ts';

const FILE = new URL('weights.bin', import.meta.url);

/** What a file says of itself, in front of its numbers. */
type Head = {
  heads: readonly string[];
  bits: number;
  thresholds: Thresholds;
  trees: { name: string; depth: number; count: number }[];
};

let read: Model | undefined;

/** What was learned, read once. */
export function readModel(): Model {
  read ??= unpack(readFileSync(FILE));
  return read;
}

/** In the order of the file. */
function treesOf({ context, pair, outcome, ends }: Model): [string, Trees | null][] {
  return [
    ...context.map((trees, at): [string, Trees | null] => [HEADS[at]!, trees]),
    ['pair', pair],
    ['outcome', outcome],
    ['promise ends', ends],
  ];
}

/** Infinity is nothing that JSON knows. */
const NEVER = 1e9;

export function pack(model: Model): Buffer {
  const trees = treesOf(model).flatMap(([name, one]) => (one ? [{ name, one }] : []));
  const head: Head = {
    heads: HEADS,
    bits: BITS,
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

export function unpack(packed: Uint8Array): Model {
  const all = gunzipSync(packed);
  let at = 4 + all.readUInt32LE(0);
  const { heads, thresholds, trees, bits }: Head = JSON.parse(all.toString('utf8', 4, at));
  if (String(heads) !== String(HEADS))
    throw new Error('The weights of the reader are of another version: npm run train');
  const take = (length: number) => {
    const from = all.byteOffset + at;
    at += length;
    return all.buffer.slice(from, from + length) as ArrayBuffer;
  };
  const scales = new Float32Array(take(4 * COUNT));
  const weights = new Int8Array(take(COUNT << bits));
  const named = new Map(
    trees.map(({ name, depth, count }): [string, Trees] => {
      const features = new Uint8Array(take(count * depth));
      return [
        name,
        {
          depth,
          features,
          thresholds: new Float32Array(take(4 * count * depth)),
          leaves: new Float32Array(take(4 * (count << depth))),
        },
      ];
    }),
  );
  const of = (name: string) => {
    const one = named.get(name);
    if (!one) throw new Error(`The reader's weights lack the trees of ${name}`);
    return one;
  };
  const context = HEADS.map(head => named.get(head) ?? null);
  return { weights, scales, context, pair: of('pair'), outcome: of('outcome'), ends: of('promise ends'), thresholds };
}
