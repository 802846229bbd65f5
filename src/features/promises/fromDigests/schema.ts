import { z } from 'zod';
import {
  type Author,
  type ItemLeftOpen,
  type OpenPromise,
  requestAnswered,
  type StructuredDigest,
} from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { type DigestSources, digestSources, sourceMessage } from '../../digests/schema.ts';
import { DIRECTIONS, type Evidence, KINDS, promise } from '../schema.ts';

/** What new messages say of a promise: it was kept, is not wanted, may have been kept, or is due on another day (YYYY-MM-DD). */
export type Closing = { promiseId: string; dialogId: string; evidence: Evidence; isAnswered?: boolean } & (
  | { state: 'done' | 'cancelled' | 'doubtful' | 'handedOver'; newDueDate?: null }
  | { state: 'moved'; newDueDate: string }
);

/** The user's first message after a question of the other side, in a digest's messages. */
export type AnsweredQuestion = { dialogId: string; questionId: string; evidence: Evidence };

/** A digest that was just written, with what its messages answer. */
export type DigestPromises = {
  digestId: string;
  dialogId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  afterMessageId: number;
  engine: string;
  structured: StructuredDigest;
  sources: DigestSources;
  answers: readonly AnsweredQuestion[];
};

const OF_PAGES = {
  peerName: true,
  peerUsername: true,
  peerPhone: true,
  replacedByWords: true,
  isPastDue: true,
  standing: true,
} as const;

/** A promise as digests change it. */
export const storedPromise = promise.omit({ ...OF_PAGES, canUndo: true, undoes: true }).extend({
  /** Order of first mention; infinite for new promises. */
  number: z.number(),
  saidWords: z.string().nullable(),
  crmWords: z.string().nullable(),
  quotedAt: z.date().nullable(),
  isUserDecided: z.boolean(),
  undoneMessageIds: z.array(z.string()),
  /** The newest other digest with the promise, to go back to if a rewrite of its newest digest no longer has it. */
  saidBefore: z.object({ digestId: z.string(), day: z.string() }).nullable(),
  previous: z.unknown(),
  /** The values that a change would replace, stored for its undo. */
  replaces: z.unknown(),
  wasShown: z.boolean(),
});
export const storedPromiseRow = rowReader(storedPromise);
export type StoredPromise = z.output<typeof storedPromise>;

const writer = sourceMessage.omit({ id: true, sentAt: true });

/** A promise as it is checked against new messages. */
export const openPromiseRow = rowReader(
  z
    .object({
      dialogId: z.string(),
      promiseId: z.string(),
      itemId: z.string(),
      direction: z.enum(DIRECTIONS),
      who: z.string().nullable(),
      text: z.string(),
      dueDate: z.string().nullable(),
      saidAt: z.string(),
      sourceMessageIds: z.array(z.string()),
      request: requestAnswered.nullable(),
      quotedAt: z.date().nullable(),
      isDoubtful: z.boolean(),
      isRequest: z.boolean(),
      sources: z.array(sourceMessage).nullable(),
      people: z.array(writer).nullable(),
    })
    .transform(({ dialogId, sources, people, ...promise }) => ({
      dialogId,
      promise: { ...promise, authors: toAuthors(sources ?? []), people: toAuthors(people ?? []) } satisfies OpenPromiseRow,
    })),
);
export type OpenPromiseRow = Omit<OpenPromise, 'n' | 'sourceTexts'> & { promiseId: string; itemId: string };

function toAuthors(messages: z.output<typeof writer>[]): Author[] {
  return messages.map(({ sender, senderId, fromUser }) => ({ name: sender, senderId, fromUser }));
}

/** A promise as compared with the items of a new digest. */
const knownPromise = z.object({
  dialogId: z.string(),
  itemId: z.string(),
  direction: z.enum(DIRECTIONS),
  /** The name of whoever owes it. */
  who: z.string().nullable(),
  /** The user edited who owes it, so messages may say otherwise. */
  isSideEdited: z.boolean(),
  /** In the conversation's language, and as shown on pages, if it differs. */
  words: z.string(),
  shownWords: z.string(),
  kind: z.enum(KINDS),
  dueDate: z.string().nullable(),
  dueTime: z.string().nullable(),
  sourceMessageIds: z.array(z.string()),
  request: requestAnswered.nullable(),
  /** In a group: source messages. */
  sources: z.array(sourceMessage).nullable(),
  isOpen: z.boolean(),
});
export const knownPromiseRow = rowReader(knownPromise);
export type KnownPromise = z.output<typeof knownPromise>;

export const itemLeftOpenRow = rowReader(
  z
    .object({
      dialogId: z.string(),
      text: z.string(),
      owner: z.enum(['user', 'contact', 'unknown']),
      ownerName: z.string().nullable(),
      dueDate: z.string().nullable(),
      since: z.string(),
      quotedAt: z.date().nullable(),
    })
    .transform(({ dialogId, ...item }) => ({ dialogId, item: item satisfies ItemLeftOpen })),
);

const promiseToPerson = z.object({
  promiseId: z.string(),
  dialogId: z.string(),
  peerName: z.string(),
  userName: z.string(),
  words: z.string(),
  /** The newest message that it rests on (ISO 8601), or the end of its day. */
  saidAt: z.string(),
});
export const promiseToPersonRow = rowReader(promiseToPerson);
export type PromiseToPerson = z.output<typeof promiseToPerson>;

const digestOfPerson = z.object({ dialogId: z.string(), peerName: z.string(), summary: z.string(), sources: digestSources });
export const digestOfPersonRow = rowReader(digestOfPerson);
export type DigestOfPerson = z.output<typeof digestOfPerson>;
