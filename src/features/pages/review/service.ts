import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { formatQuantity, isolateDirection } from '../../../lib/words.ts';
import { getSettings } from '../../base/settings/service.ts';
import * as repo from '../../contacts/matching/repo.ts';
import { canConfirmInBulk, needsReview, toLink, type WriteSwitches, writesNotes } from '../../contacts/matching/rules.ts';
import type { DecisionKind, MatchedDialog, MatchProblem } from '../../contacts/matching/schema.ts';
import { listDecisions, listReviewCandidates, listUndoable } from '../../contacts/repo.ts';
import type { ReviewCandidate } from '../../contacts/schema.ts';
import { listTrackedDialogs } from '../../contacts/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { describeExchanges, localizeExchanges } from '../../digests/describeExchanges.ts';
import { shownLanguage } from '../../digests/present.ts';
import { findNewestSummary } from '../../digests/repo.ts';
import { getDialog, listDialogs } from '../../messenger/dialogs/repo.ts';
import { dialogName, isTracked } from '../../messenger/dialogs/rules.ts';
import type { Dialog, DialogKey } from '../../messenger/dialogs/schema.ts';

const QUEUE_ROWS = 50;

/** The conversations that were never looked up in the CRM, and whether that is under way. None without a CRM. */
export type Matching = { waiting: number; isRunning: boolean };

export type ReviewDeps = { db: Db; crm: CrmClient | undefined };

/**
 * The list of one view and its current conversation: the one asked for if it is in that view, else the first.
 * Without a view, the view is the one that lists that conversation. Throws NotFound for a conversation that is not the
 * user's.
 * @param query `mustShow`: what is beside it belongs to this very conversation, which is then shown in its own view
 */
export async function getReview(
  deps: ReviewDeps,
  query: { userId: string; view: View | undefined; dialogId: string | undefined; mustShow?: boolean },
) {
  const { userId, dialogId, mustShow = false } = query;
  const [{ dialogs, read, problems, connection, settings, views }, matching] = await Promise.all([
    readViews(deps, userId, dialogId),
    repo.findMatchingProgress(deps.db, userId),
  ]);
  const chosen = dialogs.find(({ id }) => id === dialogId);
  if ((dialogId || mustShow) && !chosen) throw new NotFound('conversation');
  const ownView = chosen ? viewOf(chosen, problems, connection) : 'review';
  const isElsewhere = mustShow && query.view !== undefined && !views[query.view].some(({ id }) => id === dialogId);
  const view = isElsewhere ? ownView : (query.view ?? ownView);
  const list = views[view];
  const index = Math.max(
    0,
    list.findIndex(({ id }) => id === dialogId),
  );
  const start = Math.floor(index / QUEUE_ROWS) * QUEUE_ROWS;
  const shown = list[index];
  const [queue, digest, rejections] = await Promise.all([
    addMatchStates(deps, userId, list.slice(start, start + QUEUE_ROWS)),
    shown && findLastDigest(deps, { userId, dialogId: shown.id }),
    listUndoable(deps.db, { userId, dialogIds: shown?.crmContactId === '' ? [shown.id] : [], action: 'reject' }),
  ]);
  const counts = Object.fromEntries(VIEWS.map(name => [name, views[name].length])) as Record<View, number>;
  return {
    view,
    counts,
    connection,
    hasCrm: deps.crm !== undefined,
    /** The operator set a key of one account, in place of an app that people sign in to. */
    hasKey: deps.crm?.ownKey !== undefined,
    /** The part of the list around the current one. */
    queue,
    current: queue[index - start],
    /** The token that undoes the rejection of contacts for the current conversation, while it has none. */
    rejection: shown && rejections.get(shown.id),
    /** The newest one of the current conversation. */
    digest,
    /** Position of the current one in its list, from 0. */
    index,
    beforeId: list[index - 1]?.id,
    nextId: list[index + 1]?.id,
    /** As the navigation counts them. */
    toReview: sortIntoViews(read, problems, connection).review.length,
    together: read.filter(dialog => canConfirmInBulk(toLink(dialog), connection)),
    writing: read.filter(dialog => writesNotes(toLink(dialog), connection)).length,
    timezone: settings.timezone,
    matching: connection.status === 'active' ? matching : NO_MATCHING,
  };
}
export type Review = Awaited<ReturnType<typeof getReview>>;

/** @param asked a conversation that is listed even if it isn't read, as its page leads here */
async function readViews(deps: ReviewDeps, userId: string, asked: string | undefined) {
  const [stored, problems, connection, settings] = await Promise.all([
    listDialogs(deps.db, userId),
    repo.listProblems(deps.db, userId),
    getConnection(deps.db, userId),
    getSettings(deps, { userId }),
  ]);
  const read = stored.filter(dialog => isTracked(dialog, settings));
  const dialogs = stored.filter(dialog => dialog.id === asked || isTracked(dialog, settings));
  return { dialogs, read, problems, connection, settings, views: sortIntoViews(dialogs, problems, connection) };
}

const NO_MATCHING: Matching = { waiting: 0, isRunning: false };

async function addMatchStates(deps: ReviewDeps, userId: string, dialogs: Dialog[]): Promise<MatchedDialog[]> {
  const states = await repo.listMatchState(deps.db, { userId, dialogIds: dialogs.map(({ id }) => id) });
  return dialogs.flatMap(dialog => {
    const state = states.get(dialog.id);
    return state ? [{ dialog, state }] : [];
  });
}

