/** `target`: from 0 to 1. */
export type Example = { values: number[]; target: number };

const ROUNDS = 400;

/**
 * A logistic regression by gradient descent with momentum over standardized values. `l2`: the strength of the penalty
 * on weights, in examples. The weights returned are those of the values as they came.
 */
export function regress(examples: Example[], l2: number): { bias: number; weights: number[] } {
  const size = examples[0]?.values.length ?? 0;
  const columns = Array.from({ length: size }, (_, at) => spread(examples.map(({ values }) => values[at] ?? 0)));
  const rows = examples.map(({ values }) =>
    values.map((value, at) => (value - (columns[at]?.mean ?? 0)) / (columns[at]?.deviation ?? 1)),
  );
  const weights = new Float64Array(size + 1);
  const speed = new Float64Array(size + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = slopeOf(rows, examples, weights, l2);
    for (let at = 0; at <= size; at += 1) {
      speed[at] = 0.9 * (speed[at] ?? 0) - 0.5 * (slope[at] ?? 0);
      weights[at] = (weights[at] ?? 0) + (speed[at] ?? 0);
    }
  }
  const plain = columns.map(({ deviation }, at) => (weights[at] ?? 0) / deviation);
  const bias = columns.reduce((sum, { mean }, at) => sum - (plain[at] ?? 0) * mean, weights[size] ?? 0);
  return { bias, weights: plain };
}

function spread(values: number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

/** The gradient per example; the last entry is that of the bias. */
function slopeOf(rows: number[][], examples: Example[], weights: Float64Array, l2: number): Float64Array {
  const size = weights.length - 1;
  const slope = new Float64Array(size + 1);
  for (const [index, row] of rows.entries()) {
    let odds = weights[size] ?? 0;
    for (let at = 0; at < size; at += 1) odds += (weights[at] ?? 0) * (row[at] ?? 0);
    const error = 1 / (1 + Math.exp(-odds)) - (examples[index]?.target ?? 0);
    for (let at = 0; at < size; at += 1) slope[at] = (slope[at] ?? 0) + error * (row[at] ?? 0);
    slope[size] = (slope[size] ?? 0) + error;
  }
  for (let at = 0; at < size; at += 1) slope[at] = (slope[at] ?? 0) + l2 * (weights[at] ?? 0);
  return slope.map(value => value / rows.length);
}
