import type { Crm, TaskChange } from '../types.ts';
import { splitBatches } from './batches.ts';
import type { Call } from './calls.ts';
import { archiveAll, createAll, readAll, updateAll } from './engagements.ts';
import { HttpFailure } from './failures.ts';
import { OWNER_PROPERTIES, ownersReply } from './replies.ts';
import type { Requirements } from './requirements.ts';

type Tasks = Pick<Crm, 'createTasks' | 'updateTasks' | 'archiveTasks' | 'readTasks' | 'readOwners'>;

/** https://developers.hubspot.com/docs/api-reference/latest/crm/activities/tasks/guide: the scopes of contacts cover tasks. */
export function createTaskCalls(call: Call, requirements: Requirements): Tasks {
  const type = 'tasks';
  return {
    async createTasks(tasks) {
      const records = tasks.map(({ marker, contactId, subject, dueAt, bodyHtml, isUrgent, ownerId }) => {
        const properties = {
          hs_timestamp: dueAt.toISOString(),
          hs_task_subject: subject,
          hs_task_body: bodyHtml,
          hs_task_status: 'NOT_STARTED',
          hs_task_type: 'TODO',
          hs_task_priority: isUrgent ? 'HIGH' : 'MEDIUM',
        };
        return { marker, contactId, properties, owner: ownerId ? { hubspot_owner_id: ownerId } : null };
      });
      const owned = records.map(record => ({ ...record, properties: { ...record.properties, ...record.owner } }));
      const outcome = await createAll(call, requirements, type, owned);
      const ownerRefused = records.filter(({ marker, owner }) => owner && outcome.refused.get(marker) === 'CRM_REFUSED');
      for (const { marker } of ownerRefused) outcome.refused.delete(marker);
      const retried = await createAll(call, requirements, type, ownerRefused);
      return {
        created: new Map([...outcome.created, ...retried.created]),
        refused: new Map([...outcome.refused, ...retried.refused]),
      };
    },

    updateTasks: changes =>
      updateAll(
        call,
        requirements,
        type,
        changes.map(change => ({ id: change.id, properties: changedProperties(change) })),
      ),

    archiveTasks: ids => archiveAll(call, type, ids),

    async readTasks(ids) {
      const found = await Promise.all(splitBatches(ids).map(batch => readAll(call, type, batch)));
      return new Map(found.flat().map(({ id, isCompleted, completedAt }) => [id, { isCompleted, completedAt }]));
    },

    async readOwners(contactIds) {
      try {
        const found = await Promise.all(splitBatches(contactIds).map(batch => readOwnersOf(call, batch)));
        return new Map(found.flat());
      } catch (err) {
        if (err instanceof HttpFailure) return new Map();
        throw err;
      }
    },
  };
}

function changedProperties({ subject, dueAt, isCompleted }: TaskChange): Record<string, string> {
  return {
    ...(subject !== undefined && { hs_task_subject: subject }),
    ...(dueAt && { hs_timestamp: dueAt.toISOString() }),
    ...(isCompleted !== undefined && { hs_task_status: isCompleted ? 'COMPLETED' : 'NOT_STARTED' }),
  };
}

/** The CRM answers for the old id of a merged contact, too. */
async function readOwnersOf(call: Call, ids: readonly string[]): Promise<[string, string][]> {
  const body = { inputs: ids.map(id => ({ id })), properties: OWNER_PROPERTIES, propertiesWithHistory: [] };
  const description = { name: 'read owners', kind: 'call', repeat: true, reply: ownersReply } as const;
  const { results } = await call(description, sdk => sdk.crm.contacts.batchApi.read(body));
  return results.flatMap(({ contactIds, ownerId }) =>
    ownerId === '' ? [] : contactIds.map((id): [string, string] => [id, ownerId]),
  );
}
