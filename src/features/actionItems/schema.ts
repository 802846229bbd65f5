import { z } from 'zod';

/** An open action item, with the digest that said it last and the conversation it comes from. */
export const openItemRow = z.object({
  digestId: z.string(),
  dialogId: z.string(),
  item: z.object({
    id: z.string(),
    text: z.string(),
    owner: z.enum(['user', 'contact', 'unknown']),
    ownerName: z.string().nullable(),
    dueDate: z.string().nullable(),
    dueText: z.string().nullable(),
  }),
  peerName: z.string(),
  peerUsername: z.string(),
  peerPhone: z.string(),
});
export type OpenItem = z.output<typeof openItemRow>;
