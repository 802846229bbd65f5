import type { SeedContact } from '../../sandbox/crm/seed.ts';
import type { Random } from './random.ts';
import type { Chat } from './world.ts';

/** What a kind of difficulty is made of. */
export type Maker = {
  random: Random;
  /** Returns a first and a last name that no person has together. */
  fresh(): { first: string; last: string };
  /** Whether these two are free together; taken from now on. */
  claim(first: string, last: string): boolean;
  phone(): string;
  addContact(contact: Partial<SeedContact> & { firstname: string; lastname: string }): string;
  addChat(kind: string, chat: Partial<Chat>, contactId: string | null, alsoAcceptable?: (string | null)[]): void;
};
