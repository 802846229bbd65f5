import { z } from 'zod';
import { rowReader } from '../../lib/db.ts';
import { readPhone } from '../../lib/phone.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../lib/queue.ts';
import { DEFAULT_CONFIG } from '../base/settings/schema.ts';
import { NO_CONNECTION } from '../crm/schema.ts';
import { dialogShape, MATCH_STATUSES } from '../messenger/dialogs/schema.ts';

/** Conversations whose links changed. The outbox handles this queue: it writes, moves or removes their notes. */
export const NOTES_WANTED_QUEUE = {
  name: 'notes-wanted',
  policy: 'standard',
  ...RETRY_FOREVER,
  expireInSeconds: 1800,
  retryDelay: 2,
  retryDelayMax: 300,
} as const satisfies QueueDefinition;

export const notesWantedPayload = z.object({ userId: z.string(), dialogIds: z.array(z.string()) });
export type NotesWanted = z.output<typeof notesWantedPayload>;

const dialogId = z.string().min(1, 'This is missing.');

export const decideInput = z.object({ dialogId, action: z.enum(['confirm', 'ignore']) });

/** The CRM's ids are numbers; an id stored without a connected CRM may be any word. */
export const contactId = z.string().trim().min(1, 'This is missing.').max(100, 'This contact isn’t in the CRM.');

export const matchInput = z.object({ dialogId, crmContactId: contactId, matchStatus: z.enum(MATCH_STATUSES) });

export const suggestInput = z.object({ name: z.string().max(300, 'This is too long for a name.').optional() });

const name = z.string().trim().max(100, 'Names have at most 100 characters here.').default('');

const email = z
  .string()
  .trim()
  .max(254, 'This is too long for an email address.')
  .pipe(z.literal('').or(z.email('Enter an email address like name@example.com.')))
  .default('');

/** E.164 with the extension behind it, or ''. Accepts spaces, brackets and 00. */
const phone = z
  .string()
  .trim()
  .max(40, 'This is too long for a phone number.')
  .transform((typed, context) => {
    if (typed === '') return '';
    const number = readPhone(typed);
    if (number?.isPossible()) return number.ext ? `${number.number} ext. ${number.ext}` : `${number.number}`;
    context.addIssue('Enter the number with its country code, for example +49 171 3920012.');
    return z.NEVER;
  })
  .default('');

export const NAME_MISSING = 'Enter a first or a last name.';

const contactDetails = z
  .object({ firstname: name, lastname: name, email, phone })
  .refine(({ firstname, lastname }) => firstname !== '' || lastname !== '', { path: ['firstname'], error: NAME_MISSING });
export type NewContact = z.output<typeof contactDetails> & { company?: string };

export const createInput = z.object({ dialogId }).and(contactDetails);

const contactEntry = z
  .strictObject({
    id: z.string().meta({ description: 'Of the conversation' }),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string().meta({ description: 'E.164, or empty when the person hides it' }),
    matchStatus: z.enum(MATCH_STATUSES),
    matchConfidence: z.number().min(0).max(1),
    crmContactId: z.string().meta({ description: 'Empty without a link' }),
    crmContactName: z.string().nullable(),
  })
  .meta({ id: 'ContactEntry' });
/** Parses a conversation into such an entry, without the fields that the API doesn't show. */
export const listedContact = z.object(contactEntry.shape);

export const contactsJson = z.strictObject({ contacts: z.array(contactEntry) });
export const decidedJson = z.strictObject({ success: z.literal(true), contact: contactEntry });

const named = { id: z.string(), firstname: z.string(), lastname: z.string(), email: z.string() };
const suggestionJson = z.strictObject({ ...named, company: z.string() }).meta({ id: 'Suggestion' });
export type SuggestionJson = z.output<typeof suggestionJson>;

export const suggestionsJson = z.strictObject({ suggestions: z.array(suggestionJson).max(5) });

const newContact = z.strictObject(named);
export const createdJson = z.strictObject({ success: z.literal(true), contactId: z.string(), contact: newContact });

/** Null where the user has saved nothing. */
const savedSwitch = z.boolean().nullable();

const { id, peerType, unreadable, trackingChoice, matchStatus, matchConfidence, crmContactId } = dialogShape;

/** Inputs that decide whether a conversation needs review: its match and the user's automation settings. */
const reviewCandidate = z
  .object({ id, peerType, unreadable, trackingChoice, matchStatus, matchConfidence, crmContactId })
  .extend({
    problem: z.enum(['CONTACT_GONE', 'CONTACT_MERGED', 'NAMESAKES']).nullable(),
    sureMatchesWrite: savedSwitch,
    nameMatchesWrite: savedSwitch,
    includeGroups: savedSwitch,
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

/** The form of the page: the details of the API, and fields that only the page has. */
export const contactForm = contactDetails.and(
  z.object({ company: z.string().trim().max(200, 'Company names have at most 200 characters here.').default('') }),
);
