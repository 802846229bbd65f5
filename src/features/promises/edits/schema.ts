import { z } from 'zod';
import { dayField } from '../../../lib/fields.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { LONGEST_LINE, MOST_MESSAGES } from '../../digests/quoteSource.ts';
import { DIRECTIONS, KINDS } from '../schema.ts';

export const LONGEST_WHO = 100;
const MESSAGE_ID = /^\d{1,18}$/;
const timeField = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter an hour as HH:MM.');
/** Line breaks and tabs become spaces. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const wordsField = z
  .string('Say what is to be done.')
  .transform(onOneLine)
  .pipe(z.string().min(1, 'Say what is to be done.').max(LONGEST_LINE, `Use at most ${LONGEST_LINE} characters.`));
const whoField = z
  .string()
  .transform(onOneLine)
  .pipe(z.string().max(LONGEST_WHO, `Use at most ${LONGEST_WHO} characters.`));

/** What a person may write of a promise. */
const written = z.object({
  words: wordsField,
  dueDate: dayField.nullable().meta({ description: 'YYYY-MM-DD; null for no day' }),
  dueTime: timeField.nullable().meta({ description: 'HH:MM in the user’s time zone, of that day' }),
  direction: z.enum(DIRECTIONS),
  who: whoField.nullable().meta({ description: 'Whose it is, where that is not the user' }),
  kind: z.enum(KINDS),
});

type Due = { dueDate?: string | null | undefined; dueTime?: string | null | undefined };
const needsDay = ({ dueDate, dueTime }: Due) => !dueTime || Boolean(dueDate);
const NEEDS_DAY = { path: ['dueDate'], error: 'An hour needs its day.' };

export const addInput = z
  .object({
    words: wordsField,
    dialogId: z.guid('Choose a conversation.'),
    dueDate: written.shape.dueDate.default(null),
    dueTime: written.shape.dueTime.default(null),
    direction: written.shape.direction.default('mine'),
    who: written.shape.who.default(null),
    kind: written.shape.kind.default('promise'),
    messageIds: z
      .array(z.string().regex(MESSAGE_ID))
      .max(MOST_MESSAGES)
      .default([])
      .meta({ description: 'The messages of the conversation that it is about' }),
  })
  .refine(needsDay, NEEDS_DAY);
export type AddInput = z.output<typeof addInput>;

/** Only the fields that are given change; a day and its hour are one field, and so is whose it is. */
export const editInput = written
  .partial()
  .refine(needsDay, NEEDS_DAY)
  .refine(({ who, direction }) => who === undefined || direction !== undefined, {
    path: ['direction'],
    error: 'Say whose it is.',
  });
export type EditInput = z.output<typeof editInput>;

/** Something to do as people type it: "Call Katrin tomorrow 9:00". */
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
  .pipe(z.array(z.string()).max(MOST_MESSAGES))
  .catch([]);

/** What the address of the page asks for. A wrong part counts as missing. */
export const addAsked = z.object({
  dialog: z.string().refine(isUuid).optional().catch(undefined),
  /** What was typed, or the words of a digest. Without it the page asks for it. */
  text: z.string().optional().catch(undefined),
  messages,
  back,
});
export type AddAsked = z.output<typeof addAsked>;

export const editAsked = z.object({ back });

/** A form sends text; what is left out counts as empty. */
const typedText = z.string().default('');
const fields = {
  ...{ words: typedText, dueDate: typedText, dueTime: typedText },
  ...{ direction: typedText, who: typedText, kind: typedText },
};
export type Fields = Record<keyof typeof fields, string>;

export const addForm = z.object({ ...fields, dialogId: typedText, messages, messagesOf: typedText.catch(''), back });
export type AddForm = z.output<typeof addForm>;

/** What the fields held when they were shown: only what differs from it was edited. */
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
