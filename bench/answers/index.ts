import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import type { createOpenAiSummarizer } from '../../src/clients/summarizer/openai.ts';
import { type Habits, SERVERS } from '../../test/support/ai/habits.ts';
import { honestModel } from '../../test/support/ai/model.ts';
import { startAiSandbox, whoIn } from '../../test/support/ai/server.ts';
import { FAILURES, OBEYED } from './failures.ts';
import { type Chat, chatsOf, randomFrom, shuffled, withHostileWords } from './world.ts';

/*
 * 300 conversations of 20 users over a model that fails now and then in each way. Of those that the server answered
 * properly, how many were written by it: after each single failure (all requests about one stranger's
 * conversation, the others afterwards), and with one conversation in ten failing once or always, in several orders. Fails
 * below 97 of 100. With AGAINST, another checkout of this repository, its figure is beside it.
 *
 *   node bench/answers/index.ts [--orders 10] [--conversations 300] [--against FOLDER]
 */

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '300' },
    orders: { type: 'string', default: '10' },
    against: { type: 'string' },
  },
});
const USERS = 20;
const AT_ONCE = 8;
const LEAST = 0.97;
/** One in so many conversations fails. */
const FAILING = 10;
const CALL_MS = 2000;

type Create = typeof createOpenAiSummarizer;
type Failing = Map<Chat, { failure: string; isOnce: boolean }>;
/** `missed`: the failures that the others met. */
type Result = { written: number; answered: number; missed: string[] };

const print = (line: string) => process.stdout.write(`${line}\n`);
const share = ({ written, answered }: Result) => written / Math.max(1, answered);
const shown = (result: Result) =>
  `${(100 * share(result)).toFixed(1).padStart(5)} of 100 (${result.written} of ${result.answered})`;

async function load(folder: string): Promise<Create> {
  const module = await import(resolve(folder, 'src/clients/summarizer/openai.ts'));
  return module.createOpenAiSummarizer;
}

/** A new process's summarizer, a new server, and every conversation once. */
async function measure(
  create: Create,
  habits: Habits,
  chats: Chat[],
  failing: Failing,
  isFirstAlone: boolean,
): Promise<Result> {
  const ai = await startAiSandbox({
    habits,
    script: request =>
      request.user.includes(OBEYED) ? { ...Object(honestModel(request)), code: '' } : honestModel(request),
  });
  for (const [{ name }, { failure, isOnce }] of failing) {
    const fault = FAILURES[failure];
    if (fault === undefined || fault === 'obeyed') continue;
    if (isOnce) ai.faults.next({ ...fault, about: name });
    else ai.faults.always({ ...fault, about: name });
  }
  const summarizer = create({
    ...{ apiKey: 'bench', model: 'the model', apiUrl: ai.url, callTimeoutMs: CALL_MS, report: () => undefined },
  });
  const engines = new Map<string, string>();
  const write = async ({ name, request }: Chat) => {
    const { engine } = await summarizer.summarize(request).catch(() => ({ engine: 'failed' }));
    engines.set(name, engine);
  };
  const [first, ...others] = chats;
  if (first && isFirstAlone) await write(first);
  const limit = pLimit(AT_ONCE);
  await Promise.all((isFirstAlone ? others : chats).map(chat => limit(() => write(chat))));
  const answered = new Set(ai.requests().flatMap(request => (request.isAnswered ? whoIn(request) : [])));
  await ai.stop();
  // What doesn't fail counts, asked for or not: a worker that asks no more would have no failures.
  const due = chats.filter(chat => !failing.has(chat) || answered.has(chat.name));
  const missed = due.filter(({ name }) => engines.get(name) !== 'the model');
  return {
    written: due.length - missed.length,
    answered: due.length,
    missed: missed.map(chat => failing.get(chat)?.failure ?? 'none'),
  };
}

const ours = await load(resolve(import.meta.dirname, '../..'));
const theirs = values.against === undefined ? undefined : await load(values.against);
const all = chatsOf(Number(values.conversations), USERS);
let worst = 1;

async function compare(
  what: string,
  habits: Habits,
  chats: Chat[],
  failing: Failing,
  isFirstAlone: boolean,
): Promise<void> {
  const result = await measure(ours, habits, chats, failing, isFirstAlone);
  worst = Math.min(worst, share(result));
  const before = theirs && (await measure(theirs, habits, chats, failing, isFirstAlone));
  const missed = result.missed.length > 0 ? `   missed: ${result.missed.join(', ')}` : '';
  print(`${what.padEnd(40)} ${shown(result)}${before ? `   before: ${shown(before)}` : ''}${missed}`);
}

print(`After one conversation with all requests failing, ${all.length} conversations of ${USERS} users:`);
for (const failure of Object.keys(FAILURES)) {
  const [first, ...others] = all;
  if (!first) continue;
  const stranger = withHostileWords(first, FAILURES[failure] === 'obeyed');
  await compare(failure, {}, [stranger, ...others], new Map([[stranger, { failure, isOnce: false }]]), true);
}

const names = Object.keys(FAILURES);
for (const [server, habits] of [
  ['one with room for all', {}],
  ['Ollama, 4,096 tokens', SERVERS.Ollama],
  ['llama.cpp, 4,096 tokens', SERVERS['llama.cpp']],
] satisfies [string, Habits][]) {
  print(`With one in ten failing, each order another: ${server}`);
  for (let order = 1; order <= Number(values.orders); order += 1) {
    const random = randomFrom(order);
    const failing: Failing = new Map();
    const chats = shuffled(all, random).map((chat, index) => {
      if (index % FAILING !== 0) return chat;
      const failure = names[Math.floor(random() * names.length)] ?? '';
      const hostile = withHostileWords(chat, FAILURES[failure] === 'obeyed');
      failing.set(hostile, { failure, isOnce: random() < 0.5 });
      return hostile;
    });
    await compare(`order ${order}`, habits, shuffled(chats, random), failing, false);
  }
}
print(`The worst: ${(100 * worst).toFixed(1)} of 100.`);
process.exitCode = worst < LEAST ? 1 : 0;
