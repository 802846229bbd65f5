import { AssociationTypes } from '@hubspot/api-client';
import type { Crm, NewNote } from '../types.ts';
import type { Call } from './calls.ts';
import { archiveAll, createAll, findMarkers, takeErrors, toContact, updateAll } from './engagements.ts';
import { notesReply } from './replies.ts';
import type { Requirements } from './requirements.ts';

type Notes = Pick<Crm, 'createNotes' | 'updateNotes' | 'archiveNotes' | 'findNotes'>;

export function noteCalls(call: Call, requirements: Requirements): Notes {
  return {
    createNotes: notes =>
      createAll(requirements, 'notes', notes, async (batch, required, creation) => {
        const { results, errors } = await createBatch(call, batch, required);
        for (const { id, objectWriteTraceId, properties } of results) {
          const note = batch.find(
            ({ marker }) => objectWriteTraceId === marker || properties.hs_note_body.includes(marker),
          );
          if (note) creation.outcome.created.set(note.marker, id);
        }
        takeErrors(errors, batch, creation, error => requirements.reasonOf('notes', error));
      }),

    updateNotes: notes =>
      updateAll(
        call,
        requirements,
        'notes',
        notes.map(({ id, ...note }) => ({ id, properties: noteProperties(note) })),
      ),

    archiveNotes: ids => archiveAll(call, 'notes', ids),

    findNotes: wanted => findMarkers(call, 'notes', wanted, ids => readBodies(call, ids)),
  };
}

/** The trace ids make the CRM accept the good notes of a batch and say which ones it refused. */
function createBatch(call: Call, notes: readonly NewNote[], required: Record<string, string>) {
  const inputs = notes.map(note => ({
    objectWriteTraceId: note.marker,
    properties: { ...required, ...noteProperties(note) },
    associations: [toContact(note.contactId, AssociationTypes.noteToContact)],
  }));
  const about = { name: 'create notes', kind: 'call', repeat: false, reply: notesReply } as const;
  return call(about, sdk => sdk.crm.objects.notes.batchApi.create({ inputs }));
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
