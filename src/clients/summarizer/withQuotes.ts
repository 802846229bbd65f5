import { shorten } from '../../lib/words.ts';
import type { MessengerMessage } from '../messenger/types.ts';
import { cleanText } from './cleaning.ts';
import { hasMask } from './masking/mask.ts';
import type { Closing, QuotedClosing } from './types.ts';

const MAX_QUOTE_LENGTH = 120;
/** Longer texts are cut before they are searched. */
export const MAX_READ_LENGTH = 1000;

/** Adds the words of the last message that each closing rests on, as a page may show them; of a bare file, its name. */
export function withQuotes(closings: Closing[], messages: readonly MessengerMessage[]): QuotedClosing[] {
  const byId = new Map(messages.map(message => [String(message.id), message]));
  return closings.map(closing => {
    const { text = '', media } = byId.get(closing.messageIds.at(-1) ?? '') ?? {};
    return { ...closing, quote: shortenQuote(text) || shortenQuote(media?.name ?? '') };
  });
}

/** A message's words, as short as a page may show them; '' where there are none, or none that may be shown. */
export function shortenQuote(text: string): string {
  const words = cleanText(text.slice(0, MAX_READ_LENGTH)).replaceAll(/\s+/g, ' ');
  return hasMask(words) ? '' : shorten(words, MAX_QUOTE_LENGTH);
}