/** The next conversation in the list once this one is decided; at the end of the list, the previous one. */
export async function neighbourOf(deps: ReviewDeps, { userId, view, dialogId }: DialogKey & { view: View }) {
  const list = (await readViews(deps, userId, dialogId)).views[view];
  const index = list.findIndex(({ id }) => id === dialogId);
  if (index < 0) return list[0]?.id;
  return (list[index + 1] ?? list[index - 1])?.id;
}

export async function countToReview(deps: { db: Db }, { userId }: UserKey): Promise<number> {
  return (await listReviewCandidates(deps.db, userId)).filter(waitsForReview).length;
}

/** The matches that may be confirmed together, with what the list shows of each. */
export async function listForBulk(deps: { db: Db }, { userId }: UserKey): Promise<MatchedDialog[]> {
  const [dialogs, connection] = await Promise.all([listTrackedDialogs(deps, { userId }), getConnection(deps.db, userId)]);
  const together = dialogs.filter(dialog => canConfirmInBulk(toLink(dialog), connection));
  return addMatchStates({ ...deps, crm: undefined }, userId, together);
}

/** Throws NotFound. */
export async function getMatched(deps: { db: Db }, { userId, dialogId }: DialogKey) {
  const matched = await repo.findMatchState(deps.db, { userId, dialogId });
  if (!matched) throw new NotFound('conversation');
  return matched;
}

const DONE: Record<DecisionKind, (who: string) => string> = {
  confirm: who => `${who} confirmed`,
  ignore: who => `${who} ignored`,
  stopIgnoring: who => `${who} is no longer ignored`,
  reject: who => `Not the right contact for ${who}`,
  pick: who => `${who} linked`,
  create: who => `${who} created in the CRM`,
  autoCreate: who => `${who} created in the CRM`,
};

/** The decision that was made, for the line with Undo. Undefined once it was undone, or something newer was decided. */
export async function findUndoableDecision(deps: { db: Db }, { userId, token }: { userId: string; token: string }) {
  const decisions = await listDecisions(deps.db, { userId, token });
  const undoable = decisions.filter(({ isNewest, undoneAt }) => isNewest && !undoneAt);
  const [first] = undoable;
  if (!first) return undefined;
  if (undoable.length > 1) return { words: `${formatQuantity(undoable.length, 'match', 'matches')} confirmed`, token };
  const dialog = await getDialog(deps.db, { userId, dialogId: first.dialogId });
  return { words: DONE[first.action](isolateDirection(dialogName(dialog))), token };
}

/** `automatic`: matched by a rule and confident enough to write notes without a click. */
export const VIEWS = ['review', 'unmatched', 'automatic', 'confirmed', 'created', 'ignored', 'all'] as const;
export type View = (typeof VIEWS)[number];

type ListedDialog = Pick<Dialog, 'id' | 'peerType' | 'matchStatus' | 'matchConfidence' | 'crmContactId'>;
type Problem = MatchProblem | 'NAMESAKES';
type Problems = ReadonlyMap<string, Problem>;

/** The view that lists a conversation in addition to `all`; a group without a match waits for nothing. */
function viewOf(dialog: ListedDialog, problems: Problems, switches: WriteSwitches): View {
  if (isToReview(dialog, problems.get(dialog.id), switches)) return 'review';
  switch (dialog.matchStatus) {
    case 'CONFIRMED':
      return 'confirmed';
    case 'CREATED':
      return 'created';
    case 'IGNORED':
      return 'ignored';
    default:
      if (writesNotes(toLink(dialog), switches)) return 'automatic';
      return dialog.peerType === 'user' ? 'unmatched' : 'all';
  }
}

/** A match that writes no notes automatically, a link whose contact is gone or a choice of namesakes waits for a person. */
function isToReview(dialog: ListedDialog, problem: Problem | null | undefined, switches: WriteSwitches): boolean {
  if (dialog.matchStatus === 'IGNORED') return false;
  if (problem === 'NAMESAKES') return dialog.crmContactId === '';
  return (problem === 'CONTACT_GONE' && dialog.crmContactId !== '') || needsReview(toLink(dialog), switches);
}

/** Whether a linked conversation needs review. Unread ones don't. */
export function waitsForReview(candidate: ReviewCandidate): boolean {
  return isToReview(candidate, candidate.problem, candidate.switches) && isTracked(candidate, candidate.settings);
}

/** The conversations of each view. Those to review come surest first, the rest in the given order. */
function sortIntoViews<D extends ListedDialog>(
  dialogs: readonly D[],
  problems: Problems,
  switches: WriteSwitches,
): Record<View, D[]> {
  const views = Object.fromEntries(VIEWS.map(view => [view, view === 'all' ? [...dialogs] : []])) as Record<View, D[]>;
  for (const dialog of dialogs) {
    const view = viewOf(dialog, problems, switches);
    if (view !== 'all') views[view].push(dialog);
  }
  views.review.sort((a, b) => b.matchConfidence - a.matchConfidence);
  return views;
}

async function findLastDigest(deps: ReviewDeps, about: DialogKey) {
  const [digest, { timezone }] = await Promise.all([findNewestSummary(deps.db, about), getSettings(deps, about)]);
  if (!digest) return undefined;
  const { digestDate: day } = digest;
  return {
    summary: digest.summary,
    /** For the summary view; empty for prose. */
    exchanges: describeExchanges(localizeExchanges(digest, timezone) ?? [], { today: day, day }),
    day,
    language: shownLanguage(digest),
  };
}
