import { z } from 'zod';
import { rowReader } from '../../../lib/rows.ts';
import { DEFAULT_CONFIG } from '../../base/settings/schema.ts';
import { NO_CONNECTION } from '../../crm/schema.ts';
import { dialogShape } from '../../messenger/dialogs/schema.ts';
import { contactDetails } from '../schema.ts';

/** Null where the user has saved nothing. */
const ofUser = z.boolean().nullable();

const { id, peerType, unreadable, trackingChoice, matchStatus, matchConfidence, crmContactId } = dialogShape;

/** What decides whether a conversation waits for a person: its match, and what the user allows to be automatic. */
const reviewCandidate = z
  .object({ id, peerType, unreadable, trackingChoice, matchStatus, matchConfidence, crmContactId })
  .extend({
    problem: z.enum(['CONTACT_GONE', 'CONTACT_MERGED', 'NAMESAKES']).nullable(),
    sureMatchesWrite: ofUser,
    nameMatchesWrite: ofUser,
    includeGroups: ofUser,
  })
  .transform(({ sureMatchesWrite, nameMatchesWrite, includeGroups, ...row }) => ({
    ...row,
    switches: {
      sureMatchesWrite: sureMatchesWrite ?? NO_CONNECTION.sureMatchesWrite,
      nameMatchesWrite: nameMatchesWrite ?? NO_CONNECTION.nameMatchesWrite,
    },
    settings: { includeGroups: includeGroups ?? DEFAULT_CONFIG.includeGroups },
  }));
export const reviewCandidateRow = rowReader(reviewCandidate);
export type ReviewCandidate = z.output<typeof reviewCandidate>;

/** What the page's form holds beyond the details of the API. */
export const contactForm = contactDetails.and(
  z.object({ company: z.string().trim().max(200, 'Company names have at most 200 characters here.').default('') }),
);
