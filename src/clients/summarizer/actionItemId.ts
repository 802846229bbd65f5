import { createHash } from 'node:crypto';

/**
 * Stable ids for a digest's items: the same words of the same message get the same id, so that a tick survives a rewrite.
 * Repeated words are numbered.
 */
export function actionItemIds(): (messageId: string, words: string[]) => string {
  const counts = new Map<string, number>();
  return (messageId, words) => {
    const sentence = `${messageId}:${words.join(' ')}`;
    const count = (counts.get(sentence) ?? 0) + 1;
    counts.set(sentence, count);
    const key = count > 1 ? `${sentence}:${count}` : sentence;
    return createHash('sha256').update(key).digest('hex').slice(0, 16);
  };
}
