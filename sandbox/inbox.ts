import { join } from 'node:path';
import { z } from 'zod';
import { openStore } from './store.ts';

const arrival = z.object({ id: z.number(), at: z.iso.datetime() });

/** A message with its number and the time it arrived. */
export type Arrived<Content> = Content & z.output<typeof arrival>;

/** The newest 200 messages that arrived at a sandbox server, oldest first. */
export type Inbox<Content> = { messages(): readonly Arrived<Content>[]; add(content: Content): Arrived<Content> };

const MAX_KEPT = 200;

/**
 * @param name the file's name
 * @param stateDir without it, messages don't survive the process
 */
export function openInbox<Content>(
  name: string,
  stateDir: string | undefined,
  content: z.ZodType<Content>,
  fresh: string,
): Inbox<Content> {
  const store = stateDir === undefined ? undefined : openInboxStore(join(stateDir, name), content, fresh);
  const entries = store?.entries ?? new Map<string, Arrived<Content>>();
  let newestId = [...entries.values()].at(-1)?.id ?? 0;
  const forgetOldest = () => {
    for (const key of [...entries.keys()].slice(0, -MAX_KEPT)) entries.delete(key);
  };
  forgetOldest();
  return {
    messages: () => [...entries.values()],
    add(added) {
      newestId += 1;
      const message = { id: newestId, at: new Date().toISOString(), ...added };
      entries.set(String(message.id), message);
      forgetOldest();
      store?.put([message]);
      return message;
    },
  };
}

function openInboxStore<Content>(path: string, content: z.ZodType<Content>, fresh: string) {
  const schema: z.ZodType<Arrived<Content>> = arrival.and(content);
  return openStore({ file: `${path}.jsonl`, schema, keyOf: ({ id }) => String(id), fresh });
}
