import { AssociationTypes } from '@hubspot/api-client';
import type { Crm } from '../types.ts';
import type { Call } from './calls.ts';
import { archiveAll, createAll, findMarkers, updateAll } from './engagements.ts';
import type { Requirements } from './requirements.ts';

type Notes = Pick<Crm, 'createNotes' | 'updateNotes' | 'archiveNotes' | 'findNotes'>;

export function noteCalls(call: Call, requirements: Requirements): Notes {
  const type = 'notes';
  const associationTypeId = AssociationTypes.noteToContact;
  return {
    createNotes: notes => createAll(call, requirements, { type, associationTypeId, propertiesOf }, notes),
    updateNotes: notes =>
      updateAll(
        call,
        requirements,
        type,
        notes.map(note => ({ id: note.id, properties: propertiesOf(note) })),
      ),
    archiveNotes: ids => archiveAll(call, type, ids),
    findNotes: wanted => findMarkers(call, type, wanted),
  };
}

function propertiesOf({ at, bodyHtml }: { at: Date; bodyHtml: string }): Record<string, string> {
  return { hs_timestamp: at.toISOString(), hs_note_body: bodyHtml };
}
