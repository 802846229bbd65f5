import { z } from 'zod';
import type { Reply } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { numberField } from '../../../lib/fields.ts';

export type QuestionsOfMessages = {
  dialogId: string;
  /** The first message that was read: from it on, `questions` has all questions. */
  firstMessageId: number;
  /** Everything asked before this message is answered, or needs no answer; 0 if nothing says so. */
  settledBy: number;
  /** Whoever replies to a question of their own doesn't answer it. */
  replies: Reply[];
  /** Oldest first. */
  questions: { messageId: number; askedAt: Date; words: string }[];
};

/** pg hands bigint over as text; message ids stay far below 2^53. */
const messageId = z.coerce.number().int();

/** A conversation in which someone waits for the user, by its oldest question. */
const wait = z.object({
  dialogId: z.string(),
  messageId,
  /** Message id of the newest question that has waited long enough. */
  lastMessageId: messageId,
  askedAt: z.date(),
  /** '' if no words may be shown. */
  words: z.string(),
  peerName: z.string(),
  peerUsername: z.string(),
  peerPhone: z.string(),
  peerKind: z.enum(['user', 'chat', 'channel']),
  peerKey: z.string(),
});
export const waitRow = rowReader(wait);
export type Wait = z.output<typeof wait>;

const ACTIONS = ['dismiss', 'undo'] as const;

export const changeInput = z.object({
  dialogId: z.guid('This is not the ID of a conversation.').transform(text => text.toLowerCase()),
  action: z
    .enum(ACTIONS)
    .meta({
      description:
        '`dismiss`: no answer is needed to what was asked. `undo`: takes the last `dismiss` of the conversation back.',
    }),
  lastMessageId: z
    .string()
    .regex(/^\d{1,15}$/, 'Take it from the list.')
    .optional()
    .meta({
      description: 'Of `dismiss`: what was asked after this message waits on. Without it all that is known is meant',
    }),
});
export type WaitingChange = z.output<typeof changeInput>;

export const changeForm = z.object({
  ...changeInput.pick({ action: true, lastMessageId: true }).shape,
  back: z.string().max(2000).optional().catch(undefined),
});

export const listInput = z.object({ limit: numberField(1, 100).default(50), offset: numberField(0, 10_000).default(0) });

const waitJson = z
  .strictObject({
    dialogId: z.string(),
    messageId: z.string().meta({ description: 'Of the oldest question' }),
    lastMessageId: z.string().meta({ description: 'Of the newest one that has waited as long' }),
    askedAt: z.iso.datetime(),
    question: z.string().meta({ description: 'The oldest question, as the digest tells it or in a short quotation' }),
    dialog: z.strictObject({ peerName: z.string(), peerUsername: z.string() }),
  })
  .meta({ id: 'Wait' });
export type WaitJson = z.output<typeof waitJson>;

export const waitingJson = z.strictObject({
  count: z.int().meta({ description: 'Of all conversations that wait, whatever the limit' }),
  waiting: z.array(waitJson).max(100),
});
export const changedJson = z.strictObject({ success: z.literal(true) });
