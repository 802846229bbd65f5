import { z } from 'zod';
import { contactDetails } from '../contacts/schema.ts';
import { NO_CONNECTION } from '../crm/schema.ts';
import { dialogRow } from '../dialogs/schema.ts';
import { linkedDialogRow } from '../matching/schema.ts';
import { DEFAULT_CONFIG } from '../settings/schema.ts';

/** Null where the user has saved nothing. */
const ofUser = z.boolean().nullable();

/** Of a conversation that may have to wait for a person, what says whether it does: its match, and what the user lets be done. */
export const reviewCandidateRow = z.compile(
  dialogRow.in
    .pick({ id: true, peer_type: true, unreadable: true, tracking_choice: true })
    .extend(dialogRow.in.pick({ match_status: true, match_confidence: true, crm_contact_id: true }).shape)
    .extend({ trouble: linkedDialogRow.in.shape.trouble })
    .extend({ sure_matches_write: ofUser, name_matches_write: ofUser, include_groups: ofUser })
    .transform(row => ({
      id: row.id,
      peerType: row.peer_type,
      unreadable: row.unreadable,
      trackingChoice: row.tracking_choice,
      matchStatus: row.match_status,
      matchConfidence: row.match_confidence,
      crmContactId: row.crm_contact_id,
      trouble: row.trouble,
      switches: {
        sureMatchesWrite: row.sure_matches_write ?? NO_CONNECTION.sureMatchesWrite,
        nameMatchesWrite: row.name_matches_write ?? NO_CONNECTION.nameMatchesWrite,
      },
      settings: { includeGroups: row.include_groups ?? DEFAULT_CONFIG.includeGroups },
    })),
);
export type ReviewCandidate = z.output<typeof reviewCandidateRow>;

/** What the page's form holds beyond the details of the API. */
export const contactForm = contactDetails.and(
  z.object({ company: z.string().trim().max(200, 'Company names have at most 200 characters here.').default('') }),
);
