import type { ClientError } from '../../clients/errors.ts';
import type { CrmConnection } from '../crm/schema.ts';

type Move = { from: readonly string[]; to: string };

/** A kind of record that goes to the CRM. */
export type Kind = {
  name: 'notes' | 'tasks';
  table: 'outbox_notes' | 'outbox_tasks';
  /** The moves of its rows; the outbox makes these itself. */
  moves: Record<'drop' | 'writeAgain' | 'outdate' | 'refuse', Move>;
  /** The switch of the connection that lets it be written, where there is one. */
  writtenIf?: 'tasksWrite';
};

/** Whether records of this kind can be written now. */
export function mayWrite({ writtenIf }: Kind, connection: Pick<CrmConnection, 'status' | 'tasksWrite'>): boolean {
  return connection.status === 'active' && (writtenIf === undefined || connection[writtenIf]);
}

/** Seconds before the next try. A call that may still come through late is given time to do so. */
export function pauseAfter(err: ClientError): number {
  if (err.kind === 'rateLimited') return err.retryAfterSeconds ?? 10;
  if (err.kind === 'temporary') return 5;
  return err.kind === 'auth' ? 1 : 60;
}
