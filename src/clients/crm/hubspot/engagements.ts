import type { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/notes/models/AssociationSpec.js';
import type { Created, Refusal, Sought, Updated } from '../types.ts';
import { batchesOf, sendOrHalve } from './batches.ts';
import type { Call } from './calls.ts';
import { idsIn } from './contacts.ts';
import { type HttpFailure, isAboutGone } from './failures.ts';
import { anyReply, associationsReply, type BatchError, writtenReply } from './replies.ts';
import type { Requirements } from './requirements.ts';

/** What notes and tasks have in common. */

/** @param associationTypeId from this kind of record to contacts */
export function toContact(id: string, associationTypeId: number) {
  const associationCategory = 'HUBSPOT_DEFINED' as AssociationSpecAssociationCategoryEnum;
  return { to: { id }, types: [{ associationCategory, associationTypeId }] };
}

type Kind = 'notes' | 'tasks';

/** Collects what became of new notes, or tasks, while they are sent. */
export type Creation = { outcome: Created; refused: (BatchError | HttpFailure)[] };

/** Takes in what of a batch was not created, and why. */
export function takeErrors(
  errors: readonly BatchError[],
  sent: readonly Sought[],
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
export async function createAll<T extends Sought>(
  requirements: Requirements,
  type: Kind,
  items: readonly T[],
  create: (batch: readonly T[], required: Record<string, string>, creation: Creation) => Promise<void>,
): Promise<Created> {
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

/**
 * Changes notes, or tasks, in batches. One that lacks what the account requires is sent once more with it, as far as the
 * person said what to send.
 */
export async function updateAll(
  call: Call,
  requirements: Requirements,
  type: Kind,
  changes: readonly { id: string; properties: Record<string, string> }[],
): Promise<Updated> {
  const { gone, refused }: Updated = { gone: [], refused: new Map() };
  if (changes.length === 0) return { gone, refused };
  const about = { name: `update ${type}`, kind: 'call', repeat: true, reply: writtenReply } as const;
  const asked = new Set(changes.map(({ id }) => id));
  const note = (ids: readonly string[], reason: Refusal) => {
    if (reason === 'CRM_CONTACT_GONE') gone.push(...ids);
    else for (const id of ids) refused.set(id, reason);
  };
  const send = async (batch: typeof changes) => {
    const { errors } = await call(about, sdk => sdk.crm.objects[type].batchApi.update({ inputs: [...batch] }));
    for (const error of errors) note(idsIn(error, asked), requirements.reasonOf(type, error));
  };
  await sendOrHalve(changes, send, async ({ id, properties }, failure) => {
    const left = await requirements.complete(type, failure, required =>
      send([{ id, properties: { ...required, ...properties } }]),
    );
    await requirements.learn(type, { refused: [left ?? failure] });
    if (left) note([id], requirements.reasonOf(type, left));
  });
  return { gone, refused };
}

/** Archives notes, or tasks; what is gone already counts as archived. */
export async function archiveAll(call: Call, type: Kind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const about = { name: `archive ${type}`, kind: 'call', repeat: true, reply: anyReply } as const;
  await sendOrHalve(
    ids.map(id => ({ id })),
    async inputs => {
      await call(about, sdk => sdk.crm.objects[type].batchApi.archive({ inputs: [...inputs] }));
    },
    (_gone, failure) => {
      if (!isAboutGone(failure)) throw failure;
    },
  );
}

/** Finds the records of this kind on these contacts whose text has one of the markers: the record's id, by marker. */
export async function findMarkers(
  call: Call,
  type: Kind,
  wanted: readonly Sought[],
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
async function listOf(call: Call, type: Kind, contactIds: string[]): Promise<string[]> {
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
