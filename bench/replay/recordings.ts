import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SummaryRequest } from '../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../test/support/mediaInText.ts';

/** A prompt that was sent, turned back into what it was made of, and what the model answered. */
export type Recording = { name: string; request: SummaryRequest; answer: Answer; text: string };

const said = z.object({ text: z.string(), lines: z.array(z.number()) });
const answer = z.object({
  summary: z.string(),
  actionItems: z.array(
    said.extend({
      owner: z.string(),
      ownerName: z.string().nullable(),
      dueText: z.string().nullable(),
      dueDate: z.string().nullable(),
    }),
  ),
  meetings: z.array(said.extend({ dateText: z.string().nullable(), date: z.string().nullable() })),
});
export type Answer = z.output<typeof answer>;

const chatLine = z.object({ chat: z.object({ with: z.string(), isGroup: z.boolean(), user: z.string() }) });
const messageLine = z.object({
  n: z.int().positive(),
  from: z.string(),
  at: z.string(),
  text: z.string(),
  forwarded: z.boolean().default(false),
});

/** null when the folder is not there. Throws for a prompt without its answer, or one that can't be read. */
export function readRecordings(folder: string): Recording[] | null {
  const prompts = join(folder, 'prompts');
  if (!existsSync(prompts)) return null;
  const names = readdirSync(prompts).filter(file => file.endsWith('.txt'));
  return names.sort().map(file => {
    const name = file.slice(0, -'.txt'.length);
    const text = readFileSync(join(folder, 'answers', `${name}.json`), 'utf8');
    return { name, text, answer: answer.parse(JSON.parse(text)), request: requestOf(read(join(prompts, file)), name) };
  });
}

function read(path: string): unknown[] {
  const [, data = ''] = /\nBEGIN \w+\n([\s\S]*?)\nEND \w+\n/.exec(readFileSync(path, 'utf8')) ?? [];
  return data.split('\n').map(line => JSON.parse(line));
}

/** The numbers of the lines become the ids of the messages. Recorded in UTC. */
function requestOf([first, ...others]: unknown[], name: string): SummaryRequest {
  const { chat } = chatLine.parse(first);
  const messages = others.map(line => {
    const { n, from, at, text, forwarded } = messageLine.parse(line);
    const [, side, senderName = name] = /^(user|contact): ([\s\S]*)$/.exec(from) ?? [];
    const sentAt = new Date(`${at.slice(0, 16).replace(' ', 'T')}Z`);
    return { id: n, sentAt, fromUser: side === 'user', senderName, ...mediaInText(text), forwarded };
  });
  return {
    peerName: chat.with,
    userName: chat.user,
    isGroup: chat.isGroup,
    messages,
    style: 'BUSINESS',
    timezone: 'UTC',
  };
}
