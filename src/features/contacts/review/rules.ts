import { isTracked } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { linkOf, needsReview, type WriteSwitches, writesNotes } from '../matching/rules.ts';
import type { MatchProblem } from '../matching/schema.ts';
import type { ReviewCandidate } from '../schema.ts';

/** `automatic`: matched by a rule and confident enough to write notes without a click. */
export const VIEWS = ['review', 'unmatched', 'automatic', 'confirmed', 'created', 'ignored', 'all'] as const;
export type View = (typeof VIEWS)[number];

type ListedDialog = Pick<Dialog, 'id' | 'peerType' | 'matchStatus' | 'matchConfidence' | 'crmContactId'>;
type Problem = MatchProblem | 'NAMESAKES';
type Problems = ReadonlyMap<string, Problem>;

/** The view that lists a conversation in addition to `all`; a group without a match waits for nothing. */
export function viewOf(dialog: ListedDialog, problems: Problems, switches: WriteSwitches): View {
  if (isToReview(dialog, problems.get(dialog.id), switches)) return 'review';
  switch (dialog.matchStatus) {
    case 'CONFIRMED':
      return 'confirmed';
    case 'CREATED':
      return 'created';
    case 'IGNORED':
      return 'ignored';
    default:
      if (writesNotes(linkOf(dialog), switches)) return 'automatic';
      return dialog.peerType === 'user' ? 'unmatched' : 'all';
  }
}

/** A match that writes no notes automatically, a link whose contact is gone or a choice of namesakes waits for a person. */
function isToReview(dialog: ListedDialog, problem: Problem | null | undefined, switches: WriteSwitches): boolean {
  if (dialog.matchStatus === 'IGNORED') return false;
  if (problem === 'NAMESAKES') return dialog.crmContactId === '';
  return (problem === 'CONTACT_GONE' && dialog.crmContactId !== '') || needsReview(linkOf(dialog), switches);
}

/** Whether a linked conversation waits for a person. One that is not read waits for no one. */
export function waitsForReview(candidate: ReviewCandidate): boolean {
  return isToReview(candidate, candidate.problem, candidate.switches) && isTracked(candidate, candidate.settings);
}

/** The conversations of each view. Those to review come surest first, the rest in the given order. */
export function sortIntoViews<D extends ListedDialog>(
  dialogs: readonly D[],
  problems: Problems,
  switches: WriteSwitches,
): Record<View, D[]> {
  const views: Record<View, D[]> = {
    review: [],
    unmatched: [],
    automatic: [],
    confirmed: [],
    created: [],
    ignored: [],
    all: [...dialogs],
  };
  for (const dialog of dialogs) {
    const view = viewOf(dialog, problems, switches);
    if (view !== 'all') views[view].push(dialog);
  }
  views.review.sort((a, b) => b.matchConfidence - a.matchConfidence);
  return views;
}
