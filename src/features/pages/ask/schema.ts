import { z } from 'zod';
import type { AnswerSentence } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';

/** Opt-in, as the client waits for the model. */
export const writesInput = z
  .enum(['true', 'false'], 'Say true or false.')
  .optional()
  .meta({
    description:
      'Whether the model is asked for sentences that it has not written yet: then the answer may take half a minute',
  });

/** Response form; `sources` are numbers of the answer's passages. */
export const sentencesJson = (sources: string) =>
  z
    .array(z.strictObject({ text: z.string(), sources: z.array(z.int()).min(1).meta({ description: sources }) }))
    .max(3)
    .meta({ description: 'Worded by a model from the above; none without one, without consent, or where nothing holds' });

const sentences = z.array(z.object({ text: z.string(), passages: z.array(z.number()) }));
const storedAnswer = z.object({ sent: z.array(z.number()), sentences });
export const writtenRow = rowReader(storedAnswer);
export type StoredAnswer = z.output<typeof storedAnswer>;

/** The sentences that a model wrote from the passages of a page, as far as it may read them. */
export type WrittenAnswer = {
  /**
   * `off`: no model here, or nothing to say. `notAgreed`: no conversation of the passages has a consent that covers it.
   * `open`: it can be asked. `written`: it was; without sentences where it found no answer that the passages bear out.
   */
  state: 'off' | 'notAgreed' | 'open' | 'written';
  sentences: AnswerSentence[];
  withheld: number;
  model: string;
  host: string;
  /** Why it could not be asked just now. */
  failure?: 'unanswered' | 'tooMany';
};

const MAX_QUESTION_LENGTH = 200;

const clean = (typed: string) =>
  typed
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_QUESTION_LENGTH);

/** The query of the page. An invalid part shows the page without a question. */
export const askQuery = z.object({ q: z.string().transform(clean).catch('') });

export const askInput = z.object({
  q: z
    .string('Ask a question.')
    .trim()
    .min(1, 'Ask a question.')
    .max(MAX_QUESTION_LENGTH, `Ask in ${MAX_QUESTION_LENGTH} characters at most.`)
    .meta({ description: 'The question, in any language' }),
  sentences: writesInput,
});

/** Questions about statements: any, or those with a day, a place, a number or a price. */
type OfText = 'any' | 'when' | 'where' | 'howMuch' | 'price';
/**
 * Questions about rows: a future `meeting`, a day's `agenda`, the user's debts (`mine`) or claims (`theirs`), people waiting
 * for the user.
 */
type OfRows = 'meeting' | 'agenda' | 'mine' | 'theirs' | 'waiting' | 'unanswered' | 'threat' | 'offer';
export type QuestionKind = OfText | OfRows;

/** Days named in a question, YYYY-MM-DD. `isSure`: only statements of these days are meant. */
export type Days = { since: string; until: string; isSure: boolean };

export type Question = {
  typed: string;
  /** ISO 639-1 */
  language: string;
  kind: QuestionKind;
  /** The words of its topic, folded as in the search, without question words, days, and words that show its kind. */
  words: string[];
  /** The words that showed its kind, as far as they may be part of its topic as well. */
  cue: string[];
  /** The question says "I": of offers, the user's own is meant. */
  isByUser: boolean;
  days: Days | undefined;
};

/** A conversation by the names it is known under. */
const namedDialog = z
  .object({
    dialogId: z.string(),
    isPerson: z.boolean(),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string(),
    /** All of them, in one text. */
    names: z.string(),
  })
  .transform(({ dialogId, isPerson, names, ...dialog }) => ({ dialogId, isPerson, names, name: dialogName(dialog) }));
export const namedRow = rowReader(namedDialog);
export type NamedDialog = z.output<typeof namedDialog>;

/** People named in the question: their conversations, with the words that name each, and all such words. */
export type People = {
  wordsOf: ReadonlyMap<string, readonly string[]>;
  words: string[];
  /** The names that a word may mean. */
  namesOf: ReadonlyMap<string, ReadonlySet<string>>;
};

const passageJson = z.strictObject({
  kind: z.enum(['digest', 'promise', 'waiting']),
  words: z.string().meta({ description: 'As the digest says it: a line for each person' }),
  day: z.iso.date(),
  digestId: z.string().nullable(),
  promiseId: z.string().nullable(),
  dialogId: z.string(),
  dialog: z.strictObject({ peerName: z.string(), peerUsername: z.string() }),
  sourceMessageIds: z.array(z.string()),
});

export const askJson = z.strictObject({
  question: z.string(),
  passages: z
    .array(passageJson)
    .max(20)
    .meta({ description: 'What answers the question, the best first; none where nothing clearly does' }),
  mentions: z.array(passageJson).max(3).meta({ description: 'Where nothing clearly answers it: passages that may' }),
  sentences: sentencesJson('Which passages say it, counted from 1 over `passages`, `mentions` and `cited`'),
  cited: z.array(passageJson).meta({ description: 'Other passages that the sentences rest on' }),
  lookedAt: z.strictObject({ digests: z.int(), promises: z.int() }),
});
