import type { MessengerMessage } from '../../../clients/messenger/types.ts';
import type { PendingQuestions } from '../../../clients/summarizer/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { UserKey } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import { localDay, subtractWorkingDays } from '../../../lib/timezones.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { dismissQuestions, listWaits, restoreQuestions } from './repo.ts';
import type { QuestionsOfMessages, Wait, WaitingChange } from './schema.ts';

export { recordWaits } from './repo.ts';

/** The settings that determine who waits. */
export type WaitingConfig = Pick<SyncConfig, 'timezone' | 'waitingDays'>;

export type Waiting = {
  count: number;
  /** The longest wait first, as many as were asked for. */
  waits: Wait[];
  config: WaitingConfig;
  now: Date;
};

type WaitOptions = {
  /** 0 only counts. */
  limit: number;
  offset?: number;
  dialogId?: string | undefined;
  /** Only these conversations. */
  among?: readonly string[] | undefined;
  /** Folded by `foldWords`. */
  words?: readonly string[] | undefined;
  /** Questions from this moment on are left out. */
  askedBefore?: Date | undefined;
};

/** Questions unanswered for the user's chosen number of working days, in one statement. */
export async function getWaiting(
  { db, clock }: Timed,
  { userId, config, askedBefore, ...options }: UserKey & { config: WaitingConfig } & WaitOptions,
): Promise<Waiting> {
  const now = clock.now();
  const waitingSince = subtractWorkingDays(now, config.waitingDays, config.timezone);
  const before = askedBefore && askedBefore < waitingSince ? askedBefore : waitingSince;
  const today = localDay(now, config.timezone);
  return { ...(await listWaits(db, { userId, before, today, offset: 0, ...options })), config, now };
}

/**
 * Dismisses a question, or undoes that. Earlier decisions and answers win. Returns the conversation's name. Throws NotFound,
 * Conflict if there is nothing left to undo.
 */
export async function changeWaiting(
  { db, clock }: Timed,
  { userId, dialogId, action, lastMessageId }: UserKey & WaitingChange,
): Promise<{ name: string }> {
  const changed =
    action === 'undo'
      ? await restoreQuestions(db, { userId, dialogId })
      : await dismissQuestions(db, { userId, dialogId, upTo: lastMessageId, now: clock.now() });
  if (!changed) throw new NotFound('conversation');
  if (action === 'undo' && changed.changed === 0) throw new Conflict('NOTHING_TO_UNDO', 'There is nothing to undo.');
  return { name: dialogName(changed) };
}

const MAX_QUOTE = 300;

/** The questions to the user, as they are stored. The messages must be all of one range, oldest first. */
export function toStoredQuestions(
  dialogId: string,
  { settledBy, questions, replies = [] }: PendingQuestions,
  messages: readonly MessengerMessage[],
): QuestionsOfMessages {
  const times = new Map(messages.map(({ id, sentAt }) => [String(id), sentAt]));
  return {
    dialogId,
    firstMessageId: messages[0]?.id ?? 0,
    settledBy: settledBy === null ? 0 : Number(settledBy),
    replies,
    questions: questions.flatMap(({ messageId, words }) => {
      const askedAt = times.get(messageId);
      return askedAt ? [{ messageId: Number(messageId), askedAt, words: words.slice(0, MAX_QUOTE) }] : [];
    }),
  };
}
