import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';

/** Whether somebody asked something of the user since the user last wrote: an earlier question was answered, or let go. */
export function isWaiting(tasks: Task[], turns: Turn[]): boolean {
  const lastByUser = turns.findLastIndex(({ utterance }) => utterance.fromUser);
  return tasks.some(({ kind, state, asker, doer, isAccepted, readings, lastTurn }) => {
    if (state !== 'open' || isAccepted || lastTurn <= lastByUser || !doer?.isUser) return false;
    if (kind !== 'promise' && !asker.isUser) return true;
    // Somebody asked once more for what the user owes.
    const last = readings.at(-1)?.sentence;
    return Boolean(last?.isQuestion && !last.utterance.fromUser);
  });
}
