import type { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/notes/models/AssociationSpec.js';
import type { NotesCreated, Refusal } from '../types.ts';
import { batchesOf, sendOrHalve } from './batches.ts';
import type { Call } from './calls.ts';
import { idsIn } from './contacts.ts';
import type { HttpFailure } from './failures.ts';
import { associationsReply, type BatchError } from './replies.ts';
import type { Requirements } from './requirements.ts';

/** What notes and tasks have in common. */

/** @param associationTypeId from this kind of record to contacts */
export function toContact(id: string, associationTypeId: number) {
  const associationCategory = 'HUBSPOT_DEFINED' as AssociationSpecAssociationCategoryEnum;
  return { to: { id }, types: [{ associationCategory, associationTypeId }] };
}

type Sent = { marker: string; contactId: string };

/** Collects what became of new notes, or tasks, while they are sent. */
export type Creation = { outcome: NotesCreated; refused: (BatchError | HttpFailure)[] };

/** Takes in what of a batch was not created, and why. */
export function takeErrors(
  errors: readonly BatchError[],
  sent: readonly Sent[],
  { outcome, refused }: Creation,
  reasonOf: (error: BatchError) => Refusal,
): void {
  refused.push(...errors);
  for (const error of errors) {
    for (const { marker } of sent.filter(one => idsIn(error, new Set([one.marker, one.contactId])).length > 0)) {
      if (!outcome.created.has(marker)) outcome.refused.set(marker, reasonOf(error));
    }
  }
}

/**
 * Creates notes, or tasks, in batches, each with the properties the account requires. `create` sends one batch.
 */
export async function createAll<T extends Sent>(
  requirements: Requirements,
  type: 'notes' | 'tasks',
  items: readonly T[],
  create: (batch: readonly T[], required: Record<string, string>, creation: Creation) => Promise<void>,
): Promise<NotesCreated> {
  const creation: Creation = { outcome: { created: new Map(), refused: new Map() }, refused: [] };
  if (items.length === 0) return creation.outcome;
  const required = await requirements.valuesFor(type);
  await sendOrHalve(
    items,
    batch => create(batch, required, creation),
    ({ marker }, failure) => {
      creation.refused.push(failure);
      creation.outcome.refused.set(marker, requirements.reasonOf(type, failure));
    },
    isAboutAllNew,
  );
  const taken = creation.outcome.created.size > 0 ? required : undefined;
  await requirements.learn(type, { refused: creation.refused, taken });
  return creation.outcome;
}

/** What all new records require, or the person may not do, holds for each half too. An existing record may have it. */
function isAboutAllNew({ objection }: HttpFailure): boolean {
  return objection !== undefined && (objection.isAssociation || objection.missing.some(one => !one.isConditional));
}

/** Finds the records of this kind on these contacts whose text has one of the markers: the record's id, by marker. */
export async function findMarkers(
  call: Call,
  type: 'notes' | 'tasks',
  wanted: readonly Sent[],
  readBodies: (ids: string[]) => Promise<{ id: string; body: string }[]>,
): Promise<Map<string, string>> {
  const missing = new Set(wanted.map(({ marker }) => marker));
  const found = new Map<string, string>();
  const ids = await listOf(call, type, [...new Set(wanted.map(({ contactId }) => contactId))]);
  for (const batch of batchesOf(ids)) {
    if (missing.size === 0) break;
    for (const { id, body } of await readBodies(batch)) {
      const marker = [...missing].find(candidate => body.includes(candidate));
      if (marker && missing.delete(marker)) found.set(marker, id);
    }
  }
  return found;
}

/** Newest first: the records to find were written recently. */
async function listOf(call: Call, type: 'notes' | 'tasks', contactIds: string[]): Promise<string[]> {
  const about = { name: `list ${type}`, kind: 'call', repeat: true, reply: associationsReply } as const;
  const found = new Set<string>();
  let open: { id: string; after?: string }[] = contactIds.map(id => ({ id }));
  while (open.length > 0) {
    const next: { id: string; after?: string }[] = [];
    for (const inputs of batchesOf(open)) {
      const { results } = await call(about, sdk =>
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
