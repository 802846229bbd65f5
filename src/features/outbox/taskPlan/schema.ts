/**
 * `waiting`: to be created; `written`: the CRM has it as it is; `outdated`: the CRM has it, the promise has changed;
 * `unwanted`: to be archived; `archived`: was archived, and is created again if the promise reopens; `gone`: a person
 * deleted it in the CRM, and it is not created again; `failed`: the CRM does not accept it.
 */
export const TASK_STATES = ['waiting', 'written', 'outdated', 'unwanted', 'archived', 'gone', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];
