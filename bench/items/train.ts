/**
 * Trains the weights by which the built-in summarizer tells what is still open, from all labelled days, and writes them
 * where the product reads them: `node bench/items/train.ts [--data FOLDER] [--write]`. How well such weights do on days
 * that they were not learned from is shown by `node bench/items.ts --both --apart`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { learnItems } from './learn.ts';
import { allExamples } from './sets.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('../../../shared/data', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
});
const FILE = fileURLToPath(new URL('../../src/clients/summarizer/builtIn/excerpt/items/weights.json', import.meta.url));

async function main(): Promise<void> {
  const learned = await allExamples(options.data);
  const weights = learnItems(learned.flatMap(({ examples }) => examples));
  if (options.write) writeFileSync(FILE, `${JSON.stringify(weights, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(weights, null, 1)}\n`);
}

await main();
