import { z } from 'zod';
import { rowReader } from '../../../lib/rows.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import { sentencesJson, writesInput } from '../answers/schema.ts';

const LONGEST_QUESTION = 200;

/** What the address of the page says: a wrong part shows the page without a question. */
export const asked = z.object({
  q: z
    .string()
    .transform(typed =>
      typed
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, LONGEST_QUESTION),
    )
    .catch(''),
});

export const askInput = z.object({
  q: z
    .string('Ask a question.')
    .trim()
    .min(1, 'Ask a question.')
    .max(LONGEST_QUESTION, `Ask in ${LONGEST_QUESTION} characters at most.`)
    .meta({ description: 'The question, in any language' }),
  sentences: writesInput,
});

/** What kind of fact the question is after. */
export type Fact = 'when' | 'howMuch' | 'any';

/** Days as people say them. `isSure`: what was said then is meant, and nothing else. YYYY-MM-DD. */
export type Days = { since: string; until: string; isSure: boolean };

export type Question = {
  typed: string;
  /** What it is about, folded as the search folds: no question words, and no days. */
  words: string[];
  fact: Fact;
  /** Whose promises it is about, if it is about promises. */
  direction: 'mine' | 'theirs' | undefined;
  days: Days | undefined;
};

/** A conversation by the names it is known under. */
const named = z
  .object({
    ...{ dialogId: z.string(), isPerson: z.boolean() },
    ...{ peerName: z.string(), peerUsername: z.string(), peerPhone: z.string() },
    /** All of them, in one text. */
    names: z.string(),
  })
  .transform(({ dialogId, isPerson, names, ...dialog }) => ({ dialogId, isPerson, names, name: nameOf(dialog) }));
export const namedRow = rowReader(named);
export type Named = z.output<typeof named>;

/** Whom the question names: their conversations, each with the words that name it, and all these words. */
export type People = {
  wordsOf: ReadonlyMap<string, readonly string[]>;
  words: string[];
  /** The names that a word may mean. */
  namesOf: ReadonlyMap<string, ReadonlySet<string>>;
};

export const askJson = z.strictObject({
  question: z.string(),
  passages: z
    .array(
      z.strictObject({
        kind: z.enum(['digest', 'promise']),
        words: z.string().meta({ description: 'As the digest says it: a line for each person' }),
        day: z.iso.date(),
        digestId: z.string().nullable(),
        promiseId: z.string().nullable(),
        dialogId: z.string(),
        dialog: z.strictObject({ peerName: z.string(), peerUsername: z.string() }),
        sourceMessageIds: z.array(z.string()),
      }),
    )
    .max(9)
    .meta({ description: 'The best first; none where nothing in the digests says it' }),
  sentences: sentencesJson('Which of the passages say it, counted from 1'),
  lookedAt: z.strictObject({ digests: z.int(), promises: z.int() }),
});
