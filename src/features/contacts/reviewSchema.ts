import { z } from 'zod';
import { dialogRow } from '../dialogs/schema.ts';
import { linkedDialogRow } from './schema.ts';

/** Of a conversation that may have to wait for a person, what says whether it does. */
export const reviewCandidateRow = z.compile(
  dialogRow.in
    .pick({ id: true, peer_type: true, unreadable: true, tracking_choice: true })
    .extend(dialogRow.in.pick({ match_status: true, match_confidence: true, crm_contact_id: true }).shape)
    .extend({ trouble: linkedDialogRow.in.shape.trouble })
    .transform(row => ({
      id: row.id,
      peerType: row.peer_type,
      unreadable: row.unreadable,
      trackingChoice: row.tracking_choice,
      matchStatus: row.match_status,
      matchConfidence: row.match_confidence,
      crmContactId: row.crm_contact_id,
      trouble: row.trouble,
    })),
);
export type ReviewCandidate = z.output<typeof reviewCandidateRow>;
