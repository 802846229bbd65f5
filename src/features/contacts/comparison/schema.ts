import { z } from 'zod';

/** Whom a conversation is with, as far as the messenger tells. */
export type Person = {
  dialogId: string;
  messengerUserId: string;
  /** As the person, or the user's address book, writes it: may hold a company, emoji, brackets. */
  name: string;
  /** Without the @, or ''. */
  username: string;
  /** E.164, or '' when hidden (the normal case). */
  phone: string;
  /** Of the country of the user's own account: numbers without a code are read as dialed there. '' when unknown. */
  callingCode: string;
};

const evidenceField = z.enum(['messengerId', 'name', 'phone', 'username', 'company', 'email']);
export type EvidenceField = z.output<typeof evidenceField>;

/** The result of comparing one field. `unknown`: one side has nothing to compare. */
export const evidence = z.object({
  field: evidenceField,
  verdict: z.enum(['same', 'similar', 'differs', 'unknown']),
  /** A few words for the table, such as "Same name, different alphabet". */
  words: z.string(),
  ours: z.string(),
  theirs: z.string(),
});
export type Evidence = z.output<typeof evidence>;
