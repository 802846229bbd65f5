/**
 * `npm run train`: learns the weights of the built-in reader from `training/days` and `training/stories`. The same files
 * give the same bytes. `npm run train -- --curve` prints figures for parts of the days instead, and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readDays, readDaysApart, readStories } from './data.ts';
import { HEADER, judgeDay, rowOf, total } from './figures.ts';
import { learn } from './model.ts';
import { pack } from './packWeights.ts';

const { values: options } = parseArgs({ options: { curve: { type: 'boolean', default: false } } });
const PARTS = [8, 4, 2, 1];

const [days, stories] = [readDays(), readStories()];
if (options.curve) {
  const apart = readDaysApart();
  console.log(`${''.padEnd(10)}${HEADER}`);
  for (const part of PARTS) {
    const some = days.filter((_, at) => at % part === 0);
    const model = learn(some, stories);
    console.log(rowOf(`${some.length} days`, total(apart.map(day => judgeDay(model, day)))));
  }
} else {
  const model = learn(days, stories, done => console.log(`${Math.round(process.cpuUsage().user / 1e6)} s: ${done}`));
  const packed = pack(model);
  writeFileSync(new URL('../src/clients/summarizer/reader/weights.bin', import.meta.url), packed);
  console.log(`${days.length} days, ${stories.length} stories, ${packed.length} bytes`, model.thresholds);
}
