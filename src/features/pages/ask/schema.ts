import { z } from 'zod';
import type { AnswerSentence } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';

/** In the address of the API: someone waits for it, so the model is asked only on demand. */
export const writesInput = z.enum(['true', 'false'], 'Say true or false.').optional().meta({
  description:
    'Whether the model is asked for sentences that it has not written yet: then the answer may take half a minute',
});

/** As the API gives them; `sources` are numbers of what the same answer lists. */
export const sentencesJson = (sources: string) =>
  z
    .array(z.strictObject({ text: z.string(), sources: z.array(z.int()).min(1).meta({ description: sources }) }))
    .max(3)
    .meta({
      description: 'Worded by a model from the above; none without one, without consent, or where nothing holds',
    });

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
  /** How many passages it may not read. */
  withheld: number;
  model: string;
  host: string;
  /** Why it could not be asked just now. */
  failure?: 'unanswered' | 'tooMany';
};

const LONGEST_QUESTION = 200;

const clean = (typed: string) =>
  typed
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_QUESTION);

/** The query of the page. An invalid part shows the page without a question. */
export const askQuery = z.object({ q: z.string().transform(clean).catch('') });

export const askInput = z.object({
  q: z
    .string('Ask a question.')
    .trim()
    .min(1, 'Ask a question.')
    .max(LONGEST_QUESTION, `Ask in ${LONGEST_QUESTION} characters at most.`)
    .meta({ description: 'The question, in any language' }),
  sentences: writesInput,
});

/** Asks for what was said: any of it, or what has a day, a place, a number or a price. */
type OfText = 'any' | 'when' | 'where' | 'howMuch' | 'price';
/** A `meeting` to come, what is on a day (`agenda`), what the user owes (`mine`) or is owed, who waits for the user. */
type OfRows = 'meeting' | 'agenda' | 'mine' | 'theirs' | 'waiting' | 'unanswered' | 'threat' | 'offer';
export type QuestionKind = OfText | OfRows;

/** Days as people say them. `isSure`: what was said then is meant, and nothing else. YYYY-MM-DD. */
export type Days = { since: string; until: string; isSure: boolean };

export type Question = {
  typed: string;
  /** ISO 639-1 */
  language: string;
  kind: QuestionKind;
  /** The words of its topic, folded as in the search, without question words, days, and words that show its kind. */
  words: string[];
  /** The words that its kind is known by, as far as they may also be a matter. */
  cue: string[];
  /** It says "I": of what was offered, the user asks for their own offer. */
  isByUser: boolean;
  days: Days | undefined;
};

/** A conversation by the names it is known under. */
const namedDialog = z
  .object({
    ...{ dialogId: z.string(), isPerson: z.boolean() },
    ...{ peerName: z.string(), peerUsername: z.string(), peerPhone: z.string() },
    /** All of them, in one text. */
    names: z.string(),
  })
  .transform(({ dialogId, isPerson, names, ...dialog }) => ({ dialogId, isPerson, names, name: nameOf(dialog) }));
export const namedRow = rowReader(namedDialog);
export type NamedDialog = z.output<typeof namedDialog>;

/** Whom the question names: their conversations, each with the words that name it, and all these words. */
export type People = {
  wordsOf: ReadonlyMap<string, readonly string[]>;
  words: string[];
  /** Groups whose names have one of the words, which may as well be a topic. */
  groupIds: string[];
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
    .max(9)
    .meta({ description: 'What answers the question, the best first; none where nothing clearly does' }),
  mentions: z
    .array(passageJson)
    .max(3)
    .meta({ description: 'Where nothing clearly answers it: passages that mention it, and may answer it' }),
  sentences: sentencesJson('Which passages say it, counted from 1 over `passages`, `mentions` and `cited`'),
  cited: z.array(passageJson).meta({ description: 'Other passages that the sentences rest on' }),
  lookedAt: z.strictObject({ digests: z.int(), promises: z.int() }),
});
