import { forgetContacts, updateContacts } from '../contactProperties/updateContacts.ts';
import { createRecords, type Draft, findUnclear, updateRecords } from '../createRecords.ts';
import { deliver, type Writer } from '../deliver.ts';
import { deleteHeld } from '../repo.ts';
import type { Met } from '../schema.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from '../service.ts';
import { planNotes } from './planNotes.ts';
import { digestUrl, type NoteText, noteOf } from './present.ts';
import * as repo from './repo.ts';
import { NOTES } from './rules.ts';
import type { ClaimedNote, NoteContent } from './schema.ts';

type Wanted = { userId: string; signal?: AbortSignal | undefined } & repo.OfJobs;

/**
 * Writes the user's notes to the CRM, as {@link deliver} does: those of digests that a sync wrote, or of all others, and
 * removes those that are unwanted. Plans only what it touched.
 */
export function deliverNotes(deps: OutboxDeps, { userId, signal, ...ofJobs }: Wanted): Promise<Met[]> {
  const writer: Writer<ClaimedNote> = {
    kind: NOTES,
    claim: (wanted, state) => repo.claimNotes(deps.db, { ...wanted, state, ofJobs }),
    work: { unwanted: removeNotes, waiting: createNotes, outdated: updateNotes },
    plan: dialogIds => planNotes(deps, { userId, dialogIds }),
    end: delivery => updateContacts(deps, delivery),
  };
  return deliver(deps, writer, { userId, signal });
}

type NoteDraft = Draft<ClaimedNote> & { content: NoteContent; text: NoteText };

/** Writes new notes. Those that may already be in the CRM are looked up first. */
async function createNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  await createRecords<ClaimedNote, NoteDraft>(deps, batch, {
    ...noteFinder(deps, batch),
    draft: items => draftNotes(deps, batch, items),
    markSending: (trx, drafts) => repo.markSending(trx, batch, drafts.map(hashOf)),
    create: drafts => batch.crm.createNotes(drafts.map(({ item, text }) => ({ ...text, contactId: item.contactId }))),
    finish: (trx, written) => repo.finishWritten(trx, batch, written, deps.clock.now()),
  });
}

/** The marker of a note is the address of its digest. */
function noteFinder({ config }: OutboxDeps, { crm }: Batch<ClaimedNote>) {
  return {
    markerOf({ digestId, deletedDigestId }: ClaimedNote) {
      const id = digestId ?? deletedDigestId;
      return id === null ? undefined : digestUrl(id, config.appUrl);
    },
    find: crm.findNotes,
  };
}

/** What these notes say now. */
async function draftNotes(
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

/** Writes the notes that have changed. A note that was deleted in the CRM is created again. */
async function updateNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  await updateRecords(deps, batch, {
    drafts: await draftNotes(deps, batch, batch.items),
    update: drafts => batch.crm.updateNotes(drafts.map(({ item, text }) => ({ ...text, id: item.crmId ?? '' }))),
    finish: (trx, drafts) => repo.finishWritten(trx, batch, drafts.map(writtenOf), deps.clock.now()),
    lose: (trx, ids) => repo.loseNotes(trx, batch, ids),
  });
}

const writtenOf = ({ item: { id, crmId }, content: { hash } }: NoteDraft) => ({ id, crmId: crmId ?? '', hash });

/** Removes notes, including those that may or may not be in the CRM. */
async function removeNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  const found = await findUnclear(batch.items, noteFinder(deps, batch));
  await batch.crm.archiveNotes(batch.items.flatMap(({ id, crmId }) => crmId ?? found.get(id) ?? []));
  await forgetContacts(deps, batch);
  const ids = batch.items.map(({ id }) => id);
  await whilePlansWait(deps, batch, trx => deleteHeld(trx, batch.kind, batch, ids));
}
