import { z } from 'zod';
import { findContactBy } from '../contacts.ts';
import type { CrmRecord, ObjectType } from '../records.ts';
import { invalid, Refusal } from '../refusals.ts';
import { findRecord, type Portal } from '../state.ts';
import { type Change, type Creation, change, creation, id, read, readInputs } from './input.ts';
import { type BatchProblem, batchAnswer, missingProblem, problemFrom, recordReply, writtenReply } from './replies.ts';
import { type Answer, type Call, READS_CONTACTS, type Route, WRITES_CONTACTS } from './route.ts';
import { changedRecord, newRecord } from './writing.ts';

const reads = { scopes: READS_CONTACTS };
const writes = { scopes: WRITES_CONTACTS };
const names = z
  .array(z.string())
  .nullish()
  .transform(given => given ?? []);

/** Everything under `/batch`. */
export function batchRoutes(type: ObjectType): Route[] {
  const about = (name: string) => ({ method: 'post', path: `/batch/${name}` }) as const;
  const kind = (name: string) => `${type}.batch${name}`;
  const upsert: Route = { ...about('upsert'), kind: kind('Upsert'), ...writes, handle: upsertMany };
  return [
    { ...about('read'), kind: kind('Read'), ...reads, handle: call => readMany(call, type) },
    { ...about('create'), kind: kind('Create'), ...writes, handle: call => createMany(call, type) },
    { ...about('update'), kind: kind('Update'), ...writes, handle: call => updateMany(call, type) },
    { ...about('archive'), kind: kind('Archive'), ...writes, handle: call => archiveMany(call, type) },
    ...(type === 'contacts' ? [upsert] : []),
  ];
}

/** Two ids that were merged into one record give one result. */
function readMany({ portal, body }: Call, type: ObjectType): Answer {
  const inputs = readInputs(z.object({ id }), body);
  const { idProperty, properties } = read(z.object({ idProperty: z.string().nullish(), properties: names }), body);
  const { found, missing } = look(portal, type, inputs, idProperty);
  const results = [...new Set(found.values())].map(record => recordReply(record, properties));
  return batchAnswer(200, results, missing.length > 0 ? [missingProblem(type, missing)] : []);
}

/**
 * Creates all or none, unless each has a trace id: then the valid ones are created and the others named. The results
 * are in no particular order, since the vendor promises none.
 */
function createMany(call: Call, type: ObjectType): Answer {
  const { state, portal, body } = call;
  const inputs = readInputs(creation, body);
  const isTraced = inputs.every(input => input.objectWriteTraceId);
  const made: { record: CrmRecord; input: Creation }[] = [];
  const problems: BatchProblem[] = [];
  for (const input of inputs) {
    try {
      requireNotTwice(portal, type, made, input);
      made.push({ record: newRecord(call, type, input), input });
    } catch (error) {
      if (!(error instanceof Refusal) || !isTraced) throw error;
      problems.push(problemFrom(error, { objectWriteTraceId: [input.objectWriteTraceId ?? ''] }));
    }
  }
  state.save(made.map(({ record }) => record));
  const results = made.toReversed().map(({ record, input }) => withTrace(writtenReply(record), input));
  return batchAnswer(201, results, problems);
}

function requireNotTwice(portal: Portal, type: ObjectType, made: { input: Creation }[], { properties }: Creation): void {
  if (type !== 'contacts') return;
  for (const [name, value] of Object.entries(properties)) {
    const isUnique = name === 'email' || portal.properties.contacts.get(name)?.hasUniqueValue;
    const isTwice = isUnique && value !== '' && made.some(({ input }) => input.properties[name] === value);
    if (isTwice) throw invalid(`Duplicate ${name} found in batch input. Values must be unique.`);
  }
}

function withTrace(reply: Record<string, unknown>, { objectWriteTraceId }: Creation | Change) {
  return objectWriteTraceId ? { ...reply, objectWriteTraceId } : reply;
}

/** Names unknown ids and changes the other records; a wrong value rejects the whole batch. */
function updateMany(call: Call, type: ObjectType): Answer {
  const { state, portal, body } = call;
  const inputs = readInputs(change, body);
  requireDifferent(inputs);
  const changed: CrmRecord[] = [];
  const missing: string[] = [];
  for (const input of inputs) {
    const record = look(portal, type, [input], input.idProperty).found.get(input.id);
    if (record) changed.push(changedRecord(call, record, input.properties));
    else missing.push(input.id);
  }
  state.save(changed);
  return batchAnswer(200, changed.map(writtenReply), missing.length > 0 ? [missingProblem(type, missing)] : []);
}

function requireDifferent(inputs: readonly { id: string }[]): void {
  const twice = inputs.map(({ id: each }) => each).filter((each, index, ids) => ids.indexOf(each) !== index);
  if (twice.length > 0) throw invalid(`Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`);
}

/** A record that no longer exists counts as archived. */
function archiveMany({ state, portal, body }: Call, type: ObjectType): Answer {
  const { found } = look(portal, type, readInputs(z.object({ id }), body), null);
  state.save([...new Set(found.values())].map(record => ({ ...record, archivedAt: state.now() })));
  return { status: 204 };
}

function upsertMany(call: Call): Answer {
  const { state, portal, body } = call;
  const inputs = readInputs(change, body);
  const results = inputs.map(input => {
    const idProperty = input.idProperty ?? 'hs_object_id';
    const existing = findContactBy(portal, idProperty, input.id);
    const properties = { ...input.properties, ...(idProperty !== 'hs_object_id' && { [idProperty]: input.id }) };
    const record = existing
      ? changedRecord(call, existing, properties)
      : newRecord(call, 'contacts', { properties, associations: [] });
    state.save([record]);
    return withTrace({ ...writtenReply(record), new: !existing }, input);
  });
  return batchAnswer(200, results);
}

function look(portal: Portal, type: ObjectType, inputs: readonly { id: string }[], idProperty: string | null | undefined) {
  const found = new Map<string, CrmRecord>();
  const missing: string[] = [];
  for (const input of inputs) {
    const byProperty = type === 'contacts' && idProperty;
    const record = byProperty ? findContactBy(portal, idProperty, input.id) : findRecord(portal, type, input.id);
    if (record) found.set(input.id, record);
    else missing.push(input.id);
  }
  return { found, missing };
}
