import { z } from 'zod';
import { requestAnswered } from '../../clients/summarizer/types.ts';
import { isUuid, rowReader } from '../../lib/db.ts';
import { dayField, numberField } from '../../lib/fields.ts';
import { type QueueDefinition, SCHEDULED } from '../../lib/queue.ts';
import { CRM_WRITES } from '../crm/schema.ts';
import { MAX_PROMISE_TEXT_LENGTH, MAX_QUOTED_MESSAGES } from '../digests/quoteSource.ts';
import { sourceMessage } from '../digests/schema.ts';

/** Debtor: the user, the other side, or unknown. */
export const DIRECTIONS = ['mine', 'theirs', 'unassigned'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Only a promise is ever overdue: appointments and deadlines belong to their day, and are past after it. */
export const KINDS = ['promise', 'appointment', 'deadline'] as const;
export type PromiseKind = (typeof KINDS)[number];

/** Why a promise is done or cancelled. `past`: an appointment or a deadline whose day is over. */
const REASONS = ['kept', 'cancelled', 'answered', 'handedOver', 'replaced', 'past'] as const;
export type Reason = (typeof REASONS)[number];

/** Fields that a user may edit, which protects them from later digests. `due` is day and hour, `side` the debtor. */
export const EDITABLE = ['words', 'due', 'side', 'kind'] as const;

/**
 * `dismissed` was not a promise; `snoozed` is open again from a certain day on; `withdrawn` is no longer in the digest
 * that said it, because that digest was rewritten.
 */
export const PROMISE_STATES = ['open', 'done', 'cancelled', 'dismissed', 'snoozed', 'withdrawn'] as const;
export type PromiseState = (typeof PROMISE_STATES)[number];

/** Where an open promise stands, as `STANDS` in `fragments.ts` decides; `past` are appointments and deadlines. */
export const STANDINGS = ['overdue', 'perhapsSettled', 'dueToday', 'past', 'notYetDue'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The messages that closed a promise, in its conversation or another: who wrote what, and when (ISO 8601). */
const evidence = z.object({ who: z.string(), when: z.string(), words: z.string(), messageIds: z.array(z.string()) });
export type Evidence = z.output<typeof evidence>;

/** Author of quoted words. `who` is '' if not kept. */
const saidBy = z.object({ who: z.string(), fromUser: z.boolean() });

/** Days are YYYY-MM-DD. The state is that on the day of the request: a promise snoozed until then is open. */
export const promiseJson = z
  .strictObject({
    id: z.string(),
    dialogId: z.string(),
    itemId: z.string().meta({ description: 'Of the action item in each digest that says it' }),
    direction: z.enum(DIRECTIONS).meta({ description: '`unassigned`: no one was named' }),
    who: z.string().nullable(),
    words: z.string(),
    dueDate: z.iso.date().nullable(),
    dueTime: z.string().nullable().meta({ description: 'HH:MM in the user’s time zone' }),
    dueText: z.string().nullable().meta({ description: 'The words in which the day was said' }),
    kind: z
      .enum(KINDS)
      .meta({ description: 'Appointments and deadlines are never overdue: they are `past` after their day' }),
    movedFrom: z.iso.date().nullable().meta({ description: 'The day before it was moved' }),
    state: z.enum(PROMISE_STATES),
    snoozedUntil: z.iso.date().nullable(),
    firstDigestId: z.string().nullable().meta({ description: 'Null once that digest is deleted, as `lastDigestId`' }),
    lastDigestId: z.string().nullable(),
    firstSaidOn: z.iso.date(),
    lastSaidOn: z.iso.date(),
    sourceMessageIds: z.array(z.string()),
    isAdded: z.boolean().meta({ description: 'By its person; digests did not say it' }),
    edited: z.array(z.enum(EDITABLE)).meta({ description: 'What its person wrote: later digests leave it' }),
    changedBy: z.enum(['person', 'automatic']).nullable(),
    changedAt: z.iso.datetime(),
    reason: z.enum(REASONS).nullable().meta({ description: 'Why it is done or cancelled; null in other states' }),
    replacedBy: z.string().nullable().meta({ description: 'The ID of the promise that took its place' }),
    evidence: evidence.nullable().meta({ description: 'What an automatic change rests on' }),
    isDoubtful: z.boolean().meta({ description: 'Perhaps it is settled, as the evidence says' }),
    canUndo: z.boolean(),
    dialog: z.strictObject({ peerName: z.string(), peerUsername: z.string() }),
  })
  .meta({ id: 'Promise' });
export type PromiseJson = z.output<typeof promiseJson>;

export const promise = promiseJson
  .omit({ dialog: true })
  .strip()
  .extend({
    changedAt: z.date(),
    /** A quote's author; null if a model or the user worded it. `request` is what it answers, if it is unclear alone. */
    saidBy: saidBy.nullable(),
    /** Past its day, or its hour on it, at the present moment. */
    isPastDue: z.boolean(),
    /** Null for one that is settled or withdrawn, or in doubt and due later. */
    standing: z.enum(STANDINGS).nullable(),
    request: requestAnswered.nullable(),
    replacedByWords: z.string().nullable(),
    /** Set if Undo takes back something the user wrote. */
    undoes: z.enum(['add', 'edit']).nullable(),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string(),
  });
export const promiseRow = rowReader(promise);
export type UserPromise = z.output<typeof promise>;

/** A promise with the messages it rests on, as far as its digests keep them, and how the messenger knows its peer. */
const sourcedPromise = promise.extend({
  sources: z
    .array(sourceMessage)
    .nullable()
    .transform(messages => [...new Map(messages?.map(message => [message.id, message])).values()]),
  peerKind: z.enum(['user', 'chat', 'channel']),
  peerKey: z.string(),
  /** When this server took its words from messages; null where a model, or the user, worded it. */
  quotedAt: z.date().nullable(),
  hasTask: z.boolean(),
});
export const sourcedPromiseRow = rowReader(sourcedPromise);
export type SourcedPromise = z.output<typeof sourcedPromise>;

/** The user's actions on a promise; `undo` takes back the last change, whoever made it. */
const ACTIONS = ['done', 'cancel', 'dismiss', 'snooze', 'move', 'reopen', 'undo'] as const;

export const changeInput = z
  .object({
    action: z
      .enum(ACTIONS)
      .meta({
        description:
          '`dismiss`: it was no promise. `snooze`: open again from the day `until`. `move`: to the day `dueDate`; the old one ' +
          'is kept. `reopen`: from any other state; one that is open is confirmed to be. `undo`: the last change, whoever made it.',
      }),
    until: dayField.optional().meta({ description: 'YYYY-MM-DD, of `snooze`: a day to come' }),
    dueDate: dayField.optional().meta({ description: 'YYYY-MM-DD, of `move`: the present day or one to come' }),
  })
  .refine(({ action, until }) => action !== 'snooze' || until, { path: ['until'], error: 'Enter a day as YYYY-MM-DD.' })
  .refine(({ action, dueDate }) => action !== 'move' || dueDate, { path: ['dueDate'], error: 'Enter a day as YYYY-MM-DD.' });
export type ChangeInput = z.output<typeof changeInput>;

const MAX_IDS_PER_REQUEST = 500;
const id = z.guid('This is not the ID of a promise.').transform(text => text.toLowerCase());
export const bulkInput = z.object({ ids: z.array(id).min(1).max(MAX_IDS_PER_REQUEST), change: changeInput });

const WRONG_CURSOR = 'Take the cursor from `nextCursor` of the page before.';
/** Last row of the previous page: due day (`infinity` for none), within the years of digests, and id. */
const cursor = z
  .string()
  .max(200, WRONG_CURSOR)
  .transform((text, context) => {
    const [, due, after] =
      /^([1-3]\d{3}-\d\d-\d\d|infinity) ([0-9a-f-]{36})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
    if (due && after && (due === 'infinity' || z.iso.date().safeParse(due).success) && isUuid(after)) {
      return { due, id: after };
    }
    context.addIssue(WRONG_CURSOR);
    return z.NEVER;
  });

export function encodeCursor({ dueDate, id: last }: Pick<UserPromise, 'dueDate' | 'id'>): string {
  return Buffer.from(`${dueDate ?? 'infinity'} ${last}`).toString('base64url');
}

export const listInput = z.object({
  state: z.enum(PROMISE_STATES).default('open'),
  direction: z.enum(DIRECTIONS).optional(),
  dialogId: z.guid('This is not the ID of a conversation.').optional(),
  dueBefore: dayField.optional().meta({ description: 'YYYY-MM-DD, which is not among them' }),
  dueAfter: dayField.optional().meta({ description: 'YYYY-MM-DD, which is not among them' }),
  cursor: cursor.optional().meta({ description: '`nextCursor` of the page before' }),
  limit: numberField(1, 100).default(50),
});
export type ListInput = z.output<typeof listInput>;

export const promisesJson = z.strictObject({
  promises: z.array(promiseJson).max(100),
  nextCursor: z.string().nullable().meta({ description: 'Null on the last page' }),
});
export const changedJson = z.strictObject({ success: z.literal(true), promise: promiseJson });

/** Why a promise was not changed. */
const REFUSALS = ['NOT_FOUND', 'PROMISE_STATE', 'NOTHING_TO_UNDO'] as const;
export type ChangeRefusal = (typeof REFUSALS)[number];
export const bulkJson = z.strictObject({
  success: z.literal(true),
  promises: z.array(promiseJson),
  refused: z.array(z.strictObject({ id: z.string(), code: z.enum(REFUSALS) })),
});

/** Promises of one user have changed: their CRM tasks follow. Declared here, handled by the feature for tasks. */
export const TASKS_QUEUE = { name: 'tasks', ...CRM_WRITES } as const satisfies QueueDefinition;

/** Closes appointments and deadlines once their day is over, where their users are. */
export const PAST_QUEUE = { name: 'past-promises', cron: '7 * * * *', ...SCHEDULED } as const satisfies QueueDefinition;

export const MAX_WHO_LENGTH = 100;
const MESSAGE_ID = /^\d{1,18}$/;
const timeField = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter an hour as HH:MM.');
/** Line breaks and tabs become spaces. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const wordsField = z
  .string('Say what is to be done.')
  .transform(onOneLine)
  .pipe(
    z
      .string()
      .min(1, 'Say what is to be done.')
      .max(MAX_PROMISE_TEXT_LENGTH, `Use at most ${MAX_PROMISE_TEXT_LENGTH} characters.`),
  );
const whoField = z
  .string()
  .transform(onOneLine)
  .pipe(z.string().max(MAX_WHO_LENGTH, `Use at most ${MAX_WHO_LENGTH} characters.`));

/** The fields that a user may fill in. */
const editableFields = z.object({
  words: wordsField,
  dueDate: dayField.nullable().meta({ description: 'YYYY-MM-DD; null for no day' }),
  dueTime: timeField.nullable().meta({ description: 'HH:MM in the user’s time zone, of that day' }),
  direction: z.enum(DIRECTIONS),
  who: whoField.nullable().meta({ description: 'Whose it is, where that is not the user' }),
  kind: z.enum(KINDS),
});

type DueFields = { dueDate?: string | null | undefined; dueTime?: string | null | undefined };
const hasDayIfHour = ({ dueDate, dueTime }: DueFields) => !dueTime || Boolean(dueDate);
const NEEDS_DAY = { path: ['dueDate'], error: 'An hour needs its day.' };

export const addInput = z
  .object({
    words: wordsField,
    dialogId: z.guid('Choose a conversation.'),
    dueDate: editableFields.shape.dueDate.default(null),
    dueTime: editableFields.shape.dueTime.default(null),
    direction: editableFields.shape.direction.default('mine'),
    who: editableFields.shape.who.default(null),
    kind: editableFields.shape.kind.default('promise'),
    messageIds: z
      .array(z.string().regex(MESSAGE_ID))
      .max(MAX_QUOTED_MESSAGES)
      .default([])
      .meta({ description: 'The messages of the conversation that it is about' }),
  })
  .refine(hasDayIfHour, NEEDS_DAY);
export type AddInput = z.output<typeof addInput>;

/** Only the fields that are given change; a day and its hour are one field, and so is whose it is. */
export const editInput = editableFields
  .partial()
  .refine(hasDayIfHour, NEEDS_DAY)
  .refine(({ who, direction }) => who === undefined || direction !== undefined, {
    path: ['direction'],
    error: 'Say whose it is.',
  });
export type EditInput = z.output<typeof editInput>;

/** A promise as typed: "Call Katrin tomorrow 9:00". */
export const readInput = z.object({ text: wordsField });
export const readJson = z
  .strictObject({
    words: z.string(),
    dueDate: z.iso.date().nullable(),
    dueTime: z.string().nullable().meta({ description: 'HH:MM in the user’s time zone' }),
  })
  .meta({ id: 'TypedPromise' });

const back = z.string().max(2000).optional().catch(undefined);
/** Ids with commas between them, as addresses and forms have them. */
const messages = z
  .string()
  .max(200)
  .transform(text => text.split(',').filter(one => MESSAGE_ID.test(one)))
  .pipe(z.array(z.string()).max(MAX_QUOTED_MESSAGES))
  .catch([]);

/** The query of the page that adds a promise. An invalid part counts as missing. */
export const addQuery = z.object({
  dialog: z.string().refine(isUuid).optional().catch(undefined),
  /** The line that was typed, or the words of a digest. Without it the page asks for it. */
  text: z.string().optional().catch(undefined),
  messages,
  back,
});
export type AddQuery = z.output<typeof addQuery>;

export const editQuery = z.object({ back });

/** Form values are text; missing ones count as empty. */
const typedText = z.string().default('');
const fields = {
  words: typedText,
  dueDate: typedText,
  dueTime: typedText,
  direction: typedText,
  who: typedText,
  kind: typedText,
};
export type Fields = Record<keyof typeof fields, string>;

export const addForm = z.object({ ...fields, dialogId: typedText, messages, messagesOf: typedText.catch(''), back });
export type AddForm = z.output<typeof addForm>;

/** The values of the fields when the form was shown: only fields that differ from them were edited. */
const shown = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('This isn’t valid.');
      return z.NEVER;
    }
  })
  .pipe(z.object(fields))
  .optional()
  .catch(undefined);
export const editForm = z.object({ ...fields, shown, back });
export type EditForm = z.output<typeof editForm>;
