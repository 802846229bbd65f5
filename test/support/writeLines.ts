import type { Service } from './service.ts';

export type Line = [from: number, text: string];

/** New messages of a conversation in the world `test`, in their order. @param key as `user:2001` */
export function writeLines({ sandbox }: Service, key: string, lines: Line[]) {
  return sandbox.addMessages(
    'test',
    key,
    lines.map(([from, text]) => ({ from, text })),
  );
}
