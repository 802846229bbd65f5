import type { Trees } from '../src/clients/summarizer/reader/trees.ts';
import { odds, randomFrom } from './learn.ts';

export type TreeOptions = {
  count: number;
  depth: number;
  rate: number;
  l2: number;
  seed: number;
  sample: number;
  columns: number;
};

const BINS = 24;

export type Table = { cuts: Float32Array[]; columns: Uint8Array[]; size: number };

/** Rows by column, each number as one of a few bins that hold about as many rows. */
export function tableOf(rows: Float32Array[], cuts = cutsOf(rows)): Table {
  const columns = cuts.map((cut, feature) =>
    Uint8Array.from(rows, row => {
      let bin = 0;
      while (bin < cut.length && row[feature]! >= cut[bin]!) bin++;
      return bin;
    }),
  );
  return { cuts, columns, size: rows.length };
}

export function cutsOf(rows: Float32Array[]): Float32Array[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, feature) => {
    const values = Float32Array.from(rows, row => row[feature]!).sort();
    const cuts: number[] = [];
    for (let bin = 1; bin < BINS; bin++) {
      const value = values[Math.floor((bin * values.length) / BINS)]!;
      if (value > (cuts.at(-1) ?? values[0]!)) cuts.push(value);
    }
    return Float32Array.from(cuts);
  });
}

/** Boosted trees of logistic loss, starting from `offsets`. A label that is not a number is unknown. */
export function growTrees(
  { cuts, columns, size }: Table,
  labels: Float32Array,
  offsets: Float32Array,
  options: TreeOptions,
): Trees {
  const { count, depth, rate, l2, seed, sample, columns: columnShare } = options;
  const random = randomFrom(seed);
  const known = Int32Array.from(Int32Array.from(labels.keys()).filter(at => !Number.isNaN(labels[at])));
  const scores = Float32Array.from(offsets);
  const leaf = new Uint8Array(size);
  const [slopes, curves] = [new Float32Array(size), new Float32Array(size)];
  const parts = 1 << depth;
  const [slopeSums, curveSums] = [new Float64Array(parts * BINS), new Float64Array(parts * BINS)];
  const trees: Trees = {
    depth,
    features: new Uint8Array(count * depth),
    thresholds: new Float32Array(count * depth),
    leaves: new Float32Array(count * parts),
  };
  const picked = new Int32Array(known.length);
  for (let tree = 0; tree < count; tree++) {
    let picks = 0;
    for (const at of known) {
      const likely = odds(scores[at]!);
      slopes[at] = likely - labels[at]!;
      curves[at] = Math.max(1e-4, likely * (1 - likely));
      leaf[at] = 0;
      if (random() < sample) picked[picks++] = at;
    }
    for (let level = 0; level < depth; level++) {
      let [most, feature, bin] = [-Infinity, 0, 1];
      for (let column = 0; column < columns.length; column++) {
        if (random() > columnShare || cuts[column]!.length === 0) continue;
        const bins = columns[column]!;
        slopeSums.fill(0, 0, BINS << level);
        curveSums.fill(0, 0, BINS << level);
        for (let k = 0; k < picks; k++) {
          const at = picked[k]!;
          const cell = leaf[at]! * BINS + bins[at]!;
          slopeSums[cell] = slopeSums[cell]! + slopes[at]!;
          curveSums[cell] = curveSums[cell]! + curves[at]!;
        }
        const last = cuts[column]!.length;
        for (let cut = 1; cut <= last; cut++) {
          const gain = gainOf(slopeSums, curveSums, 1 << level, cut, last, l2);
          if (gain > most) [most, feature, bin] = [gain, column, cut];
        }
      }
      trees.features[tree * depth + level] = feature;
      trees.thresholds[tree * depth + level] = cuts[feature]![bin - 1] ?? Infinity;
      const bins = columns[feature]!;
      for (const at of known) if (bins[at]! >= bin) leaf[at] = leaf[at]! | (1 << level);
    }
    const [slope, curve] = [new Float64Array(parts), new Float64Array(parts)];
    for (let k = 0; k < picks; k++) {
      const at = picked[k]!;
      slope[leaf[at]!] = slope[leaf[at]!]! + slopes[at]!;
      curve[leaf[at]!] = curve[leaf[at]!]! + curves[at]!;
    }
    for (let part = 0; part < parts; part++)
      trees.leaves[tree * parts + part] = (-rate * slope[part]!) / (curve[part]! + l2);
    for (const at of known) scores[at] = scores[at]! + trees.leaves[tree * parts + leaf[at]!]!;
  }
  return trees;
}

function gainOf(slopes: Float64Array, curves: Float64Array, parts: number, cut: number, last: number, l2: number): number {
  let gain = 0;
  for (let part = 0; part < parts; part++) {
    let [slopeLeft, curveLeft, slopeRight, curveRight] = [0, 0, 0, 0];
    const base = part * BINS;
    for (let bin = 0; bin < cut; bin++) {
      slopeLeft += slopes[base + bin]!;
      curveLeft += curves[base + bin]!;
    }
    for (let bin = cut; bin <= last; bin++) {
      slopeRight += slopes[base + bin]!;
      curveRight += curves[base + bin]!;
    }
    gain += (slopeLeft * slopeLeft) / (curveLeft + l2) + (slopeRight * slopeRight) / (curveRight + l2);
  }
  return gain;
}
