import { z } from 'zod';
import { isUuid } from '../../../lib/db.ts';
import { dayField, momentField, pageField } from '../../../lib/fields.ts';

/** `put-off`: snoozed; `unassigned`: of no known owner; `withdrawn`: lately left out by a rewrite of their digest. */
const LISTS = ['yours', 'theirs', 'unassigned', 'put-off', 'closed', 'withdrawn'] as const;
export type List = (typeof LISTS)[number];
/** The lists of promises, and who waits for an answer. */
export const VIEWS = ['yours', 'theirs', 'unassigned', 'waiting', 'put-off', 'closed'] as const satisfies (
  | List
  | 'waiting'
)[];
export type View = (typeof VIEWS)[number];

/** By where a promise stands; what isn't due yet by its day: until Sunday, later, or none. */
export const DUE_GROUPS = ['overdue', 'dueToday', 'week', 'perhapsSettled', 'later', 'none', 'past'] as const;
export type DueGroup = (typeof DUE_GROUPS)[number];

const group = z.enum(DUE_GROUPS).optional().catch(undefined);

/** The decision that was just made, in the query: one promise by its id, or several by their moment. */
const decidedOne = z
  .string()
  .refine(isUuid)
  .transform(id => ({ ids: [id] }));
const decidedBulk = momentField.transform(at => ({ at }));
export type DecisionQuery = z.output<typeof decidedOne> | z.output<typeof decidedBulk>;
/** The decision as an optional part of the query. An invalid one counts as missing. */
export const decisionQuery = decidedOne.or(decidedBulk).optional().catch(undefined);

/** The query of the page. An invalid part shows the page without it instead of an error. */
export const promisesQuery = z.object({
  view: z.enum(VIEWS).catch('yours'),
  dialog: z.string().refine(isUuid).optional().catch(undefined),
  /** Only this one, page by page. */
  group,
  page: pageField,
  /** The group in which promises are selected for a bulk decision. */
  select: group,
  /** Preselected: everything shown, or this one. */
  all: z.literal('1').optional().catch(undefined),
  pick: z.string().refine(isUuid).optional().catch(undefined),
  /** Words of the promise, or of the name of the conversation, as on Today. */
  q: z
    .string()
    .max(200)
    .transform(typed => typed.replaceAll('\0', '').trim())
    .optional()
    .catch(undefined),
  /** Only old promises without a day. */
  old: z.literal('1').optional().catch(undefined),
  changed: decisionQuery,
});
export type PromisesQuery = z.output<typeof promisesQuery>;

const ACTIONS = ['done', 'dismiss', 'snooze', 'reopen', 'undo'] as const;

/** A form sends an empty day if none was chosen. */
const day = z
  .literal('')
  .transform(() => undefined)
  .or(dayField)
  .optional();
const back = z.string().max(2000).optional().catch(undefined);
const fields = { action: z.enum(ACTIONS).default('snooze'), until: day, back };

/** A button with a day puts off until that day. */
export const decisionForm = z.object(fields);

const MAX_IDS_PER_REQUEST = 100;
export const bulkForm = z.object({
  ...fields,
  /** The field beside the buttons with a day, which are sent as `until`. */
  day,
  ids: z
    .union([z.string().transform(id => [id]), z.array(z.string()).max(MAX_IDS_PER_REQUEST)])
    .default([])
    .transform(ids => ids.filter(isUuid)),
  /** The moment of the bulk that is undone, in milliseconds. */
  at: momentField.optional(),
});

/** Whether an address is one of the page of promises. */
export function isBoardPath(path: string): boolean {
  return /^\/promises(\?|$)/.test(path);
}

/** Whether the page at this path reports a decision from its address. */
export function showsDecision(path: string): boolean {
  return /^\/(promises|today|week|conversations\/[\w-]{1,100})(\?|$)/.test(path);
}

/** Parses the query of such an address. */
export function readPromisesQuery(here: string) {
  return promisesQuery.parse(Object.fromEntries(new URL(here, 'http://localhost').searchParams));
}
