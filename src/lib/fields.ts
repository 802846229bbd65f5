import { z } from 'zod';

/*
 * Schemas of numbers, days and moments in addresses, forms and bodies. Their bounds keep out values that Postgres, Date or
 * Temporal can't represent.
 */

const FIRST_YEAR = 2000;
const LAST_YEAR = 2999;

/** YYYY-MM-DD of the years 2000 to 2999: weeks and months can be added to it and counted from it. */
export const dayField = z.iso
  .date('Enter a day as YYYY-MM-DD.')
  .refine(day => day >= `${FIRST_YEAR}-` && day < `${LAST_YEAR + 1}-`, 'Enter a day as YYYY-MM-DD.');

/** A moment of these years, in milliseconds as text or number. */
export const momentField = z.coerce
  .number()
  .int()
  .min(Date.UTC(FIRST_YEAR))
  .max(Date.UTC(LAST_YEAR + 1) - 1)
  .transform(milliseconds => new Date(milliseconds));

export function numberField(from: number, to: number) {
  const sentence = `Enter a number from ${from} to ${to.toLocaleString('en-US')}.`;
  return z.coerce.number(sentence).int(sentence).min(from, sentence).max(to, sentence);
}

/** The page of a list, in an address: a wrong one shows the first. */
export const pageField = numberField(1, 10_000).catch(1);

/** Number of items that a page shows already, in an address; unreadable values count as none. */
export const countField = numberField(0, 1_000_000).catch(0);
