/**
 * How well the built-in summarizer sees what became of promises, and who waits, compared with what people labelled:
 * `node bench/promises.ts [--show] [--kept-apart] [--set FILE] [--data FOLDER] [--language CODE]`, on the development
 * chats unless told otherwise. The promises of a pair are the labelled items of its first day with the messages that
 * they rest on, so that the closing is measured and not the finding; and, below, what the built-in summarizer says of
 * that day, in the form in which it is stored. A kept promise is found when it is closed as done; one is closed wrongly
 * when it is called done or cancelled but isn't. `right` counts over all that should close, `of stored` over those of
 * them that the first day's digest says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createBuiltInSummarizer } from '../src/clients/summarizer/builtIn/summarizer.ts';
import type { Closing, OpenPromise } from '../src/clients/summarizer/types.ts';
import { readLabelledChats } from './items/days.ts';
import { type LabelledPair, readPairs } from './items/pairs.ts';
import { readPlainPairs } from './items/plainPairs.ts';
import { isWaiting } from './items/score.ts';
import { isMisdated, isRight, isWrong, type Judged, judgePair, type Way } from './promises/judge.ts';

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    set: { type: 'string' },
    'kept-apart': { type: 'boolean', default: false },
    data: { type: 'string', default: beside('../../shared/data') },
    language: { type: 'string' },
  },
});

async function judge(pair: LabelledPair): Promise<Record<Way, Judged[]> & { beside: number }> {
  const { title, request } = pair;
  const { labelled, stored, unlabelled, closings } = await judgePair(pair);
  const lines = Object.entries({ labelled, stored }).flatMap(([way, of]) =>
    of.map((judged, at) => {
      const { promise, state, told, closing } = judged;
      if (!promise) return `  ${way}: not stored, is ${state}: ${pair.promises[at]?.text}`;
      const mark = isWrong(judged) ? 'WRONG' : isRight(judged) ? 'right' : 'NOT';
      const { newDueDate = null, messageIds = '' } = closing ?? {};
      return `  ${way}: ${mark} ${state} told ${told} ${newDueDate ?? ''} ${wordsOf(promise)} | ${messageIds}`;
    }),
  );
  const beside = unlabelled.filter(({ n }) => closes(closings, n));
  for (const promise of unlabelled) {
    const { state = 'open', messageIds = '' } = closings.find(({ n }) => n === promise.n) ?? {};
    lines.push(`  stored: not labelled, told ${state} ${wordsOf(promise)} | ${messageIds}`);
  }
  if (options.show) {
    const said = (day: typeof request) =>
      day.messages.map(({ id, senderName, text }) => `${id} ${senderName}: ${text}`);
    process.stdout.write([`===== ${title}`, ...said(pair.dayOne), '-----', ...said(request), ...lines, ''].join('\n'));
  }
  return { labelled, stored, beside: beside.length };
}

function closes(closings: Closing[], number: number): boolean {
  return closings.some(({ n, state }) => n === number && state !== 'doubtful');
}

function wordsOf({ direction, text, dueDate, request }: OpenPromise): string {
  return `[${direction}] ${text}${dueDate ? ` by ${dueDate}` : ''}${request ? ` (“${request.words}”)` : ''}`;
}

const COLUMNS = ['kept', 'cancelled', 'moved', 'open', 'doubtful', 'right', 'of stored', 'MISDATED', 'WRONG'];

function row(name: string, judged: Judged[]): string {
  const rightOf = (state: string) => {
    const all = judged.filter(entry => entry.state === state);
    return `${all.filter(isRight).length}/${all.length}`;
  };
  const count = (of: Judged[], test: (one: Judged) => boolean) => `${of.filter(test).length}/${of.length}`;
  const toClose = judged.filter(({ state }) => state !== 'open');
  const open = judged.filter(({ state }) => state === 'open');
  const figures = [
    ...['done', 'cancelled', 'moved'].map(rightOf),
    count(open, ({ told }) => ['open', 'doubtful'].includes(told)),
    `${judged.filter(({ told }) => told === 'doubtful').length}`,
    count(toClose, isRight),
    count(
      toClose.filter(({ isStored }) => isStored),
      isRight,
    ),
    `${judged.filter(isMisdated).length}`,
    `${judged.filter(isWrong).length}`,
  ];
  return name.padEnd(14) + figures.map(figure => figure.padStart(10)).join('');
}

async function reportPairs(name: string, all: LabelledPair[]): Promise<void> {
  const pairs = all.filter(({ language }) => !options.language || language === options.language);
  const judged = { labelled: [] as Judged[], stored: [] as Judged[] };
  let besides = 0;
  for (const pair of pairs) {
    const { labelled, stored, beside } = await judge(pair);
    judged.labelled.push(...labelled);
    judged.stored.push(...stored);
    besides += beside;
  }
  const languages = [...new Set(judged.labelled.map(({ language }) => language))];
  const table = (way: Way, title: string) => {
    const of = languages.map(code =>
      row(
        code,
        judged[way].filter(({ language }) => language === code),
      ),
    );
    const head = title.padEnd(14) + COLUMNS.map(column => column.padStart(10)).join('');
    return [head, ...(languages.length > 1 ? of : []), row('all', judged[way])];
  };
  const [found, of] = [judged.stored.filter(({ isStored }) => isStored).length, judged.stored.length];
  const lines = [
    `${name}: ${pairs.length} pairs, ${of} promises, ${found} of them stored`,
    ...table('labelled', 'as labelled'),
    ...table('stored', 'as stored'),
    `closed of what is stored and not labelled: ${besides}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
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
if (options.set) {
  const readSet = options.set.endsWith('.txt') ? readPlainPairs : readPairs;
  await reportPairs(options.set, readSet(read(options.set)));
} else if (options['kept-apart']) {
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
