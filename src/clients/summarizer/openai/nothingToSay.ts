import type { Conversation } from '../conversation.ts';
import { mediaInWords } from '../media.ts';

/** An honest sentence for a day without a sentence worth telling. */
export function nothingToSay({ utterances, speakers, messageCount }: Conversation): string {
  if (messageCount === 0) return 'No messages.';
  const media = utterances.flatMap(utterance => utterance.media ?? []);
  const words = utterances.filter(({ sentences }) => sentences.length > 0).length;
  if (words === 0)
    return media.length > 0 ? `${capitalized(mediaInWords(media))}, no text.` : 'Nothing that can be put in words.';
  const messages = words === 1 ? 'one short message' : `${words} short messages`;
  const besides = media.length > 0 ? `, and ${mediaInWords(media)}` : '';
  return `${speakers.slice(0, 3).join(', ')}: ${messages} with nothing to quote${besides}.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
