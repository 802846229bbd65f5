import { createHash } from 'node:crypto';

/**
 * The same for the same sentence of the same message, whoever finds the item, so that a tick survives a rewrite.
 * @param words of the sentence, folded
 * @param count tells apart several items of one sentence, from 1
 */
export function actionItemId(messageId: string, words: string[], count = 1): string {
  const key = `${messageId}:${words.join(' ')}${count > 1 ? `:${count}` : ''}`;
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
