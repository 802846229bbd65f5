import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { StartError } from '../../src/lib/startError.ts';

const botText = z.object({ id: z.number(), at: z.iso.datetime(), text: z.string() });

/** A message in the operator's chat, as it is read there. */
export type BotText = z.output<typeof botText>;

export type BotInbox = { messages(): BotText[]; add(text: string): BotText };

const MOST_KEPT = 200;

/** The newest messages, over a restart too when there is a folder. */
export function openInbox(stateDir: string | undefined): BotInbox {
  const file = stateDir === undefined ? undefined : join(stateDir, 'messages.json');
  if (stateDir !== undefined) mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  let messages = file !== undefined && existsSync(file) ? readMessages(file) : [];
  return {
    messages: () => messages,
    add(text) {
      const added = { id: (messages.at(-1)?.id ?? 0) + 1, at: new Date().toISOString(), text };
      messages = [...messages, added].slice(file === undefined ? 0 : -MOST_KEPT);
      if (file !== undefined) writeFileAtomic.sync(file, JSON.stringify(messages), { mode: 0o600, fsync: false });
      return added;
    },
  };
}

function readMessages(file: string): BotText[] {
  try {
    return z.array(botText).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(`${file} can't be read. Remove it to begin with no alerts.`);
  }
}
