import type { Kind } from '../rules.ts';
import type { TaskState } from './schema.ts';

/** The moves of a task, and the states each may start from: every statement that writes a state reads it here. */
export const TASK_MOVES = {
  /** A new task that the plan wants. */
  want: { from: [], to: 'waiting' },
  /** Its promise should no longer have a task, or its conversation is no longer linked to this contact. */
  drop: { from: ['waiting', 'written', 'outdated', 'failed'], to: 'unwanted' },
  /** Wanted again before it was archived. */
  keep: { from: ['unwanted'], to: 'outdated' },
  /** The same for a task that the CRM may not have. */
  keepWaiting: { from: ['unwanted'], to: 'waiting' },
  /** Wanted again after it was archived: another task takes its place. */
  renew: { from: ['archived'], to: 'waiting' },
  /** The promise changed since the CRM refused to create it, or the CRM may take it now. */
  writeAgain: { from: ['failed'], to: 'waiting' },
  /** The promise differs from the CRM, or the CRM may take the change now. */
  outdate: { from: ['written', 'failed'], to: 'outdated' },
  /** They agree again. */
  agree: { from: ['outdated'], to: 'written' },
  finish: { from: ['waiting', 'outdated'], to: 'written' },
  archive: { from: ['unwanted'], to: 'archived' },
  /** A person deleted it in the CRM. */
  lose: { from: ['written', 'outdated'], to: 'gone' },
  refuse: { from: ['waiting', 'outdated', 'unwanted'], to: 'failed' },
} as const satisfies Record<string, { from: readonly TaskState[]; to: TaskState }>;

export const TASKS = {
  ...{ name: 'tasks', table: 'outbox_tasks', moves: TASK_MOVES },
  writtenIf: 'tasksWrite',
} as const satisfies Kind;
