import { parseArgs } from 'node:util';
import { print } from '../support/ground.ts';
import { withCrm } from './account.ts';
import { fillUp } from './contactBook.ts';
import { generateWorld } from './generatedWorld.ts';
import { readGivenWorld } from './givenWorld.ts';
import { type Measure, measure } from './measure.ts';
import { seededRandom } from './random.ts';
import type { World } from './world.ts';

/*
 * The contacts that automatic matching chooses for 250 conversations, among 20,000, through the real client and its
 * limits: on the given conversations and on generated people of other names. Ends with 1 when a bound is broken.
 */

const CONTACTS = 20_000;
const BOUNDS = { precision: 0.995, recall: 0.95, searches: 25 };

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.BENCH_DATA ?? '../shared/data' },
    seeds: { type: 'string', default: '1,2,3,4,5' },
    mistakes: { type: 'boolean', default: false },
  },
});

const given = readGivenWorld(values.data);
if (!given) print(`The given conversations are left out: ${values.data} does not hold them.`);
const generated = values.seeds.split(',').filter(Boolean).map(Number).map(generateWorld);
let isWithinBounds = true;
for (const world of [...(given ? [given] : []), ...generated]) {
  isWithinBounds = (await run(world)) && isWithinBounds;
}
process.exitCode = isWithinBounds ? 0 : 1;

async function run(world: World): Promise<boolean> {
  const contacts = fillUp(world.contacts, CONTACTS, seededRandom(world.contacts.length));
  return withCrm(contacts, async (crm, countSearches) => {
    const started = performance.now();
    const measured = await measure(crm, world);
    const seconds = (performance.now() - started) / 1000;
    print(`\n${world.name}: ${world.chats.length} conversations, ${contacts.length} contacts, ${seconds.toFixed(1)} s`);
    printTable(measured);
    if (values.mistakes) for (const mistake of measured.mistakes) print(`  ${mistake}`);
    return report(measured, countSearches());
  });
}

function printTable({ kinds }: Measure): void {
  const width = Math.max(...[...kinds.keys()].map(kind => kind.length), 4);
  print(`${'kind'.padEnd(width)}  chats  right  wrong  asked  left open: right  wrong  suggested`);
  for (const [kind, { chats, right, wrong, asked, openRight, openWrong, suggested }] of kinds) {
    const numbers = [chats, right, wrong, asked].map(count => String(count).padStart(5)).join('  ');
    print(
      `${kind.padEnd(width)}  ${numbers}  ${String(openRight).padStart(16)}  ${String(openWrong).padStart(5)}  ${String(suggested).padStart(9)}`,
    );
  }
}

function report({ precision, recall, linked }: Measure, searches: number): boolean {
  print(`precision ${precision.toFixed(4)} (at least ${BOUNDS.precision})`);
  print(`recall ${recall.toFixed(4)} (at least ${BOUNDS.recall}), ${linked.toFixed(4)} linked`);
  print(`searches ${searches} (at most ${BOUNDS.searches})`);
  return precision >= BOUNDS.precision && recall >= BOUNDS.recall && searches <= BOUNDS.searches;
}
