/** Boosted trees. All nodes of a level test the same feature, so a tree is one test per level and a table of leaves. */
export type Trees = { depth: number; features: Uint8Array; thresholds: Float32Array; leaves: Float32Array };

export function scoreTrees({ depth, features, thresholds, leaves }: Trees, row: Float32Array): number {
  let sum = 0;
  for (let question = 0, tree = 0; question < features.length; tree++) {
    let leaf = 0;
    for (let level = 0; level < depth; level++, question++)
      if (row[features[question]!]! >= thresholds[question]!) leaf |= 1 << level;
    sum += leaves[(tree << depth) + leaf]!;
  }
  return sum;
}
