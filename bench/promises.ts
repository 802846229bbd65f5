/**
 * How well the built-in summarizer sees what became of promises, and who waits, compared with what people labelled:
 * `node bench/promises.ts [--show] [--kept-apart] [--data FOLDER] [--language CODE]`, on the development chats unless
 * told otherwise. The promises of a pair are the labelled items of its first day, so that the closing is measured and
 * not the finding. A kept promise is found when it is closed as done; one is closed wrongly when it is called done or
 * cancelled but isn't.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readClosings } from '../src/clients/summarizer/builtIn/closings.ts';
import { createBuiltInSummarizer } from '../src/clients/summarizer/builtIn/summarizer.ts';
import { readLabelledChats } from './items/days.ts';
import { type LabelledPair, readPairs } from './items/pairs.ts';
import { readPlainPairs } from './items/plainPairs.ts';
import { isWaiting } from './items/score.ts';

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    'kept-apart': { type: 'boolean', default: false },
    data: { type: 'string', default: beside('../../shared/data') },
    language: { type: 'string' },
  },
});

type Judged = { state: string; told: string; isDayRight: boolean; language: string };

async function judge({ language, title, request, promises, labels }: LabelledPair): Promise<Judged[]> {
  const closings = await readClosings({ ...request, openPromises: promises });
  const lines = promises.map((promise, at) => {
    const label = labels[at] ?? { state: 'open', newDueDate: null };
    const closing = closings.find(({ n }) => n === promise.n);
    const told = closing?.state ?? 'open';
    const isDayRight = (closing?.newDueDate ?? null) === label.newDueDate;
    return { promise, closing, judged: { state: label.state, told, isDayRight, language } };
  });
  if (options.show) {
    const said = request.messages.map(({ id, senderName, text }) => `${id} ${senderName}: ${text}`);
    const shown = lines.map(({ promise, closing, judged }) => {
      const mark = judged.state === judged.told && judged.isDayRight ? 'right' : 'NOT';
      return `  ${mark} ${judged.state} told ${judged.told} ${closing?.newDueDate ?? ''} [${promise.direction}] ${promise.text} | ${closing?.messageIds ?? ''}`;
    });
    process.stdout.write([`===== ${title}`, ...said, ...shown, ''].join('\n'));
  }
  return lines.map(({ judged }) => judged);
}

function row(name: string, judged: Judged[]): string {
  const of = (state: string, told: string[]) =>
    judged.filter(entry => entry.state === state && told.includes(entry.told)).length;
  const all = (state: string) => judged.filter(entry => entry.state === state).length;
  const wrong = judged.filter(({ state, told }) => ['done', 'cancelled'].includes(told) && told !== state).length;
  const moved = judged.filter(
    ({ state, told, isDayRight }) => state === 'moved' && told === 'moved' && isDayRight,
  ).length;
  const figures = [
    `${judged.length}`,
    `${of('done', ['done'])}/${all('done')}`,
    `${of('cancelled', ['cancelled'])}/${all('cancelled')}`,
    `${moved}/${all('moved')}`,
    `${of('open', ['open', 'doubtful'])}/${all('open')}`,
    `${judged.filter(({ told }) => told === 'doubtful').length}`,
    `${wrong}`,
  ];
  return name.padEnd(10) + figures.map(figure => figure.padStart(11)).join('');
}

const COLUMNS = ['promises', 'kept', 'cancelled', 'moved', 'open', 'doubtful', 'WRONG'];

async function reportPairs(name: string, all: LabelledPair[]): Promise<void> {
  const pairs = all.filter(({ language }) => !options.language || language === options.language);
  const judged: Judged[] = [];
  for (const pair of pairs) judged.push(...(await judge(pair)));
  const languages = [...new Set(judged.map(({ language }) => language))];
  const rows = languages.map(language =>
    row(
      language,
      judged.filter(entry => entry.language === language),
    ),
  );
  const head = ''.padEnd(10) + COLUMNS.map(column => column.padStart(11)).join('');
  process.stdout.write(`${[`${name}: ${pairs.length} pairs`, head, ...rows, row('all', judged)].join('\n')}\n\n`);
}

async function reportWaiting(name: string, file: string): Promise<void> {
  const days = readLabelledChats(file)?.filter(({ labels }) => labels.waiting !== undefined) ?? [];
  const summarizer = createBuiltInSummarizer();
  const counts = new Map<string, { waiting: number; found: number; wrong: number; days: number }>();
  for (const { language, request, labels } of days) {
    if (options.language && language !== options.language) continue;
    const summary = await summarizer.summarize(request);
    for (const key of [language, 'all']) {
      const count = counts.get(key) ?? { waiting: 0, found: 0, wrong: 0, days: 0 };
      const tells = isWaiting(summary);
      counts.set(key, {
        days: count.days + 1,
        waiting: count.waiting + Number(labels.waiting),
        found: count.found + Number(labels.waiting && tells),
        wrong: count.wrong + Number(!labels.waiting && tells),
      });
    }
  }
  const rows = [...counts]
    .toSorted(([one], [other]) => Number(one === 'all') - Number(other === 'all'))
    .map(([key, { days, waiting, found, wrong }]) =>
      [key.padEnd(10), `${days}`.padStart(11), `${found}/${waiting}`.padStart(11), `${wrong}`.padStart(11)].join(''),
    );
  const head = ''.padEnd(10) + ['days', 'waiting', 'FALSE'].map(column => column.padStart(11)).join('');
  process.stdout.write(`${[name, head, ...rows].join('\n')}\n`);
}

const read = (file: string) => readFileSync(file, 'utf8');
if (options['kept-apart']) {
  const files = ['data/pairs.json', 'data/pairs-more-languages.json'];
  await reportPairs(
    'bench/data',
    files.flatMap(file => readPairs(read(beside(file)))),
  );
  await reportWaiting('bench/data/kept-apart.json', beside('data/kept-apart.json'));
} else {
  const file = join(options.data, 'labelled-chats.json');
  const folder = beside('data/development');
  const own = readdirSync(folder).toSorted();
  await reportPairs(
    'bench/data/development',
    own.flatMap(name => readPlainPairs(read(join(folder, name)))),
  );
  await reportPairs('labelled-chats.json', readPairs(read(file)));
  await reportWaiting('labelled-chats.json', file);
}
