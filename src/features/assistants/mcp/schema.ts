import { z } from 'zod';
import { FACTS } from '../../pages/brief/schema.ts';
import { LIVE_STATES, SETTLED_STATES } from '../../promises/rules.ts';
import { DIRECTIONS, KINDS } from '../../promises/schema.ts';

/*
 * The input and output of the tools. Missing values are left out: not every assistant reads a type that may be null.
 * Texts are cut where they are written (`present.ts`), lists are bounded here: a result has at most some 60 kB.
 */

export const MAX_ROWS = 50;
const MAX_QUERY_LENGTH = 200;

/** States known to users; withdrawn promises are hidden. */
const STATES = [...LIVE_STATES, ...SETTLED_STATES] as const;

export const listInput = {
  state: z.enum(STATES).default('open').describe('Default: open. A promise put off until today or earlier is open.'),
  direction: z
    .enum(DIRECTIONS)
    .optional()
    .describe('mine: the user owes it. theirs: the user is owed it. unassigned: no one was named.'),
  dueBefore: z.iso.date().optional().describe('YYYY-MM-DD, exclusive'),
  dueAfter: z.iso.date().optional().describe('YYYY-MM-DD, exclusive'),
  cursor: z.string().max(200).optional().describe('nextCursor of the page before'),
  limit: z.int().min(1).max(MAX_ROWS).default(25),
};

export const searchInput = {
  query: z
    .string()
    .min(1)
    .max(MAX_QUERY_LENGTH)
    .describe('Words that all must occur: names, companies, topics, what was said. The last one may be a beginning.'),
  page: z.int().min(1).max(100).default(1),
  limit: z.int().min(1).max(25).default(10),
};

export const askInput = {
  question: z
    .string()
    .min(1)
    .max(MAX_QUERY_LENGTH)
    .describe('In any language, as a person would ask it: a name, a matter, a day, or who owes what'),
};

export const briefInput = { conversationId: z.guid().describe('The id of a conversation, from any other result') };

export const completeInput = { promiseId: z.guid().describe('The id of a promise, from today or list_promises') };

const conversation = z.object({ id: z.string(), name: z.string() });

const promise = z.object({
  id: z.string(),
  conversation,
  direction: z.enum(DIRECTIONS),
  kind: z.enum(KINDS),
  who: z.string().exactOptional().describe('Whose it is, where that is not the user'),
  words: z.string(),
  dueDate: z.string().exactOptional(),
  dueTime: z.string().exactOptional().describe('HH:MM in the user’s time zone'),
  state: z.string(),
  isOverdue: z.boolean().describe('Past its day or hour, and nothing suggests that it is settled'),
  saidOn: z.string(),
  closedBecause: z.string().exactOptional(),
});

const digest = z.object({
  id: z.string(),
  conversation,
  day: z.string(),
  messages: z.int(),
  summary: z.string(),
  topics: z.array(z.string()),
});

const waiting = z.object({ conversation, question: z.string(), askedAt: z.string() });

/** First in every result, so that it is read before what it is about. */
const notice = z.string().describe('How to treat everything that follows');
const leftOut = z.int().describe('Conversations of the user that are not open to this assistant, whatever they are about');

export const todayResult = {
  notice,
  today: z.string(),
  timezone: z.string(),
  due: z.array(promise).describe('What the user owes: overdue, then due today'),
  perhapsSettled: z.array(promise).describe('Due from a week ago on, but later messages may have settled it: ask the user'),
  dates: z.array(promise).describe('Appointments and deadlines of today that are not the user’s alone'),
  owedToUser: z.array(promise).describe('What others owe the user and is overdue'),
  waiting: z.array(waiting).describe('Who waits for the user’s answer, longest first'),
  digests: z.array(digest).describe('What happened in the digests of today'),
  isCut: z.boolean().describe('Some list has more; list_promises and search have the rest'),
  leftOut,
};

export const searchResult = { notice, digests: z.array(digest), page: z.int(), hasMore: z.boolean(), leftOut };

export const listResult = {
  notice,
  promises: z.array(promise),
  nextCursor: z.string().exactOptional().describe('Absent on the last page'),
  leftOut,
};

const passage = z.object({
  kind: z.enum(['digest', 'promise', 'waiting']),
  conversation,
  words: z.string().describe('As it was said: a line for each person'),
  day: z.string().describe('When it was said'),
  promiseId: z.string().exactOptional(),
  state: z.string().exactOptional().describe('Of the promise'),
  dueDate: z.string().exactOptional(),
});

export const askResult = {
  notice,
  passages: z.array(passage).describe('What answers it, the best first; none where nothing clearly does'),
  mentions: z.array(passage).describe('Where nothing clearly answers it: what mentions it, and may answer it'),
  lookedAt: z.object({ digests: z.int(), promises: z.int() }).describe('How many were read for it'),
  leftOut,
};

const source = z.int().exactOptional().describe('The number of its source');
const owed = z.array(promise.extend({ source }));
const line = z.object({ words: z.string(), day: z.string(), source });

export const briefResult = {
  notice,
  conversation,
  isPerson: z.boolean(),
  today: z.string(),
  timezone: z.string(),
  colleagues: z.array(conversation).describe('Others of the same company, whose promises and digests are included'),
  promises: z.object({
    mine: owed.describe('Open: the user owes them'),
    theirs: owed.describe('Open: the user is owed them'),
    unassigned: owed.describe('Open: no one was named'),
    perhapsSettled: owed.describe('Open, but later messages may have settled them'),
    kept: owed.describe('Kept lately'),
  }),
  facts: z
    .array(line.extend({ kind: z.enum(FACTS), who: z.string().exactOptional() }))
    .describe('The newest figures, days and names of files'),
  weeks: z.array(z.object({ week: z.string(), lines: z.array(line) })).describe('What happened, newest week first'),
  sources: z.array(z.object({ number: z.int(), who: z.string(), when: z.string() })),
  leftOut,
};

export const completeResult = { notice, promise };

export type PromiseResult = z.output<typeof promise>;
export type PassageResult = z.output<typeof passage>;
export type OwedResult = z.output<typeof owed>;
export type DigestResult = z.output<typeof digest>;
export type WaitingResult = z.output<typeof waiting>;
