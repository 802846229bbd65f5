/**
 * How well the service knows what became of promises on later days, and who waits at the end of each day:
 * `node bench/stories/index.ts --set FILE [--show] [--language CODE]`. It lives conversations of several days, written
 * and labelled by people, day by day through the daily sync's own planning, reading and recording, over a database of
 * its own. A commitment counts as stored where a promise rests on the message that made it, or on the request before it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { print, withGround } from '../support/ground.ts';
import { type Judged, judge, type Verdict } from './judge.ts';
import { type Evening, type Kept, live } from './live.ts';
import { readStories, type Story } from './read.ts';

const { values: options } = parseArgs({
  options: { set: { type: 'string' }, show: { type: 'boolean', default: false }, language: { type: 'string' } },
});
if (options.set === undefined) throw new Error('Name a file of stories: --set FILE');
const all = readStories(readFileSync(options.set, 'utf8'));
const stories = all.filter(({ language }) => !options.language || language === options.language);

const verdicts: Verdict[] = [];
await withGround(async ({ db }) => {
  for (const story of stories) {
    const evenings = await live(db, story);
    const verdict = judge(story, evenings);
    verdicts.push(verdict);
    if (options.show) show(story, evenings, verdict);
  }
});
report(verdicts);

function report(of: Verdict[]): void {
  const judged = of.flatMap(verdict => verdict.judged);
  const stored = judged.filter(({ told }) => told !== 'notStored');
  const count = (from: Judged[], test: (one: Judged) => boolean) => from.filter(test).length;
  const told = (from: Judged[]) =>
    (['closed', 'asked', 'nothing'] as const).map(way => `${way} ${count(from, one => one.told === way)}`).join(', ');
  const [later, sameDay] = (['settledLater', 'sameDay'] as const).map(is => stored.filter(one => one.is === is));
  if (!later || !sameDay) return;
  const seen = count(later, one => (one.told === 'closed' && !one.isWrong) || one.told === 'asked');
  const unlabelled = of.flatMap(verdict => verdict.unlabelled);
  const waits = of.flatMap(verdict => verdict.waits);
  const waiting = waits.filter(day => day.waiting.length > 0);
  const messages = waits.flatMap(day => day.told.map(id => day.waiting.includes(id)));
  const lines = [
    `${of.length} stories, ${judged.length} commitments, ${stored.length} of them stored`,
    `settled on a later day: ${count(judged, ({ is }) => is === 'settledLater')}, stored ${later.length}: ${told(later)}`,
    `seen of those stored: ${seen}/${later.length}, asked with the words that settled it: ${count(later, one => one.told === 'asked' && one.isShown)}`,
    `WRONG closings: ${count(stored, ({ isWrong }) => isWrong)}`,
    `needless questions: ${count(stored, ({ isNeedless }) => isNeedless)}`,
    `settled the same day: ${count(judged, ({ is }) => is === 'sameDay')}, stored ${sameDay.length}: ${told(sameDay)}`,
    `stored and not labelled: ${unlabelled.length}, closed ${unlabelled.filter(({ state }) => state !== 'open').length}, asked ${unlabelled.filter(({ isDoubtful }) => isDoubtful).length}`,
    `waiting at the end of a day: ${waiting.length}/${waits.length}, found ${waiting.filter(day => day.told.length > 0).length}, FALSE ${waits.filter(day => day.waiting.length === 0 && day.told.length > 0).length}`,
    `messages that wait: ${waits.flatMap(day => day.waiting).length}, found ${messages.filter(Boolean).length}, false ${messages.filter(isOne => !isOne).length}`,
  ];
  print(lines.join('\n'));
}

function show(story: Story, evenings: Evening[], { judged, unlabelled, waits }: Verdict): void {
  print(`===== ${story.id} ${story.language} ${story.user} with ${story.title}`);
  for (const { date, messages } of story.days) {
    print(`-- ${date}`);
    for (const { id, from, text, replyTo, file } of messages)
      print(`${id} ${from}: ${file ? `[${file}] ` : ''}${text}${replyTo ? ` (to ${replyTo})` : ''}`);
  }
  for (const { commitment, promise, is, told, isWrong, isNeedless } of judged) {
    const { by, what, saidIn, settledIn, how } = commitment;
    const marks = `${isWrong ? ' WRONG' : ''}${isNeedless ? ' NEEDLESS' : ''}`;
    print(`  ${is}, ${told}${marks}: ${by} ${saidIn}>${settledIn ?? '-'} ${how ?? ''} ${what}`);
    if (promise) print(`      ${wordsOf(promise)} | ${evenings.map(evening => stateOf(promise, evening)).join(' > ')}`);
  }
  for (const promise of unlabelled)
    print(`  not labelled: ${wordsOf(promise)} | ${evenings.map(evening => stateOf(promise, evening)).join(' > ')}`);
  for (const { date, waiting, told } of waits)
    if (waiting.length + told.length > 0) print(`  waiting ${date}: ${waiting.join()} told ${told.join()}`);
}

function wordsOf({ direction, who, words, dueDate, sourceMessageIds, requestId }: Kept): string {
  const owner = who ? `${direction} ${who}` : direction;
  return `[${owner}] ${words}${dueDate ? ` by ${dueDate}` : ''} (${sourceMessageIds.join()}${requestId ? `, asked in ${requestId}` : ''})`;
}

function stateOf({ id }: Kept, { promises }: Evening): string {
  const then = promises.find(promise => promise.id === id);
  if (!then) return '';
  const on = then.evidence ? ` ${then.evidence.messageIds.join()}` : '';
  return `${then.isDoubtful ? 'asked' : (then.reason ?? (then.movedFrom ? 'moved' : then.state))}${on}`;
}
