import { z } from 'zod';
import { pageField } from '../../../lib/fields.ts';

export const deletedJson = z.strictObject({ success: z.literal(true) });
export const allDeletedJson = z.strictObject({
  success: z.literal(true),
  deleted: z.int().meta({ description: 'How many digests had a text' }),
});

/** The page of the conversation that the person comes from. */
export const fromPage = z.object({ page: pageField });
