import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { localDay } from '../../lib/timezones.ts';
import type { Digest } from '../digests/schema.ts';
import { getSettings } from '../settings/service.ts';
import { findPeople } from './findPeople.ts';
import { passageOfPromise, passagesOf } from './passagesOf.ts';
import { type Ranked, rankPassages } from './rankPassages.ts';
import { readQuestion } from './readQuestion.ts';
import { findDigests, findPromises, listNames } from './repo.ts';
import { beginningsOf, looseBeginningsOf } from './rules.ts';
import type { Named, People, Question } from './schema.ts';

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

/**
 * What the user's digests and promises say to a question, found without a model. It reads at most 200 digests and 60 promises,
 * in two steps, or three where a word may be mistyped, whatever is asked, and keeps nothing.
 */
export async function askDigests(
  deps: { db: Db; clock: Clock },
  { userId, typed }: { userId: string; typed: string },
): Promise<Answer> {
  const [{ timezone }, names] = await Promise.all([getSettings(deps, { userId }), listNames(deps.db, { userId })]);
  const now = deps.clock.now();
  const today = localDay(now, timezone);
  const question = readQuestion(typed, today);
  const people = findPeople(question.words, names);
  const { direction, days, words } = question;
  const sought = {
    ...{ userId, today, dialogIds: [...people.wordsOf.keys()], beginnings: words.map(beginningsOf) },
    days: days?.isSure ? days : undefined,
  };
  const isEmpty = words.length === 0 && !direction && !days;
  const [digests, promises] = isEmpty
    ? [[], []]
    : await Promise.all([findDigests(deps.db, sought), findPromises(deps.db, { ...sought, direction })]);
  const rank = (read: Digest[]) => {
    const ofDigests = read.flatMap(digest => passagesOf(digest, timezone));
    return rankPassages([...ofDigests, ...promises.map(passageOfPromise)], question, people);
  };
  const found = rank(digests);
  const loose = found.length > 0 ? [] : words.map(looseBeginningsOf).filter(beginnings => beginnings.length > 0);
  const more =
    loose.length > 0 ? await findDigests(deps.db, { ...sought, beginnings: loose, dialogIds: [], isLoose: true }) : [];
  return {
    ...{ question, people, today, timezone, now },
    named: names.filter(({ dialogId }) => people.wordsOf.has(dialogId)).slice(0, MOST_NAMED),
    passages: more.length > 0 ? rank([...digests, ...more]) : found,
    lookedAt: { digests: digests.length, promises: promises.length },
  };
}

const MOST_NAMED = 3;
