/** Numbers from 0 to 1 that are the same each time. */
export function randomFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffle<T>(list: T[], random: () => number): T[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return list;
}

export const odds = (score: number) => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, score))));

export type Example = { slots: Int32Array; labels: Float32Array };

export type Options = { epochs: number; rate: number; decay: number; positives: number; dropout: number; seed: number };

/**
 * Logistic regressions of all heads at once by AdaGrad over sparse features: the mean of the weights of the second half
 * of the epochs, `heads` a slot. A label that is not a number is unknown.
 */
export function fit(examples: Example[], slots: number, heads: number, options: Options): Float32Array {
  const { epochs, rate, decay, positives, dropout, seed } = options;
  const random = randomFrom(seed);
  const weights = new Float32Array(slots * heads);
  const squares = new Float32Array(slots * heads).fill(1e-2);
  const mean = new Float32Array(slots * heads);
  const order = examples.map((_, at) => at);
  const scores = new Float64Array(heads);
  const errors = new Float64Array(heads);
  const kept = new Int32Array(1 << 16);
  const from = Math.floor(epochs / 2);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const at of order) {
      const { slots: active, labels } = examples[at]!;
      let count = 0;
      for (const slot of active) if (dropout === 0 || random() >= dropout) kept[count++] = slot * heads;
      const scale = dropout === 0 ? 1 : 1 / (1 - dropout);
      scores.fill(0);
      for (let k = 0; k < count; k++) {
        const base = kept[k]!;
        for (let head = 0; head < heads; head++) scores[head] = scores[head]! + weights[base + head]!;
      }
      for (let head = 0; head < heads; head++) {
        const label = labels[head]!;
        errors[head] = (odds(scores[head]! * scale) - label) * (label > 0.5 ? positives : 1);
      }
      for (let k = 0; k < count; k++) {
        const base = kept[k]!;
        for (let head = 0; head < heads; head++) {
          const error = errors[head]!;
          if (error !== error) continue;
          const weight = weights[base + head]!;
          const step = error + decay * weight;
          const square = squares[base + head]! + step * step;
          squares[base + head] = square;
          weights[base + head] = weight - (rate * step) / Math.sqrt(square);
        }
      }
    }
    if (epoch >= from) for (let k = 0; k < mean.length; k++) mean[k] = mean[k]! + weights[k]! / (epochs - from);
  }
  return mean;
}

export function sumInto(into: Float32Array, weights: Float32Array, slots: Int32Array, heads: number, at = 0): void {
  for (const slot of slots)
    for (let head = 0; head < heads; head++) into[at + head] = into[at + head]! + weights[slot * heads + head]!;
}
