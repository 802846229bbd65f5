import { z } from 'zod';
import { PROMINENCES } from '../dialogs/schema.ts';

export const prominenceForm = z.object({
  choice: z.enum(PROMINENCES),
  /** The page with the buttons. */
  back: z.string().max(2000).optional().catch(undefined),
  /** Undone in the line that announced it, which then disappears. */
  from: z.literal('toast').optional().catch(undefined),
});

/** The value of `?was=` in the address, after a choice without JavaScript: the conversation and its previous state. */
export const wasToken = z.string().transform((token, context) => {
  const [dialogId = '', before] = token.split('.');
  const known = PROMINENCES.find(name => name === before);
  if (known) return { dialogId, before: known };
  context.addIssue('This is no conversation with what it was before.');
  return z.NEVER;
});
