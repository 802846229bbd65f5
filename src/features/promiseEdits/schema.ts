import { z } from 'zod';
import { dayField } from '../../lib/fields.ts';
import { DIRECTIONS, KINDS } from '../promises/schema.ts';

const LONGEST_WORDS = 300;
const LONGEST_WHO = 100;
const timeField = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter an hour as HH:MM.');
const wordsField = z
  .string('Say what is to be done.')
  .transform(text => text.replaceAll('\0', '').toWellFormed().replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, 'Say what is to be done.').max(LONGEST_WORDS, `Use at most ${LONGEST_WORDS} characters.`));
const whoField = z
  .string()
  .transform(text => text.replaceAll('\0', '').toWellFormed().replaceAll(/\s+/g, ' ').trim())
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
    dialogId: z.guid('Choose a conversation.'),
    words: wordsField,
    dueDate: written.shape.dueDate.default(null),
    dueTime: written.shape.dueTime.default(null),
    direction: written.shape.direction.default('mine'),
    who: written.shape.who.default(null),
    kind: written.shape.kind.default('promise'),
    messageIds: z
      .array(z.string().regex(/^\d{1,18}$/))
      .max(10)
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
