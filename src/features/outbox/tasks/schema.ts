import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import { knownNameOf } from '../../messenger/dialogs/rules.ts';
import { claimedRecord } from '../schema.ts';

/**
 * `waiting`: to be created; `written`: the CRM has it as it is; `outdated`: the CRM has it, the promise has changed;
 * `unwanted`: to be archived; `archived`: was archived, and is created again if the promise reopens; `gone`: a person
 * deleted it in the CRM, and it is not created again; `failed`: the CRM does not accept it.
 */
export const TASK_STATES = ['waiting', 'written', 'outdated', 'unwanted', 'archived', 'gone', 'failed'] as const;
export type TaskRowState = (typeof TASK_STATES)[number];

/** A task that this process works on, and what its promise says now. */
const claimed = claimedRecord
  .extend({
    promiseId: z.string(),
    /** The value of `isCompleted` that an unclear call was to set. */
    pendingCompleted: z.boolean().nullable(),
    /** Whether the CRM has it as completed, as far as we know, and the time that the CRM gave for it. */
    isCompleted: z.boolean(),
    crmCompletedAt: z.string(),
    /** The user reworded it after the last write, or took that back. */
    isReworded: z.boolean(),
    /** The promise is in words that the user wrote. */
    isOwn: z.boolean(),
    writtenDueAt: z.date().nullable(),
    /** The promise's current text; null for a quote not to be shown in the CRM. */
    subject: z.string().nullable(),
    /** Null where it has no day any more. */
    dueAt: z.date().nullable(),
    isDone: z.boolean(),
    isUrgent: z.boolean(),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string(),
  })
  .transform(({ peerName, peerUsername, peerPhone, ...row }) => ({
    ...row,
    /** May be ''. */
    peerName: knownNameOf({ peerName, peerUsername, peerPhone }),
  }));
export const claimedRow = rowReader(claimed);
export type ClaimedTask = z.output<typeof claimed>;
