/**
 * How well questions are answered without a model: `node bench/ask/index.ts [--data FOLDER] [--show]`. One person has all chats
 * of the demo and of the folder; the questions were written from the chats alone (questions.txt). A question is answered when one
 * of the first three passages rests on a message that answers it. Those whose answer no digest holds are counted apart.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Passage } from '../../src/features/pages/ask/passages.ts';
import { askDigests } from '../../src/features/pages/ask/service.ts';
import { print, withGround } from '../support/ground.ts';
import { fillWorld, type Place, readDays, TODAY } from './world.ts';

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: { data: { type: 'string', default: beside('../../../shared/data') }, show: { type: 'boolean', default: false } },
});
const FIRST = 3;

type Question = { language: string; typed: string; places: Place[] };

function readQuestions(): Question[] {
  const lines = readFileSync(beside('questions.txt'), 'utf8').split('\n');
  return lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [language = '', typed = '', where = ''] = line.split(' | ');
      const places = where === '-' ? [] : where.split(' ; ').map(placeOf);
      return { language, typed, places };
    });
}

function placeOf(where: string): Place {
  const [set, chat, messages = ''] = where.trim().split(' ');
  return { chat: `${set} ${chat}`, messages: messages.split(',').map(Number) };
}

await withGround(async ({ db }) => {
  const { userId, chatOf, held } = await fillWorld(db, readDays(options.data));
  const clock = { now: () => new Date(`${TODAY}T20:00:00Z`) };
  const counts = { answered: 0, mentioned: 0, answerable: 0, notHeld: 0, notHeldButOffered: 0, calm: 0, none: 0 };
  const times: number[] = [];
  for (const { language, typed, places } of readQuestions()) {
    const begun = performance.now();
    const { passages, mentions, question } = await askDigests({ db, clock }, { userId, typed });
    times.push(performance.now() - begun);
    const isRight = (passage: Passage) => {
      const chat = chatOf.get(passage.dialogId ?? '');
      return places.some(place => place.chat === chat && place.messages.some(id => passage.messageIds.includes(String(id))));
    };
    const isHeld = places.some(({ chat, messages }) => messages.some(id => held.get(chat)?.has(String(id))));
    const found = passages.slice(0, FIRST).some(isRight);
    let mark: string;
    if (places.length === 0) {
      counts.none += 1;
      counts.calm += Number(passages.length === 0);
      mark = passages.length === 0 ? 'ok   none' : 'WRONG offered';
    } else if (!isHeld) {
      counts.notHeld += 1;
      counts.notHeldButOffered += Number(passages.length > 0);
      mark = `-    in no digest, ${passages.length} offered`;
    } else {
      counts.answerable += 1;
      counts.answered += Number(found);
      counts.mentioned += Number(mentions.some(isRight));
      mark = found ? 'ok' : 'MISSED';
    }
    if (options.show || /MISSED|WRONG/.test(mark)) {
      print(`${mark.padEnd(14)} ${language} ${typed}   [${question.words.join(' ')}] ${question.kind}`);
      for (const { lines, score, dialogId, day } of passages.slice(0, FIRST))
        print(`                  ${score.toFixed(2)} ${chatOf.get(dialogId)} ${day} ${lines.join(' / ').slice(0, 150)}`);
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  print(
    [
      `answered among the first ${FIRST}: ${counts.answered} of ${counts.answerable} whose answer a digest holds`,
      `and among the passages that only mention it: ${counts.mentioned}`,
      `in no digest: ${counts.notHeld}, of these something else offered: ${counts.notHeldButOffered}`,
      `without an answer: nothing offered for ${counts.calm} of ${counts.none}`,
      `a question takes ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms, at most ${sorted.at(-1)?.toFixed(0)} ms`,
    ].join('\n'),
  );
});
