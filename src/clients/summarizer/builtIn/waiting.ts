import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';

/** Whether somebody asked the user something and has no answer yet. */
export function isWaiting(tasks: Task[], turns: Turn[]): boolean {
  const lastByUser = turns.findLastIndex(({ utterance }) => utterance.fromUser);
  return tasks.some(({ kind, state, asker, doer, isAccepted, readings, lastTurn }) => {
    if (state !== 'open' || isAccepted) return false;
    const isAsked = kind !== 'promise' && !asker.isUser && doer?.isUser;
    if (isAsked) return kind !== 'request' || lastTurn > lastByUser;
    // Somebody asked once more for what the user owes.
    const last = readings.at(-1);
    return Boolean(
      doer?.isUser && lastTurn > lastByUser && last?.sentence.isQuestion && !last.sentence.utterance.fromUser,
    );
  });
}
