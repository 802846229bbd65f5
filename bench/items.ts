/**
 * How well the built-in summarizer finds what is left to do, whose it is and when it is due, beside what people
 * labelled: `node bench/items.ts [--show] [--set FILE] [--data FOLDER] [--language CODE]`. An item is matched when it
 * rests on one of the labelled messages; precision counts over what is written, recall over what is labelled, owner and
 * due day over the matched.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createBuiltInSummarizer } from '../src/clients/summarizer/builtIn/summarizer.ts';
import type { ActionItem } from '../src/clients/summarizer/types.ts';
import { type LabelledDay, readLabelledChats, readLabelledExport } from './items/days.ts';
import { isWaiting, type Judged, judge, type Score, scoreOf } from './items/score.ts';

const { values: options } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    set: { type: 'string' },
    data: { type: 'string', default: fileURLToPath(new URL('../../shared/data', import.meta.url)) },
    language: { type: 'string' },
  },
});
const summarizer = createBuiltInSummarizer();

function percent(part: number, whole: number): string {
  return (whole === 0 ? '–' : ((100 * part) / whole).toFixed(0)).padStart(8);
}

const COLUMNS = 'items right   prec    recall   owner     due  urgency  mood  waiting   R-1     R-2     R-L';

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
    percent(score.sentiment, days),
    percent(score.waiting, score.waitingKnown),
    ...[score.rouge1, score.rouge2, score.rougeL].map(sum => ((100 * sum) / days).toFixed(1).padStart(8)),
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
  const told = (name: 'urgency' | 'sentiment' | 'waiting') =>
    labels[name] === found[name] ? `${labels[name]}` : `${found[name]} (IS ${labels[name]})`;
  return [
    `===== ${day.title}`,
    ...request.messages.map(({ id, senderName, text }) => `${id} ${senderName.split(' ')[0]}: ${text}`),
    ...matched,
    ...wrong.map(item => `  WRONG  ${itemLine(item)}`),
    `  ${told('urgency')} ${structured.urgencyReason ?? ''} · ${told('sentiment')} · waiting ${told('waiting')} · ${structured.topics.join(', ')}`,
    `  SUMMARY ${digest.summary}`,
    `  IDEAL   ${labels.ideal}`,
    '',
  ].join('\n');
}

async function report(name: string, days: LabelledDay[] | null): Promise<string> {
  if (!days) return `${name}: no data, nothing to compare with.`;
  const chosen = days.filter(({ language }) => !options.language || language === options.language);
  const judged: Judged[] = [];
  for (const day of chosen) judged.push(judge(day, await summarizer.summarize(day.request)));
  const languages = [...new Set(chosen.map(({ language }) => language))];
  const rows = languages.map(language => row(language, scoreOf(judged.filter(({ day }) => day.language === language))));
  return [
    ...(options.show ? judged.map(show) : []),
    name,
    `${''.padEnd(14)}days ${COLUMNS}`,
    ...(languages.length > 1 ? rows : []),
    row('all', scoreOf(judged)),
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const data = (file: string) => join(options.data, file);
  const sets: [string, LabelledDay[] | null][] = options.set
    ? [[options.set, readLabelledChats(options.set)]]
    : [
        ['labelled-chats.json', readLabelledChats(data('labelled-chats.json'))],
        ['action-items.json', readLabelledExport(data('action-items.json'), data('telegram-export.json'))],
      ];
  for (const [name, days] of sets) process.stdout.write(`${await report(name, days)}\n`);
}

await main();
