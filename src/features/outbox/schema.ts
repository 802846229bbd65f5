import { z } from 'zod';
import type { CrmFailure } from '../../lib/failures.ts';
import { type QueueDefinition, SCHEDULED } from '../../lib/queue.ts';

/** Looks every few minutes for notes and tasks that no process is about to write. */
export const OUTBOX_SWEEP_QUEUE = {
  name: 'outbox-sweep',
  cron: '*/5 * * * *',
  ...SCHEDULED,
} as const satisfies QueueDefinition;

/** The states of a record to be removed or written: removals first, so that a moved record is never on two contacts. */
export const PENDING_STATES = ['unwanted', 'waiting', 'outdated'] as const;
export type PendingState = (typeof PENDING_STATES)[number];

/** A record that a process has claimed, of either kind. */
export const claimedRecord = z.object({
  id: z.string(),
  dialogId: z.string(),
  contactId: z.string(),
  /** The record's id in the CRM; null where the CRM has none, as far as we know. */
  crmId: z.string().nullable(),
  /** A call was sent, and it is unknown whether the CRM carried it out. */
  isUnclear: z.boolean(),
});
export type ClaimedRecord = z.output<typeof claimedRecord>;

export type WrittenRecord = { id: string; crmId: string };

/** Why records could not be written. */
export type OutboxFailure = { failure: CrmFailure };
/** Why records could not be written, with the conversations that it concerns. */
export type DeliveryFailure = OutboxFailure & { dialogIds: string[] };

export type RecordKind = {
  name: 'notes' | 'tasks';
  table: 'outbox_notes' | 'outbox_tasks';
  /** The moves of its rows; the outbox makes these itself. */
  transitions: Record<'drop' | 'writeAgain' | 'outdate' | 'refuse', { from: readonly string[]; to: string }>;
  /** The switch of the connection that lets it be written, where there is one. */
  writtenIf?: 'tasksWrite';
};
