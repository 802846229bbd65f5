import { AssociationTypes } from '@hubspot/api-client';
import type { Crm, NewNote, NotesCreated } from '../types.ts';
import { sendOrHalve } from './batches.ts';
import type { Call } from './calls.ts';
import { idsIn, isGone } from './contacts.ts';
import { findMarkers, takeErrors, toContact } from './engagements.ts';
import { isAboutGone } from './failures.ts';
import { anyReply, notesReply, writtenReply } from './replies.ts';

type Notes = Pick<Crm, 'createNotes' | 'updateNotes' | 'archiveNotes' | 'findNotes'>;

export function noteCalls(call: Call): Notes {
  return {
    async createNotes(notes) {
      const outcome: NotesCreated = { created: new Map(), refused: new Map() };
      if (notes.length === 0) return outcome;
      await sendOrHalve(
        notes,
        batch => createBatch(call, batch, outcome),
        ({ marker }, failure) => outcome.refused.set(marker, isAboutGone(failure) ? 'CRM_CONTACT_GONE' : 'CRM_REFUSED'),
      );
      return outcome;
    },

    async updateNotes(notes) {
      const gone: string[] = [];
      if (notes.length === 0) return { gone };
      const inputs = notes.map(({ id, ...note }) => ({ id, properties: noteProperties(note) }));
      const about = { name: 'update notes', kind: 'call', repeat: true, reply: writtenReply } as const;
      const asked = new Set(notes.map(({ id }) => id));
      await sendOrHalve(
        inputs,
        async batch => {
          const { errors } = await call(about, sdk => sdk.crm.objects.notes.batchApi.update({ inputs: [...batch] }));
          for (const error of errors) if (isGone(error)) gone.push(...idsIn(error, asked));
        },
        ({ id }, failure) => {
          if (!isAboutGone(failure)) throw failure;
          gone.push(id);
        },
      );
      return { gone };
    },

    async archiveNotes(ids) {
      if (ids.length === 0) return;
      const about = { name: 'archive notes', kind: 'call', repeat: true, reply: anyReply } as const;
      await sendOrHalve(
        ids.map(id => ({ id })),
        async inputs => {
          await call(about, sdk => sdk.crm.objects.notes.batchApi.archive({ inputs: [...inputs] }));
        },
        (_gone, failure) => {
          if (!isAboutGone(failure)) throw failure;
        },
      );
    },

    findNotes: wanted => findMarkers(call, 'notes', wanted, ids => readBodies(call, ids)),
  };
}

/** The trace ids make the CRM take the good notes of a batch and say which it did not take. */
async function createBatch(call: Call, notes: readonly NewNote[], outcome: NotesCreated): Promise<void> {
  const inputs = notes.map(note => ({
    objectWriteTraceId: note.marker,
    properties: noteProperties(note),
    associations: [toContact(note.contactId, AssociationTypes.noteToContact)],
  }));
  const about = { name: 'create notes', kind: 'call', repeat: false, reply: notesReply } as const;
  const { results, errors } = await call(about, sdk => sdk.crm.objects.notes.batchApi.create({ inputs }));
  for (const { id, objectWriteTraceId, properties } of results) {
    const note = notes.find(({ marker }) => objectWriteTraceId === marker || properties.hs_note_body.includes(marker));
    if (note) outcome.created.set(note.marker, id);
  }
  takeErrors(errors, notes, outcome);
}

function noteProperties({ at, bodyHtml }: { at: Date; bodyHtml: string }): Record<string, string> {
  return { hs_timestamp: at.toISOString(), hs_note_body: bodyHtml };
}

async function readBodies(call: Call, ids: string[]): Promise<{ id: string; body: string }[]> {
  const body = { inputs: ids.map(id => ({ id })), properties: ['hs_note_body'], propertiesWithHistory: [] };
  const about = { name: 'read notes', kind: 'call', repeat: true, reply: notesReply } as const;
  const { results } = await call(about, sdk => sdk.crm.objects.notes.batchApi.read(body));
  return results.map(note => ({ id: note.id, body: note.properties.hs_note_body }));
}
