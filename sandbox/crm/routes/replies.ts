import { DEFAULT_PROPERTIES } from '../builtInProperties.ts';
import { type CrmRecord, type ObjectType, propertyOf } from '../records.ts';
import type { Refusal } from '../refusals.ts';
import type { Answer } from './route.ts';

const ALWAYS: Record<ObjectType, readonly string[]> = {
  contacts: ['createdate', 'hs_object_id', 'lastmodifieddate'],
  notes: ['hs_createdate', 'hs_object_id', 'hs_lastmodifieddate'],
  tasks: ['hs_createdate', 'hs_object_id', 'hs_lastmodifieddate'],
};

/** Has the requested properties, null for those without a value; the vendor's defaults when none were requested. */
export function recordReply(record: CrmRecord, wanted: readonly string[] | undefined): Record<string, unknown> {
  const names = wanted && wanted.length > 0 ? wanted : DEFAULT_PROPERTIES[record.type];
  return reply(record, [...names, ...ALWAYS[record.type]]);
}

/** The reply to a write: all properties. */
export function writtenReply(record: CrmRecord): Record<string, unknown> {
  return reply(record, [...Object.keys(record.properties), ...ALWAYS[record.type]]);
}

function reply(record: CrmRecord, names: readonly string[]): Record<string, unknown> {
  return {
    id: record.id,
    properties: Object.fromEntries(names.map(name => [name, propertyOf(record, name) ?? null])),
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
    archived: false,
  };
}

export type BatchProblem = {
  status: 'error';
  category: unknown;
  message: string;
  context: Record<string, string[]>;
  errors?: unknown;
};

/** The status is 207 when a part failed. */
export function batchAnswer(status: 200 | 201, results: unknown[], problems: BatchProblem[] = []): Answer {
  const at = new Date().toISOString();
  const body = { status: 'COMPLETE', results, startedAt: at, completedAt: at };
  if (problems.length === 0) return { status, body };
  return { status: 207, body: { ...body, numErrors: problems.length, errors: problems } };
}

export function missingProblem(type: ObjectType, ids: string[]): BatchProblem {
  const kind = { contacts: 'CONTACT', notes: 'NOTE', tasks: 'TASK' }[type];
  const message = `Could not get some ${kind} objects, they may be deleted or not exist. Check that ids are valid.`;
  return { status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids } };
}

export function problemFrom(refusal: Refusal, context: Record<string, string[]>): BatchProblem {
  const { category, errors } = refusal.body;
  return { status: 'error', category, message: refusal.message, context, ...(errors !== undefined && { errors }) };
}
