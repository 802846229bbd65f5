import type { Kind, LedgerPromise, Reason } from '../schema.ts';

const REASONS: Record<Reason, string> = {
  kept: 'Kept',
  cancelled: 'Cancelled',
  answered: 'Answered',
  handedOver: 'Someone else does it',
  replaced: 'Replaced',
  past: 'Its day is over',
};
const PAST: Record<Exclude<Kind, 'promise'>, string> = { appointment: 'Appointment, past', deadline: 'Deadline, past' };

/** When it ended: when that was said, which may be days before it was read; else when it was closed. */
export function momentClosed({ evidence, changedBy, changedAt }: LedgerPromise): Date {
  const said = evidence && changedBy === 'automatic' ? new Date(evidence.when) : changedAt;
  return Number.isNaN(said.getTime()) ? changedAt : said;
}

/** Why a promise is closed, in a few words; empty for one that is not. */
export function closedWords({ state, reason, kind }: Pick<LedgerPromise, 'state' | 'reason' | 'kind'>): string {
  if (state === 'dismissed') return 'Not a task';
  if (state === 'withdrawn') return 'No longer in a digest';
  if (!reason) return '';
  return reason === 'past' && kind !== 'promise' ? PAST[kind] : REASONS[reason];
}
