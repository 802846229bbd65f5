import { AssociationTypes } from '@hubspot/api-client';
import type { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/notes/models/AssociationSpec.js';
import type { Created, Crm, RecordLookup, Updated } from '../types.ts';
import { sendOrHalve, splitBatches } from './batches.ts';
import type { Call } from './calls.ts';
import { findRefusedIds, findRefusedUpdates } from './contacts.ts';
import { type HttpFailure, isRecordGone } from './failures.ts';
import * as replies from './replies.ts';
import type { Requirements } from './requirements.ts';

/* Calls that notes and tasks share. */

type EngagementKind = 'notes' | 'tasks';

/** The vendor's type of the association of a note, or task, to a contact. */
const TO_CONTACT = { notes: AssociationTypes.noteToContact, tasks: AssociationTypes.taskToContact };
const associationCategory = 'HUBSPOT_DEFINED' as AssociationSpecAssociationCategoryEnum;

/**
 * Creates at most 100 notes or tasks, with the account's required properties. Trace ids let the CRM accept the valid records
 * of a batch and name the refused ones.
 */
export async function createAll(
  call: Call,
  requirements: Requirements,
  type: EngagementKind,
  items: readonly (RecordLookup & { properties: Record<string, string> })[],
): Promise<Created> {
  const outcome: Created = { created: new Map(), refused: new Map() };
  if (items.length === 0) return outcome;
  const refused: (replies.BatchError | HttpFailure)[] = [];
  const required = await requirements.loadValues(type);
  const description = { name: `create ${type}`, kind: 'call', repeat: false, reply: replies.engagementsReply } as const;
  await sendOrHalve(
    items,
    async batch => {
      const inputs = batch.map(({ marker, contactId, properties }) => ({
        objectWriteTraceId: marker,
        properties: { ...required, ...properties },
        associations: [{ to: { id: contactId }, types: [{ associationCategory, associationTypeId: TO_CONTACT[type] }] }],
      }));
      const { results, errors } = await call(description, sdk => sdk.crm.objects[type].batchApi.create({ inputs }));
      for (const { id, objectWriteTraceId, body } of results) {
        const item = batch.find(({ marker }) => objectWriteTraceId === marker || body.includes(marker));
        if (item) outcome.created.set(item.marker, id);
      }
      refused.push(...errors);
      for (const error of errors) {
        const isMeant = ({ marker, contactId }: RecordLookup) =>
          !outcome.created.has(marker) && findRefusedIds(error, new Set([marker, contactId])).length > 0;
        const reason = requirements.findRefusalReason(type, error);
        for (const { marker } of batch.filter(isMeant)) outcome.refused.set(marker, reason);
      }
    },
    ({ marker }, failure) => {
      refused.push(failure);
      outcome.refused.set(marker, requirements.findRefusalReason(type, failure));
    },
    isAboutAllNew,
  );
  await requirements.learn(type, { refused, accepted: outcome.created.size > 0 ? required : undefined });
  return outcome;
}

/** Existing records, at most 100. */
export async function readAll(call: Call, type: EngagementKind, ids: readonly string[]) {
  const properties = type === 'notes' ? replies.NOTE_PROPERTIES : replies.TASK_PROPERTIES;
  const body = { inputs: ids.map(id => ({ id })), properties, propertiesWithHistory: [] };
  const description = { name: `read ${type}`, kind: 'call', repeat: true, reply: replies.engagementsReply } as const;
  return (await call(description, sdk => sdk.crm.objects[type].batchApi.read(body))).results;
}

/**
 * Whether the refusal concerns every new record, so that halving the batch doesn't help: a property that all new
 * records require, or a missing permission. Existing records may have the property.
 */
function isAboutAllNew({ objection }: HttpFailure): boolean {
  return objection !== undefined && (objection.isAssociation || objection.missing.some(one => !one.isConditional));
}

/** Changes at most 100 notes or tasks. One that lacks a required value is sent once more with what the person set. */
export async function updateAll(
  call: Call,
  requirements: Requirements,
  type: EngagementKind,
  changes: readonly { id: string; properties: Record<string, string> }[],
): Promise<Updated> {
  const { gone, refused }: Updated = { gone: [], refused: new Map() };
  if (changes.length === 0) return { gone, refused };
  const description = { name: `update ${type}`, kind: 'call', repeat: true, reply: replies.writtenReply } as const;
  const recordRefusal = (ids: readonly string[], failure: replies.BatchError | HttpFailure) => {
    if (isRecordGone(failure)) gone.push(...ids);
    else for (const id of ids) refused.set(id, requirements.findRefusalReason(type, failure));
  };
  const send = async (batch: typeof changes) => {
    const reply = await call(description, sdk => sdk.crm.objects[type].batchApi.update({ inputs: [...batch] }));
    for (const error of reply.errors) recordRefusal(findRefusedUpdates(error, batch, reply), error);
  };
  await sendOrHalve(changes, send, async ({ id, properties }, failure) => {
    const remainingFailure = await requirements.complete(type, failure, required =>
      send([{ id, properties: { ...required, ...properties } }]),
    );
    await requirements.learn(type, { refused: [remainingFailure ?? failure] });
    if (remainingFailure) recordRefusal([id], remainingFailure);
  });
  return { gone, refused };
}

/** Archives notes or tasks; missing ones count as archived. */
export async function archiveAll(call: Call, type: EngagementKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const description = { name: `archive ${type}`, kind: 'call', repeat: true, reply: replies.anyReply } as const;
  await sendOrHalve(
    ids.map(id => ({ id })),
    async inputs => {
      await call(description, sdk => sdk.crm.objects[type].batchApi.archive({ inputs: [...inputs] }));
    },
    (_gone, failure) => {
      if (!isRecordGone(failure)) throw failure;
    },
  );
}

/** Finds the records of this kind on these contacts whose text has one of the markers: the record's id, by marker. */
export async function findRecords(
  call: Call,
  type: EngagementKind,
  lookups: readonly RecordLookup[],
): Promise<Map<string, string>> {
  const missing = new Set(lookups.map(({ marker }) => marker));
  const found = new Map<string, string>();
  const ids = await listEngagementIds(call, type, [...new Set(lookups.map(({ contactId }) => contactId))]);
  for (const batch of splitBatches(ids)) {
    if (missing.size === 0) break;
    for (const { id, body } of await readAll(call, type, batch)) {
      const marker = [...missing].find(candidate => body.includes(candidate));
      if (marker && missing.delete(marker)) found.set(marker, id);
    }
  }
  return found;
}

/** Newest first: the records to find were written recently. */
async function listEngagementIds(call: Call, type: EngagementKind, contactIds: string[]): Promise<string[]> {
  const description = { name: `list ${type}`, kind: 'call', repeat: true, reply: replies.associationsReply } as const;
  const found = new Set<string>();
  let open: { id: string; after?: string }[] = contactIds.map(id => ({ id }));
  while (open.length > 0) {
    const next: { id: string; after?: string }[] = [];
    for (const inputs of splitBatches(open)) {
      const { results } = await call(description, sdk =>
        sdk.crm.associations.v4.batchApi.getPage('contacts', type, { inputs }),
      );
      for (const { _from: from, to, paging } of results) {
        for (const { toObjectId } of to) found.add(toObjectId);
        if (paging?.next) next.push({ id: from.id, after: paging.next.after });
      }
    }
    open = next;
  }
  return [...found].sort((a, b) => b.length - a.length || (a < b ? 1 : -1));
}

type Notes = Pick<Crm, 'createNotes' | 'updateNotes' | 'archiveNotes'>;

export function createNoteCalls(call: Call, requirements: Requirements): Notes {
  const type = 'notes';
  return {
    createNotes: notes =>
      createAll(
        call,
        requirements,
        type,
        notes.map(note => ({ ...note, properties: noteProperties(note) })),
      ),
    updateNotes: notes =>
      updateAll(
        call,
        requirements,
        type,
        notes.map(note => ({ id: note.id, properties: noteProperties(note) })),
      ),
    archiveNotes: ids => archiveAll(call, type, ids),
  };
}

function noteProperties({ at, bodyHtml }: { at: Date; bodyHtml: string }): Record<string, string> {
  return { hs_timestamp: at.toISOString(), hs_note_body: bodyHtml };
}
