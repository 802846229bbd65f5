import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { localDay } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import type { Digest } from '../../digests/schema.ts';
import { wordsIn } from '../../digests/search/rules.ts';
import type { Written } from '../answers/schema.ts';
import { type AnswerDeps, findSentences, tryWriting } from '../answers/service.ts';
import { findPeople, namedBy } from './findPeople.ts';
import { passageOfPromise, passagesOf } from './passagesOf.ts';
import { type Ranked, rankPassages } from './rankPassages.ts';
import { readQuestion } from './readQuestion.ts';
import { findDigests, findNamed, findPromises, type Where } from './repo.ts';
import { beginningsOf, looseBeginningsOf, mattersOf } from './rules.ts';
import type { Named, People, Question } from './schema.ts';
import { toOwnPassages } from './toOwnPassages.ts';

export type Answer = {
  question: Question;
  people: People;
  /** The conversations named, at most a few. */
  named: Named[];
  /** The best first; none where nothing says it. */
  passages: Ranked[];
  /** How many were read for it. */
  lookedAt: { digests: number; promises: number };
  /** YYYY-MM-DD, in the user's time zone. */
  today: string;
  timezone: string;
  now: Date;
};

type Deps = { db: Db; clock: Clock };
type Asked = { userId: string; typed: string };

/**
 * What the user's digests and promises say to a question, found without a model. It reads at most 200 digests and 60 promises,
 * in two steps, or three where a word may be mistyped, whatever is asked, and keeps nothing.
 * @param asked.among only of these conversations: no other one is read, and none takes a place of theirs
 */
export async function askDigests(
  deps: Deps,
  { among, ...asked }: Asked & { among?: readonly string[] | undefined },
): Promise<Answer> {
  const { question, people, names, sought, isEmpty, ...present } = await readAsked(deps, { ...asked, among });
  const { timezone } = present;
  const { words } = question;
  const [digests, promises] = isEmpty
    ? [[], []]
    : await Promise.all([findDigests(deps.db, sought), findPromises(deps.db, sought)]);
  const rank = (read: Digest[]) => {
    const ofDigests = read.flatMap(digest => passagesOf(digest, timezone));
    return rankPassages([...ofDigests, ...promises.map(passageOfPromise)], question, people);
  };
  const found = rank(digests);
  const loose = found.length > 0 ? [] : words.map(looseBeginningsOf).filter(beginnings => beginnings.length > 0);
  const more =
    loose.length > 0 ? await findDigests(deps.db, { ...sought, beginnings: loose, dialogIds: [], isLoose: true }) : [];
  return {
    ...{ question, people, ...present },
    named: names.filter(({ dialogId }) => people.wordsOf.has(dialogId)).slice(0, MOST_NAMED),
    passages: more.length > 0 ? rank([...digests, ...more]) : found,
    lookedAt: { digests: digests.length, promises: promises.length },
  };
}

const MOST_NAMED = 3;

type Answered = { userId: string; answer: Answer };

/** What a model wrote over the passages of an answer already, or whether it can be asked. */
export function findAnswer(deps: Omit<AnswerDeps, 'limitAnswer'>, { userId, answer }: Answered): Promise<Written> {
  return findSentences(deps, { userId, ...toAskOfModel(answer) });
}

/** The same, and asks it where that can be done. */
export function writeAnswer(deps: AnswerDeps, { userId, answer }: Answered): Promise<Written> {
  return tryWriting(deps, { userId, ...toAskOfModel(answer) });
}

function toAskOfModel({ question, passages }: Answer) {
  return { question: question.typed, passages: toOwnPassages(passages) };
}

/** What a question is about, of which people, and what is looked for. */
async function readAsked(deps: Deps, { userId, typed, ...where }: Asked & Where) {
  const [{ timezone }, names] = await Promise.all([
    getSettings(deps, { userId }),
    findNamed(deps.db, { userId, ...where, ...namedBy(mattersOf(wordsIn(typed))) }),
  ]);
  const now = deps.clock.now();
  const today = localDay(now, timezone);
  const question = readQuestion(typed, today);
  const people = findPeople(question.words, names);
  const { direction, days, words } = question;
  const sought = {
    ...{ userId, today, direction, ...where },
    ...{ dialogIds: [...people.wordsOf.keys()], beginnings: words.map(beginningsOf) },
    days: days?.isSure ? days : undefined,
  };
  const isEmpty = words.length === 0 && !direction && !days;
  return { question, people, names, sought, isEmpty, today, timezone, now };
}
