import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import { print } from '../support/ground.ts';

/*
 * Every word, short form and cue of every language, 4,096 characters of it over and over in one message: the slowest
 * twenty, in milliseconds of CPU. Fails when one takes longer than a message may.
 *
 *   node bench/words/index.ts
 *   node bench/words/index.ts --every 10
 */

const { values } = parseArgs({ options: { every: { type: 'string', default: '1' } } });

const DATA = new URL('../../src/clients/summarizer/languages/data/', import.meta.url);
const LONGEST = 4096;
const MOST_MS = 100;

const summarizer = createBuiltInSummarizer();

/** The texts and the keys of the words in a language's data. */
function piecesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(piecesIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...piecesIn(inner)]);
}

/** As someone would write it: one of the choices of a cue, without the signs of the notation. */
function written(piece: string): string {
  return piece.replaceAll(/\/[^ ]*|[*^$]/g, '').replaceAll('...', ' ');
}

async function milliseconds(text: string): Promise<number> {
  const message = { id: 1, fromUser: false, senderName: 'Sam', text, forwarded: false, sentAt: new Date(0) };
  const who = { peerName: 'Sam', userName: 'Alex', isGroup: false, style: 'BUSINESS', timezone: 'UTC' } as const;
  const before = process.threadCpuUsage();
  await summarizer.summarize({ ...who, messages: [message] });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const files = readdirSync(DATA);
const pieces = files.flatMap(file => piecesIn(JSON.parse(readFileSync(new URL(file, DATA), 'utf8'))));
const texts = [...new Set(pieces.map(written))].filter((text, n) => text && n % Number(values.every) === 0);
const results: { piece: string; ms: number }[] = [];
for (const piece of texts) {
  const text = `${piece} `.repeat(LONGEST).slice(0, LONGEST);
  let ms = await milliseconds(text);
  // The first text of a language compiles its patterns, and any may wait for the collector.
  if (ms > MOST_MS / 2) ms = Math.min(ms, await milliseconds(text));
  results.push({ piece, ms });
}
results.sort((a, b) => b.ms - a.ms);
print(`${texts.length} texts of ${LONGEST} characters; the slowest:`);
for (const { piece, ms } of results.slice(0, 20)) print(`  ${ms.toFixed(0).padStart(5)} ms  ${piece}`);
const total = results.reduce((sum, { ms }) => sum + ms, 0);
print(`${(total / texts.length).toFixed(1)} ms on average`);
if ((results[0]?.ms ?? 0) > MOST_MS) process.exitCode = 1;
