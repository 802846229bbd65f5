import type { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/notes/models/AssociationSpec.js';
import type { NotesCreated } from '../types.ts';
import { batchesOf } from './batches.ts';
import type { Call } from './calls.ts';
import { idsIn, isGone } from './contacts.ts';
import { associationsReply, type BatchError } from './replies.ts';

/** What notes and tasks have in common. */

/** @param associationTypeId from this kind of record to contacts */
export function toContact(id: string, associationTypeId: number) {
  const associationCategory = 'HUBSPOT_DEFINED' as AssociationSpecAssociationCategoryEnum;
  return { to: { id }, types: [{ associationCategory, associationTypeId }] };
}

type Sent = { marker: string; contactId: string };

/** What of a batch was not created, and why. */
export function takeErrors(errors: readonly BatchError[], sent: readonly Sent[], outcome: NotesCreated): void {
  for (const error of errors) {
    for (const { marker } of sent.filter(one => idsIn(error, new Set([one.marker, one.contactId])).length > 0)) {
      if (!outcome.created.has(marker)) outcome.refused.set(marker, isGone(error) ? 'CRM_CONTACT_GONE' : 'CRM_REFUSED');
    }
  }
}

/** Which markers are in the text of a record of this kind on these contacts: the record's id, by marker. */
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

/** Newest first: what is looked for was written lately. */
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
