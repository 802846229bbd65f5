import { ownerOf } from '../../../src/clients/summarizer/builtIn/actionItems.ts';
import { isStillOpen } from '../../../src/clients/summarizer/builtIn/isStillOpen.ts';
import { readAll } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import { awaitsAnswer } from '../../../src/clients/summarizer/builtIn/tasks.ts';
import type { SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { datedLines } from './digestDays.ts';

/** What the rules read as left to do, before it is weighed what is sure enough to be shown. */
export async function tasksLeft(request: SummaryRequest) {
  const { tasks, turns, conversation } = await readAll(request);
  return tasks
    .filter(task => isStillOpen(task, tasks, turns, conversation))
    .map(task => {
      const when = task.kind !== 'proposal' && awaitsAnswer(task) ? null : task.when;
      return { ...ownerOf(task, conversation), dueDate: when?.date ?? null, dueTime: when?.time ?? null };
    });
}

/** Owner and day of what is left after lines that begin with their day of November: "17 Ann: hello". */
export async function leftOfDays(lines: string[], change: Partial<SummaryRequest> = {}) {
  const left = await tasksLeft(datedLines(lines, change));
  return left.map(({ owner, dueDate }) => [owner, dueDate]);
}
