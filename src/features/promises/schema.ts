import { z } from 'zod';
import { rowReader } from '../../lib/rows.ts';

/** Whose it is to do: the user's, the other side's, or nobody was named. */
export const DIRECTIONS = ['mine', 'theirs', 'unassigned'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * `dismissed` was no promise; `snoozed` is open again from a day on; `withdrawn` is no longer said by the digest that said
 * it, since that was rewritten.
 */
export const PROMISE_STATES = ['open', 'done', 'cancelled', 'dismissed', 'snoozed', 'withdrawn'] as const;
export type PromiseState = (typeof PROMISE_STATES)[number];

/** What a closing rests on: who wrote what, when (ISO 8601), in which messages. */
const evidence = z.object({ who: z.string(), when: z.string(), words: z.string(), messageIds: z.array(z.string()) });
export type Evidence = z.output<typeof evidence>;

const promise = z.object({
  id: z.string(),
  dialogId: z.string(),
  /** Of the action item in the digests that say it. */
  itemId: z.string(),
  /** Null once the digest is deleted. */
  firstDigestId: z.string().nullable(),
  lastDigestId: z.string().nullable(),
  /** YYYY-MM-DD, as all days here. */
  firstSaidOn: z.string(),
  lastSaidOn: z.string(),
  direction: z.enum(DIRECTIONS),
  /** Whose it is, where a name was said. */
  who: z.string().nullable(),
  words: z.string(),
  dueDate: z.string().nullable(),
  /** HH:MM in the user's time zone. */
  dueTime: z.string().nullable(),
  /** The words in which the day was said. */
  dueText: z.string().nullable(),
  sourceMessageIds: z.array(z.string()),
  /** On the day it was asked for: what was snoozed until then is open. */
  state: z.enum(PROMISE_STATES),
  snoozedUntil: z.string().nullable(),
  /** The day it was due on before it was moved. */
  movedFrom: z.string().nullable(),
  /** Who made the last change; null for one that nobody changed. */
  changedBy: z.enum(['person', 'automatic']).nullable(),
  changedAt: z.date(),
  evidence: evidence.nullable(),
  canUndo: z.boolean(),
  peerName: z.string(),
  peerUsername: z.string(),
  peerPhone: z.string(),
});
export const promiseRow = rowReader(promise);
export type LedgerPromise = z.output<typeof promise>;
