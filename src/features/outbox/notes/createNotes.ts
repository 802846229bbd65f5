import { createRecords, type Draft } from '../createRecords.ts';
import type { Batch, OutboxDeps } from '../whilePlansWait.ts';
import { digestUrl, type NoteText, noteOf } from './present.ts';
import * as repo from './repo.ts';
import type { ClaimedNote, NoteContent } from './schema.ts';

export type NoteDraft = Draft<ClaimedNote> & { content: NoteContent; text: NoteText };

/** Writes new notes. Those that may already be in the CRM are looked up first. */
export async function createNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  await createRecords<ClaimedNote, NoteDraft>(deps, batch, {
    ...noteFinder(deps, batch),
    draft: items => draftNotes(deps, batch, items),
    markSending: (trx, drafts) => repo.markSending(trx, batch, drafts.map(hashOf)),
    create: drafts => batch.crm.createNotes(drafts.map(({ item, text }) => ({ ...text, contactId: item.contactId }))),
    finish: (trx, written) => repo.finishWritten(trx, batch, written, deps.clock.now()),
  });
}

/** The marker of a note is the address of its digest. */
export function noteFinder({ config }: OutboxDeps, { crm }: Batch<ClaimedNote>) {
  return {
    markerOf({ digestId, deletedDigestId }: ClaimedNote) {
      const id = digestId ?? deletedDigestId;
      return id === null ? undefined : digestUrl(id, config.appUrl);
    },
    find: crm.findNotes,
  };
}

/** What these notes say now. */
export async function draftNotes(
  deps: OutboxDeps,
  batch: Batch<ClaimedNote>,
  items: readonly ClaimedNote[],
): Promise<NoteDraft[]> {
  const contents = await repo.loadContents(deps.db, batch);
  return items.flatMap(item => {
    const content = contents.get(item.id);
    return content ? [{ item, content, text: noteOf(content, deps.config.appUrl) }] : [];
  });
}

const hashOf = ({ item: { id }, content: { hash } }: NoteDraft) => ({ id, hash });
