import { ClientError } from '../../../clients/errors.ts';
import { type Clock, secondsBefore } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { TooManyRequests } from '../../../lib/errors.ts';
import type { Answering, OwnPassage } from '../../messenger/consent/service.ts';
import { findWritten, keepWritten } from './repo.ts';
import { hashOf, KEPT_DAYS } from './rules.ts';
import type { Written } from './schema.ts';

export { deleteWrittenOfAllUsers, forgetWritten } from './repo.ts';

export type AnswerDeps = {
  db: Db;
  clock: Clock;
  /** Undefined where the operator configured no model. */
  answering: Answering | undefined;
  /** Counts a question to the model. Throws TooManyRequests. */
  limitAnswer(userId: string): Promise<void>;
};

/** `question`: undefined for how things stand. */
export type AskedModel = { userId: string; question: string | undefined; passages: readonly OwnPassage[] };

const OFF: Written = { state: 'off', sentences: [], withheld: 0, model: '', host: '' };

/** What a model wrote over these passages already, or whether it can be asked: that is read in one step, and asks no model. */
export async function findSentences(
  { db, clock, answering }: Omit<AnswerDeps, 'limitAnswer'>,
  { userId, question, passages }: AskedModel,
): Promise<Written> {
  if (!answering || passages.length === 0) return OFF;
  const { model, host } = answering;
  const fingerprint = hashOf(question, passages, answering);
  const since = secondsBefore(clock, KEPT_DAYS * 86_400);
  const [allowed, kept] = await Promise.all([
    answering.listAllowed({ userId, passages }),
    findWritten(db, { userId, fingerprint, since }),
  ]);
  const about = { withheld: passages.length - allowed.length, model, host };
  if (allowed.length === 0) return { ...about, state: 'notAgreed', sentences: [] };
  // What was written from more, or from less, than may be sent now is not shown.
  if (kept && isSame(kept.sent, allowed)) return { ...about, state: 'written', sentences: kept.sentences };
  return { ...about, state: 'open', sentences: [] };
}

const isSame = (one: readonly number[], other: readonly number[]) => one.join() === other.join();

/** The same as {@link writeSentences}, for what shows the passages in any case: it fails in words. */
export async function tryWriting(deps: AnswerDeps, asked: AskedModel): Promise<Written> {
  try {
    return await writeSentences(deps, asked);
  } catch (err) {
    const failure = err instanceof TooManyRequests ? 'tooMany' : err instanceof ClientError ? 'unanswered' : undefined;
    if (!failure) throw err;
    return { ...(await findSentences(deps, asked)), failure };
  }
}

/** Those that are asked at this moment: whoever asks the same meanwhile gets the same answer. */
const asking = new Map<string, Promise<Written>>();

/**
 * The same, and asks the model where that can be done: once, and what it says is kept. Throws ClientError where it doesn't
 * answer, and TooManyRequests.
 */
export async function writeSentences(deps: AnswerDeps, asked: AskedModel): Promise<Written> {
  const { answering } = deps;
  const found = await findSentences(deps, asked);
  if (!answering || found.state !== 'open') return found;
  const { userId, question, passages } = asked;
  const fingerprint = hashOf(question, passages, answering);
  const key = `${userId} ${fingerprint}`;
  const underWay = asking.get(key);
  if (underWay !== undefined) return underWay;
  const writing = write(deps, { ...asked, fingerprint }, found).finally(() => asking.delete(key));
  asking.set(key, writing);
  return writing;
}

async function write(
  { db, clock, answering, limitAnswer }: AnswerDeps,
  { fingerprint, ...asked }: AskedModel & { fingerprint: string },
  found: Written,
): Promise<Written> {
  const { userId, passages } = asked;
  if (!answering) return found;
  await limitAnswer(userId);
  const { sent, sentences } = await answering.write(asked);
  const withheld = passages.length - sent.length;
  if (sent.length === 0) return { ...found, state: 'notAgreed', withheld };
  await keepWritten(db, { userId, fingerprint, sent, sentences, now: clock.now() });
  return { ...found, state: 'written', sentences, withheld };
}
