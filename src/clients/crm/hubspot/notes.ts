import { AssociationTypes } from '@hubspot/api-client';
import type { Crm, NewNote } from '../types.ts';
import { sendOrHalve } from './batches.ts';
import type { Call } from './calls.ts';
import { idsIn, isGone } from './contacts.ts';
import { createAll, findMarkers, takeErrors, toContact } from './engagements.ts';
import { isAboutGone } from './failures.ts';
import { anyReply, notesReply, writtenReply } from './replies.ts';
import { explain, type Requirements } from './requirements.ts';

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

    async updateNotes(notes) {
      const gone: string[] = [];
      if (notes.length === 0) return { gone };
      const inputs = notes.map(({ id, ...note }) => ({ id, properties: noteProperties(note) }));
      const about = { name: 'update notes', kind: 'call', repeat: true, reply: writtenReply } as const;
      const asked = new Set(notes.map(({ id }) => id));
      const send = async (batch: typeof inputs) => {
        const { errors } = await call(about, sdk => sdk.crm.objects.notes.batchApi.update({ inputs: batch }));
        for (const error of errors) if (isGone(error)) gone.push(...idsIn(error, asked));
      };
      await sendOrHalve(
        inputs,
        batch => send([...batch]),
        async ({ id, properties }, failure) => {
          if (isAboutGone(failure)) return void gone.push(id);
          const left = await requirements.complete('notes', failure, required =>
            send([{ id, properties: { ...required, ...properties } }]),
          );
          await requirements.learn('notes', { refused: [left ?? failure] });
          if (left) throw explain(requirements, 'notes', left);
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
