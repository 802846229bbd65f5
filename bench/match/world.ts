import type { SeedContact } from '../../sandbox/crm/seed.ts';

export type Chat = { id: string; name: string; phone: string; username: string };
export type Truth = {
  chatId: string;
  /** What makes it hard. */
  kind: string;
  /** Null when no contact in the CRM is right. */
  contactId: string | null;
  /** Other answers that are not wrong; null means leaving it open. */
  alsoAcceptable: (string | null)[];
};

/** Conversations, a contact book, and who is who. */
export type World = { name: string; chats: Chat[]; contacts: SeedContact[]; truth: Truth[] };
