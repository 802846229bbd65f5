import type { Db } from '../../../../src/lib/db.ts';

let messages = 1000;

type StoredQuestion = { dialogId: string; words?: string; askedAt: string; messageId?: number };

/** As a sync would have written it. @returns the id of the message that asks */
export async function storeQuestion(db: Db, userId: string, { dialogId, words, askedAt, messageId }: StoredQuestion) {
  const id = messageId ?? ++messages;
  const question = { dialog_id: dialogId, message_id: id, user_id: userId, asked_at: askedAt };
  await db('waiting_questions').insert({ ...question, words: words ?? 'Asks for the price.' });
  return String(id);
}
