import { mediaInText } from './mediaInText.ts';
import type { Service } from './service.ts';

export type WorldLine = [from: number, text: string];

/** New messages of a conversation in the world `test`, in their order; media as {@link mediaInText} reads them. @param key as `user:2001` */
export function writeLines({ sandbox }: Service, key: string, lines: WorldLine[]) {
  return sandbox.addMessages(
    'test',
    key,
    lines.map(([from, line]) => {
      const { text, media } = mediaInText(line);
      if (!media) return { from, text };
      const { kind, name } = media;
      return kind === 'sticker' ? { from, text: name, media: kind } : { from, text, media: kind, fileName: name || null };
    }),
  );
}
