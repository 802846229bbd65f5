/**
 * How well the built-in summarizer finds what is left to do, whose it is and when it is due, beside what people
 * labelled: `node bench/items.ts [--show] [--both] [--apart] [--set FILE] [--data FOLDER] [--language CODE]`. With
 * `--both` tasks in people's own words stand below today's, with `--apart` those are found with weights learned from
 * other days: five folds of each set, the export not at all. `--ablate [lists|rules|cues] [NAME ...]` prints instead
 * what each list of cues, each rule or each single cue is worth, or those that are named. An item is matched when it
 * rests on one of the labelled messages; precision counts over what is written, recall over what is labelled, owner and
 * due day over the matched.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { ItemWeights } from '../src/clients/summarizer/builtIn/excerpt/items/odds.ts';
import { quoteItems } from '../src/clients/summarizer/builtIn/excerpt/quoteItems.ts';
import { createBuiltInSummarizer, readAll } from '../src/clients/summarizer/builtIn/summarizer.ts';
import type { ActionItem } from '../src/clients/summarizer/types.ts';
import { type LabelledDay, readLabelledChats, readLabelledExport } from './items/days.ts';
import { isWaiting, type Judged, judge, type Score, scoreOf } from './items/score.ts';
import { foldOf, UNTIDY, weightsApart } from './items/sets.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'boolean', default: false },
    set: { type: 'string' },
    data: { type: 'string', default: fileURLToPath(new URL('../../shared/data', import.meta.url)) },
    language: { type: 'string' },
    both: { type: 'boolean', default: false },
    apart: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
  },
});
const summarizer = createBuiltInSummarizer();

function percent(part: number, whole: number): string {
  return (whole === 0 ? '–' : ((100 * part) / whole).toFixed(0)).padStart(8);
}

const COLUMNS = 'items right   prec    recall   owner     due  urgency waiting   R-1     R-2     R-L';

function row(name: string, score: Score): string {
  const { days, found } = score;
  const figures = [
    `${score.labelled}`.padStart(6),
    `${score.right}/${score.written}`.padStart(8),
    percent(score.right, score.written),
    percent(found, score.labelled),
    percent(score.owner, found),
    percent(score.due, found),
    percent(score.urgency, days),
    percent(score.waiting, score.waitingKnown),
  ];
  return `${name.padEnd(14)}${`${days}`.padStart(4)}${figures.join('')}`;
}

function itemLine(item: ActionItem): string {
  const { owner, ownerName, text, dueDate, dueText, sourceMessageIds } = item;
  return `[${owner} ${ownerName ?? '?'}] ${text} | ${dueText} ${dueDate} | ${sourceMessageIds.join(',')}`;
}

function show({ day, digest, pairs, wrong }: Judged): string {
  const { labels, request } = day;
  const { structured } = digest;
  const matched = pairs.map(({ label, item }) => {
    const said = `[${label.owner}] ${label.text} | ${label.dueDate} | ${label.messages.join(',')}`;
    if (!item) return `  MISSED ${said}`;
    const faults = [item.owner !== label.owner && 'OWNER', item.dueDate !== label.dueDate && 'DUE'].filter(Boolean);
    return `  FOUND  ${said}\n      as ${faults.join(' ')} ${itemLine(item)}`;
  });
  const found = { ...structured, waiting: isWaiting(digest) };
  const told = (name: 'urgency' | 'waiting') =>
    labels[name] === found[name] ? `${labels[name]}` : `${found[name]} (IS ${labels[name]})`;
  return [
    `===== ${day.title}`,
    ...request.messages.map(({ id, senderName, text }) => `${id} ${senderName.split(' ')[0]}: ${text}`),
    ...matched,
    ...wrong.map(item => `  WRONG  ${itemLine(item)}`),
    `  ${told('urgency')} ${structured.urgencyReason ?? ''} · waiting ${told('waiting')} · ${structured.topics.join(', ')}`,
    `  SUMMARY ${digest.summary}`,
    '',
  ].join('\n');
}

/** The same digest with its tasks in people's own words. */
async function quoted({ day, digest }: Judged, weights: ItemWeights | undefined): Promise<Judged> {
  const items = quoteItems(await readAll(day.request), weights);
  const actionItems = items.map(({ item }) => item);
  return judge(day, { ...digest, structured: { ...digest.structured, actionItems } });
}

async function report(name: string, days: LabelledDay[] | null, apart: ItemWeights[]): Promise<string> {
  if (!days) return `${name}: no data, nothing to compare with.`;
  const chosen = days.flatMap((day, index) =>
    !options.language || day.language === options.language ? [{ day, fold: foldOf(index) }] : [],
  );
  const judged: Judged[] = [];
  const inOwnWords: Judged[] = [];
  for (const { day, fold } of chosen) {
    const today = judge(day, await summarizer.summarize(day.request));
    judged.push(today);
    if (options.both) inOwnWords.push(await quoted(today, apart[fold]));
  }
  const table = (title: string, of: Judged[]) => {
    const languages = [...new Set(of.map(({ day }) => day.language))];
    const rows = languages.map(one => row(one, scoreOf(of.filter(({ day }) => day.language === one))));
    return [
      title,
      `${''.padEnd(14)}days ${COLUMNS}`,
      ...(languages.length > 1 ? rows : []),
      row('all', scoreOf(of)),
      '',
    ];
  };
  return [
    ...(options.show ? (options.both ? inOwnWords : judged).map(show) : []),
    ...table(name, judged),
    ...(options.both ? table(`${name}, in people's own words`, inOwnWords) : []),
    ...alarms(judged),
    '',
  ].join('\n');
}

/** How often a day is called urgent, or something of it due soon, and how often it is at least that. */
function alarms(judged: Judged[]): string[] {
  return (['high', 'medium'] as const).map((urgency, at) => {
    const shown = judged.filter(({ digest }) => digest.structured.urgency === urgency);
    const right = shown.filter(({ day }) => ['high', 'medium'].slice(0, at + 1).includes(day.labels.urgency));
    return `"${urgency}"`
      .padEnd(10)
      .concat(
        `shown on ${shown.length} of ${judged.length} days, right on ${right.length}:${percent(right.length, shown.length)}`,
      );
  });
}

async function main(): Promise<void> {
  if (options.ablate) {
    new Worker(new URL('./ablate/thread.ts', import.meta.url), {
      workerData: { names: positionals, data: options.data },
    });
    return;
  }
  const data = (file: string) => join(options.data, file);
  const apart = options.apart ? await weightsApart(options.data) : [];
  const exported = (): [string, LabelledDay[] | null] => [
    'action-items.json',
    readLabelledExport(data('action-items.json'), data('telegram-export.json')),
  ];
  const sets: [string, LabelledDay[] | null][] = options.set
    ? [[options.set, readLabelledChats(options.set)]]
    : [
        ['messy-chats.json', readLabelledChats(data('messy-chats.json'))],
        ['untidy.json', readLabelledChats(UNTIDY)],
        ['labelled-chats.json', readLabelledChats(data('labelled-chats.json'))],
        // Learned from in every fold.
        ...(options.apart ? [] : [exported()]),
      ];
  for (const [name, days] of sets) process.stdout.write(`${await report(name, days, apart)}\n`);
}

await main();
