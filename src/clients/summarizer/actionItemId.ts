import { createHash } from 'node:crypto';

/**
 * Ids for the items of one digest: the same for the same words of the same message, so that a tick survives a rewrite.
 * Several items of the same words are told apart by their order.
 */
export function actionItemIds(): (messageId: string, words: string[]) => string {
  const given = new Map<string, number>();
  return (messageId, words) => {
    const sentence = `${messageId}:${words.join(' ')}`;
    const count = (given.get(sentence) ?? 0) + 1;
    given.set(sentence, count);
    const key = count > 1 ? `${sentence}:${count}` : sentence;
    return createHash('sha256').update(key).digest('hex').slice(0, 16);
  };
}
