import { AssociationTypes } from '@hubspot/api-client';
import type { Crm, NewTask, TaskChange } from '../types.ts';
import { batchesOf } from './batches.ts';
import type { Call } from './calls.ts';
import { archiveAll, createAll, findMarkers, takeErrors, toContact, updateAll } from './engagements.ts';
import { HttpFailure } from './failures.ts';
import { OWNER_PROPERTIES, ownersReply, TASK_PROPERTIES, tasksReply } from './replies.ts';
import type { Requirements } from './requirements.ts';

type Tasks = Pick<Crm, 'createTasks' | 'updateTasks' | 'archiveTasks' | 'readTasks' | 'findTasks' | 'readOwners'>;

/** https://developers.hubspot.com/docs/api-reference/latest/crm/activities/tasks/guide: the scopes of contacts cover tasks. */
export function taskCalls(call: Call, requirements: Requirements): Tasks {
  const create = (tasks: readonly NewTask[]) =>
    createAll(requirements, 'tasks', tasks, async (batch, required, creation) => {
      const { results, errors } = await createBatch(call, batch, required);
      for (const { id, objectWriteTraceId, properties } of results) {
        const task = batch.find(
          ({ marker }) => objectWriteTraceId === marker || properties.hs_task_body.includes(marker),
        );
        if (task) creation.outcome.created.set(task.marker, id);
      }
      takeErrors(errors, batch, creation, error => requirements.reasonOf('tasks', error));
    });

  return {
    async createTasks(tasks) {
      const outcome = await create(tasks);
      const isOwned = ({ marker, ownerId }: NewTask) => ownerId !== '' && outcome.refused.get(marker) === 'CRM_REFUSED';
      const owned = tasks.filter(isOwned);
      if (owned.length === 0) return outcome;
      const again = await create(owned.map(task => ({ ...task, ownerId: '' })));
      for (const { marker } of owned) outcome.refused.delete(marker);
      return {
        created: new Map([...outcome.created, ...again.created]),
        refused: new Map([...outcome.refused, ...again.refused]),
      };
    },

    updateTasks: changes =>
      updateAll(
        call,
        requirements,
        'tasks',
        changes.map(change => ({ id: change.id, properties: changedProperties(change) })),
      ),

    archiveTasks: ids => archiveAll(call, 'tasks', ids),

    async readTasks(ids) {
      const found = await Promise.all(batchesOf(ids).map(batch => readBatch(call, batch)));
      const stateOf = ({ hs_task_status: status, hs_task_completion_date: at }: TaskProperties) => {
        const isCompleted = status === 'COMPLETED';
        // While a task is open the CRM may keep its due date there.
        return { isCompleted, completedAt: isCompleted ? at : '' };
      };
      return new Map(found.flat().map(({ id, properties }) => [id, stateOf(properties)]));
    },

    findTasks: wanted =>
      findMarkers(call, 'tasks', wanted, async ids => {
        const results = await readBatch(call, ids);
        return results.map(({ id, properties }) => ({ id, body: properties.hs_task_body }));
      }),

    async readOwners(contactIds) {
      try {
        const found = await Promise.all(batchesOf(contactIds).map(batch => readOwnersOf(call, batch)));
        return new Map(found.flat());
      } catch (err) {
        if (err instanceof HttpFailure) return new Map();
        throw err;
      }
    },
  };
}

type TaskProperties = { hs_task_status: string; hs_task_completion_date: string };

/** The trace ids make the CRM accept the good tasks of a batch and say which ones it refused. */
function createBatch(call: Call, tasks: readonly NewTask[], required: Record<string, string>) {
  const inputs = tasks.map(task => ({
    objectWriteTraceId: task.marker,
    properties: { ...required, ...newProperties(task) },
    associations: [toContact(task.contactId, AssociationTypes.taskToContact)],
  }));
  const about = { name: 'create tasks', kind: 'call', repeat: false, reply: tasksReply } as const;
  return call(about, sdk => sdk.crm.objects.tasks.batchApi.create({ inputs }));
}

function newProperties({ subject, dueAt, bodyHtml, isUrgent, ownerId }: NewTask): Record<string, string> {
  return {
    hs_timestamp: dueAt.toISOString(),
    hs_task_subject: subject,
    hs_task_body: bodyHtml,
    hs_task_status: 'NOT_STARTED',
    hs_task_type: 'TODO',
    hs_task_priority: isUrgent ? 'HIGH' : 'MEDIUM',
    ...(ownerId && { hubspot_owner_id: ownerId }),
  };
}

function changedProperties({ subject, dueAt, isCompleted }: TaskChange): Record<string, string> {
  return {
    ...(subject !== undefined && { hs_task_subject: subject }),
    ...(dueAt && { hs_timestamp: dueAt.toISOString() }),
    ...(isCompleted !== undefined && { hs_task_status: isCompleted ? 'COMPLETED' : 'NOT_STARTED' }),
  };
}

async function readBatch(call: Call, ids: readonly string[]) {
  const body = { inputs: ids.map(id => ({ id })), properties: TASK_PROPERTIES, propertiesWithHistory: [] };
  const about = { name: 'read tasks', kind: 'call', repeat: true, reply: tasksReply } as const;
  const { results } = await call(about, sdk => sdk.crm.objects.tasks.batchApi.read(body));
  return results;
}

/** The CRM answers for the old id of a merged contact, too. */
async function readOwnersOf(call: Call, ids: readonly string[]): Promise<[string, string][]> {
  const body = { inputs: ids.map(id => ({ id })), properties: OWNER_PROPERTIES, propertiesWithHistory: [] };
  const about = { name: 'read owners', kind: 'call', repeat: true, reply: ownersReply } as const;
  const { results } = await call(about, sdk => sdk.crm.contacts.batchApi.read(body));
  return results.flatMap(({ contactIds, ownerId }) =>
    ownerId === '' ? [] : contactIds.map((id): [string, string] => [id, ownerId]),
  );
}
