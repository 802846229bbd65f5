import type { NewTask, TaskChange, TaskState } from '../../../clients/crm/types.ts';
import { visibleName } from '../../../lib/visibleText.ts';
import { isolateDirection } from '../../../lib/words.ts';
import { escapeHtml } from '../notes/present.ts';
import type { RecordKind } from '../schema.ts';
import type { ClaimedTask, TaskRowState } from './schema.ts';

/** The moves of a task, and the states each may start from: every statement that writes a state reads it here. */
export const TASK_TRANSITIONS = {
  /** A new task that the plan wants. */
  want: { from: [], to: 'waiting' },
  /** The promise needs no task any more, or its conversation has another contact. */
  drop: { from: ['waiting', 'written', 'outdated', 'failed'], to: 'unwanted' },
  /** Wanted again before it was archived. */
  keep: { from: ['unwanted'], to: 'outdated' },
  /** Wanted again before it was archived, and the CRM may not have it. */
  keepWaiting: { from: ['unwanted'], to: 'waiting' },
  /** Wanted again after it was archived: another task takes its place. */
  renew: { from: ['archived'], to: 'waiting' },
  /** The promise changed since the CRM refused to create it, or the CRM may take it now. */
  writeAgain: { from: ['failed'], to: 'waiting' },
  /** The promise differs from the CRM, or the CRM may take the change now. */
  outdate: { from: ['written', 'failed'], to: 'outdated' },
  /** The promise and the CRM agree again. */
  agree: { from: ['outdated'], to: 'written' },
  finish: { from: ['waiting', 'outdated'], to: 'written' },
  archive: { from: ['unwanted'], to: 'archived' },
  /** A person deleted it in the CRM. */
  lose: { from: ['written', 'outdated'], to: 'gone' },
  refuse: { from: ['waiting', 'outdated', 'unwanted'], to: 'failed' },
} as const satisfies Record<string, { from: readonly TaskRowState[]; to: TaskRowState }>;

export const TASKS = {
  name: 'tasks',
  table: 'outbox_tasks',
  transitions: TASK_TRANSITIONS,
  writtenIf: 'tasksWrite',
} as const satisfies RecordKind;

const MAX_NAME_LENGTH = 200;

/** Link from a task to its promise's line. Also the marker that identifies the task. */
export function promiseUrl({ dialogId, promiseId }: Pick<ClaimedTask, 'dialogId' | 'promiseId'>, appUrl: string) {
  return `${appUrl}/conversations/${dialogId}#p-${promiseId}`;
}

/**
 * A promise's new task.
 * @param appUrl the service's origin
 * @param ownerId '' for none
 */
export function toTask(
  task: ClaimedTask & { dueAt: Date },
  { appUrl, ownerId }: { appUrl: string; ownerId: string },
): NewTask {
  const marker = promiseUrl(task, appUrl);
  const name = escapeHtml(isolateDirection(subjectName(task)));
  const about = name ? `<p>Promised to ${name} on Telegram.</p>` : '';
  return {
    marker,
    contactId: task.contactId,
    subject: composeSubject(task),
    dueAt: task.dueAt,
    bodyHtml: `${about}<p><a href="${escapeHtml(marker)}">Open the promise in Forenoon</a></p>`,
    isUrgent: task.isUrgent,
    ownerId,
  };
}

/**
 * The fields to change in the CRM: only those that changed here since the task was last written, so that people's
 * changes there stay. After an unclear or refused call, the day is written again, and the completion only if the call was
 * about it: else a task would open again that someone completed there. The subject changes only when the person writes
 * another or takes that back, not when a digest words the same promise differently.
 */
export function composeTaskChange(task: ClaimedTask): TaskChange {
  const { crmId, isUnclear, pendingCompleted, isCompleted, isDone, dueAt } = task;
  const hasNewDue = dueAt !== null && (isUnclear || dueAt.getTime() !== task.writtenDueAt?.getTime());
  return {
    id: crmId ?? '',
    ...(task.isReworded && { subject: composeSubject(task) }),
    ...(hasNewDue && { dueAt }),
    ...((pendingCompleted !== null || isCompleted !== isDone) && { isCompleted: isDone }),
  };
}

/** A change that someone made in the CRM since the task was last read. */
type CrmCompletionChange = 'completed' | 'reopened';

/**
 * The completion or reopening of a task by someone in the CRM; undefined for one that we know already or that our own
 * unclear call made. A completion that was undone here is not applied again because of the same completion there.
 */
export function findCompletionChange(task: ClaimedTask, seen: TaskState): CrmCompletionChange | undefined {
  if (task.isUnclear && task.pendingCompleted === seen.isCompleted) return undefined;
  if (seen.isCompleted !== task.isCompleted) return seen.isCompleted ? 'completed' : 'reopened';
  const isAnother = task.crmCompletedAt !== '' && seen.completedAt !== '' && task.crmCompletedAt !== seen.completedAt;
  return seen.isCompleted && isAnother ? 'completed' : undefined;
}

/** When it was completed, as the CRM says it: ISO 8601 or Unix milliseconds. */
export function parseMoment(completedAt: string): Date | undefined {
  const moment = new Date(/^\d+$/.test(completedAt) ? Number(completedAt) : completedAt);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

function composeSubject(task: ClaimedTask): string {
  if (task.subject !== null) return visibleName(task.subject) || 'Promise';
  return ['Follow up', subjectName(task)].filter(Boolean).join(': ');
}

/** A name must not make the task look like another promise's. */
function subjectName({ peerName }: ClaimedTask): string {
  return visibleName(peerName.replaceAll('#p-', '# p-').slice(0, MAX_NAME_LENGTH));
}
