import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { once } from '../../../lib/once.ts';
import { HEAD_COUNT, OUTPUT_HEADS } from './features.ts';
import type { Model, Thresholds } from './model.ts';
import type { Trees } from './trees.ts';

const FILE = new URL('weights.bin', import.meta.url);

/** The header of the weights file, in front of its numbers. `training/packWeights.ts` writes it. */
export type WeightsHead = {
  heads: readonly string[];
  bits: number;
  thresholds: Thresholds;
  trees: { name: string; depth: number; count: number }[];
};

export const readModel = once(() => unpackWeights(readFileSync(FILE)));

export function unpackWeights(packed: Uint8Array): Model {
  const all = gunzipSync(packed);
  let at = 4 + all.readUInt32LE(0);
  const { heads, thresholds, trees, bits }: WeightsHead = JSON.parse(all.toString('utf8', 4, at));
  if (String(heads) !== String(OUTPUT_HEADS))
    throw new Error('The weights of the reader are of another version: npm run train');
  const take = (length: number) => {
    const from = all.byteOffset + at;
    at += length;
    return all.buffer.slice(from, from + length) as ArrayBuffer;
  };
  const scales = new Float32Array(take(4 * HEAD_COUNT));
  const weights = new Int8Array(take(HEAD_COUNT << bits));
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
  const findTrees = (name: string) => {
    const treesFound = named.get(name);
    if (!treesFound) throw new Error(`The reader's weights lack the trees of ${name}`);
    return treesFound;
  };
  const context = OUTPUT_HEADS.map(head => named.get(head) ?? null);
  return {
    weights,
    scales,
    context,
    pair: findTrees('pair'),
    outcome: findTrees('outcome'),
    ends: findTrees('promise ends'),
    thresholds,
  };
}
