/** Run by `bench/items.ts --ablate` in a thread of its own, because it loads the product's files in a way of its own. */
import { workerData } from 'node:worker_threads';
import type { Entry } from './lists.ts';
import type { Figures, Heard } from './measure.ts';
import { casesOf, now, switchRules } from './rules.ts';

const {
  names: [what = 'lists', ...names],
  data,
} = workerData as { names: string[]; data: string };
switchRules();
const { figuresOf, hear, readCases } = await import('./measure.ts');
const { entries, finderOf, without } = await import('./lists.ts');
const { seenWhile } = await import('./seen.ts');
const print = (...columns: unknown[]) => process.stdout.write(`${columns.join(' | ')}\n`);

const cases = readCases(data);
const whole: Heard[] = [];
const seen = await seenWhile(async begin => {
  now.isRecording = true;
  for (const [at, one] of cases.entries()) {
    now.at = at;
    begin(at);
    whole.push(await hear(one));
  }
  now.isRecording = false;
});
const figures = figuresOf(whole);
if (what === 'cues') await printCues();
else {
  for (const [set, of] of figures) print(set, told(of));
  const lists = Map.groupBy(entries(), ({ list }) => list);
  const all = what === 'rules' ? [...casesOf.keys()] : [...lists.keys()];
  for (const name of all.filter(one => names.length === 0 || names.some(asked => one.startsWith(asked)))) {
    const some = lists.get(name) ?? [];
    const at = what === 'rules' ? [...(casesOf.get(name) ?? [])] : [...new Set(some.flatMap(casesWith))];
    const putBack = without(some);
    if (what === 'rules') now.off = name;
    print(name, await costIn(at));
    now.off = '';
    putBack();
  }
}

/** The cases in which an entry may be found. */
function casesWith(entry: Entry): number[] {
  const isIn = finderOf(entry);
  return seen.flatMap((texts, at) => (isIn(texts.get(entry.code) ?? '') ? [at] : []));
}

/** What changes now that something is left out that matters in these cases only. */
async function costIn(indexes: number[]): Promise<string> {
  const changed = [...whole];
  const parts = new Map<string, number>();
  try {
    for (const at of indexes) {
      now.calls = 0;
      const one = cases[at];
      if (one) changed[at] = await hear(one);
      for (const part of partsChanged(at, changed[at])) parts.set(part, (parts.get(part) ?? 0) + 1);
    }
  } catch (err) {
    return `NEEDED | ${(err as Error).message} |`;
  }
  const changes = [...figuresOf(changed)].map(([set, of]): [string, Figures] => [
    set,
    Object.fromEntries(
      Object.entries(of).flatMap(([name, value]) => changeOf(name, value - (figures.get(set)?.[name] ?? 0))),
    ),
  ]);
  const measured = changes.filter(([set]) => set !== 'everyday').flatMap(([, of]) => Object.values(of));
  const [better, worse] = [measured.some(change => change > 0), measured.some(change => change < 0)];
  const verdict = worse ? (better ? 'mixed' : 'helps') : better ? 'HARMS' : parts.size > 0 ? 'NO FIGURE' : 'NO EFFECT';
  const sets = changes.flatMap(([set, of]) => (Object.keys(of).length > 0 ? `${set}: ${told(of)}` : []));
  return `${verdict} | ${sets.join('; ')} | ${told(Object.fromEntries(parts))}`;
}

function changeOf(name: string, change: number): [string, number][] {
  return Math.abs(change) > 0.04 ? [[name, change]] : [];
}

function partsChanged(at: number, heard: Heard | undefined): string[] {
  return Object.entries(heard?.parts ?? {}).flatMap(([part, text]) => (whole[at]?.parts[part] === text ? [] : part));
}

function told(of: Figures): string {
  return Object.entries(of)
    .map(([name, value]) => `${name} ${Math.round(10 * value) / 10}`)
    .join(', ');
}

/** How many entries of each list are found nowhere, and how many change nothing that is said; last, whether all of the former together do. */
async function printCues(): Promise<void> {
  const never: Entry[] = [];
  for (const [name, of] of Map.groupBy(entries(), ({ code, list }) => `${code} | ${list}`)) {
    if (names.length > 0 && !names.some(asked => name.includes(asked))) continue;
    let idle = 0;
    const before = never.length;
    for (const entry of of) {
      const at = casesWith(entry);
      if (at.length === 0) never.push(entry);
      else if (!(await changesAny(entry, at))) idle += 1;
    }
    print(name, of.length, `found nowhere ${never.length - before}`, `found without effect ${idle}`);
  }
  const putBack = without(never);
  print('all that are found nowhere', never.length, await costIn([...cases.keys()]));
  putBack();
}

async function changesAny(entry: Entry, indexes: number[]): Promise<boolean> {
  const putBack = without([entry]);
  try {
    for (const at of indexes) {
      const one = cases[at];
      if (one && partsChanged(at, await hear(one)).length > 0) return true;
    }
    return false;
  } finally {
    putBack();
  }
}
