/**
 * How close the built-in summaries come to what people wrote about the same conversations, beside two plain baselines.
 * `node bench/summaries.ts [folder with telegram-export.json and reference-summaries.json]`
 */
import { fileURLToPath } from 'node:url';
import { createBuiltInSummarizer } from '../src/clients/summarizer/builtIn/summarizer.ts';
import { type ReferenceDay, readReferenceDays } from './conversations.ts';
import { type RougeScores, rouge } from './rouge.ts';

type Contender = { name: string; write: (day: ReferenceDay) => string | Promise<string> };
type Result = RougeScores & { name: string; words: number };

const folder = process.argv[2] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const summarizer = createBuiltInSummarizer();

const BASELINES: Contender[] = [
  {
    name: 'first three utterances',
    write: day =>
      firstThree(day)
        .map(({ text }) => text)
        .join(' '),
  },
  {
    name: 'longest three utterances',
    write: day =>
      longestThree(day)
        .map(({ text }) => text)
        .join(' '),
  },
  { name: 'first three, with names', write: day => withNames(firstThree(day)) },
  { name: 'longest three, with names', write: day => withNames(longestThree(day)) },
];

const BUILT_IN: Contender[] = (['BUSINESS', 'DETAILED', 'MINIMAL'] as const).map(style => ({
  name: `built-in ${style}`,
  write: async day => (await summarizer.summarize({ ...day, isGroup: false, style, timezone: 'UTC' })).summary,
}));

function firstThree(day: ReferenceDay) {
  return day.messages.slice(0, 3);
}

function longestThree(day: ReferenceDay) {
  const longest = day.messages.toSorted((a, b) => b.text.length - a.text.length).slice(0, 3);
  return day.messages.filter(message => longest.includes(message));
}

function withNames(messages: ReferenceDay['messages']): string {
  return messages.map(({ senderName, text }) => `${senderName}: ${text}`).join(' ');
}

async function measure({ name, write }: Contender, days: ReferenceDay[]): Promise<Result> {
  const sum = { rouge1: 0, rouge2: 0, rougeL: 0, words: 0 };
  for (const day of days) {
    const text = await write(day);
    const scores = rouge(text, day.summaries);
    sum.rouge1 += scores.rouge1 / days.length;
    sum.rouge2 += scores.rouge2 / days.length;
    sum.rougeL += scores.rougeL / days.length;
    sum.words += text.split(/\s+/).length / days.length;
  }
  return { name, ...sum };
}

function row({ name, rouge1, rouge2, rougeL, words }: Result): string {
  const figures = [rouge1, rouge2, rougeL].map(figure => (100 * figure).toFixed(2).padStart(9));
  return `${name.padEnd(28)}${figures.join('')}${words.toFixed(1).padStart(9)}`;
}

function verdict(builtIn: Result, baselines: Result[]): string {
  const measures = ['rouge1', 'rouge2', 'rougeL'] as const;
  const ratios = measures.map(measure => builtIn[measure] / Math.max(...baselines.map(baseline => baseline[measure])));
  const said = ratios.map((ratio, index) => `${measures[index]} ${ratio.toFixed(2)}`).join(', ');
  const beaten = ratios.every(ratio => ratio > 1);
  return `${builtIn.name} against the best baseline of each measure: ${said}. ${beaten ? 'Beats' : 'DOES NOT BEAT'} all.`;
}

async function main(): Promise<void> {
  const days = readReferenceDays(folder);
  if (!days) return void process.stdout.write(`No reference summaries in ${folder}: nothing to compare with.\n`);
  const baselines: Result[] = [];
  for (const contender of BASELINES) baselines.push(await measure(contender, days));
  const builtIn: Result[] = [];
  for (const contender of BUILT_IN) builtIn.push(await measure(contender, days));
  const [business] = builtIn;
  const lines = [
    `ROUGE F1 x 100, stemmed, best over the references, mean of ${days.length} days of a conversation.`,
    'Names: who writes first is #Person1#, the other #Person2#, as in the references.',
    '',
    `${''.padEnd(28)}  ROUGE-1  ROUGE-2  ROUGE-L    words`,
    ...[...baselines, ...builtIn].map(row),
    '',
    business ? verdict(business, baselines) : '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (business && verdict(business, baselines).includes('DOES NOT')) process.exitCode = 1;
}

await main();
