import { ownerOf } from '../../../src/clients/summarizer/builtIn/actionItems.ts';
import { awaitsAnswer } from '../../../src/clients/summarizer/builtIn/commitments.ts';
import { isStillOpen } from '../../../src/clients/summarizer/builtIn/isStillOpen.ts';
import { readAll } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { datedLines } from './digestDays.ts';

/** What the rules read as left to do, before it is weighed what is sure enough to be shown. */
export async function commitmentsLeft(request: SummaryRequest) {
  const { commitments, turns, conversation } = await readAll(request);
  return commitments
    .filter(commitment => isStillOpen(commitment, commitments, turns, conversation))
    .map(commitment => {
      const when = commitment.kind !== 'proposal' && awaitsAnswer(commitment) ? null : commitment.when;
      return { ...ownerOf(commitment, conversation), dueDate: when?.date ?? null, dueTime: when?.time ?? null };
    });
}

/** Owner and day of what is left after lines that begin with their day of November: "17 Ann: hello". */
export async function leftOfDays(lines: string[], change: Partial<SummaryRequest> = {}) {
  const left = await commitmentsLeft(datedLines(lines, change));
  return left.map(({ owner, dueDate }) => [owner, dueDate]);
}
