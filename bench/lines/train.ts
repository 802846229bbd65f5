/**
 * Trains the weights by which the excerpt chooses its exchanges, from days with keys, and writes them where the product
 * reads them: `node bench/lines/train.ts [--data FOLDER] [--all] [--write]`. Without `--all` it leaves out every second
 * day of `messy-chats.json`, so that `bench/lines.ts` can measure on days that were not learned from.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UNTIDY } from '../items/sets.ts';
import { readKeyedChats } from './days.ts';
import { heard, learn } from './learn.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('../../../shared/data', import.meta.url)) },
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const FILE = fileURLToPath(new URL('../../src/clients/summarizer/builtIn/excerpt/weights.json', import.meta.url));

async function main(): Promise<void> {
  const data = (file: string) => join(options.data, file);
  const tidy = readKeyedChats(data('labelled-chats.json'), data('labelled-keys.json')) ?? [];
  const messy = (readKeyedChats(data('messy-chats.json')) ?? []).filter((_, index) => options.all || index % 2 === 0);
  const untidy = readKeyedChats(UNTIDY) ?? [];
  const days = await Promise.all([...tidy, ...messy, ...untidy].map(heard));
  const weights = learn(days);
  if (options.write) writeFileSync(FILE, `${JSON.stringify(weights, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(weights, null, 1)}\n`);
}

await main();
