import type { CrmContact } from '../../clients/crm/types.ts';
import { NotFound } from '../../lib/errors.ts';
import { findCrm } from '../crm/service.ts';
import type { Dialog, MatchStatus } from '../messenger/dialogs/schema.ts';
import { getDialog } from '../messenger/dialogs/service.ts';
import { callingCodes } from '../messenger/service.ts';
import { explainCrmError } from './createContact.ts';
import { type Change, type ContactsDeps, type Decided, decide } from './decide.ts';
import { compare, contactName, evidenceOf, readPerson } from './matching/compare.ts';
import { personOf } from './matching/rules.ts';
import type { Evidence, MatchState } from './matching/schema.ts';

type Asked = { userId: string; dialogId: string; contactId: string };

/**
 * Links the conversation to a contact of the person's choice. The decision is theirs, whatever status they give it,
 * and no rule touches it again. With the CRM connected the contact must exist; without, it is stored as given.
 * Throws NotFound, Conflict `CRM_NOT_CONNECTED` when the CRM signs us out at this very moment, and ClientError.
 */
export async function pickContact(
  deps: ContactsDeps,
  { userId, dialogId, contactId, status }: Asked & { status: MatchStatus },
): Promise<Decided> {
  await getDialog(deps.db, { userId, dialogId });
  const found = await lookUp(deps, { userId, contactId });
  const contact = found?.contact ?? { id: contactId };
  const asked = { userId, dialogId, action: 'pick', portalId: found?.portalId } as const;
  const codes = await callingCodes(deps, userId);
  return decide(deps, asked, (state, dialog) => picked(state, dialog, { status, contact, codes }));
}

/** Undefined when no CRM is connected to ask. For a merged record, returns the one that is left. */
async function lookUp(
  deps: ContactsDeps,
  { userId, contactId }: { userId: string; contactId: string },
): Promise<{ contact: CrmContact; portalId: string } | undefined> {
  try {
    const open = await findCrm(deps, { userId });
    if (!open) return undefined;
    const contact = (await open.crm.readContacts([contactId])).get(contactId);
    if (!contact) throw new NotFound('contact in the CRM');
    return { contact, portalId: open.connection.portalId };
  } catch (err) {
    throw explainCrmError(err, { refused: () => new NotFound('contact in the CRM') });
  }
}

type Pick = { status: MatchStatus; contact: CrmContact | { id: string }; codes: ReadonlyMap<string, string> };

function picked(state: MatchState, dialog: Dialog, { status, contact, codes }: Pick): Change {
  const known = 'firstName' in contact ? contact : null;
  const isSame = contact.id === state.contactId;
  const suggestions = state.suggestions.filter(suggestion => suggestion.contact.id !== contact.id);
  const name = known ? contactName(known) : isSame ? state.contactName : null;
  return {
    link: { status, confidence: 1, contactId: contact.id, contactName: name },
    reasons: {
      rule: 'person',
      decidedBy: 'person',
      evidence: known ? evidenceFor(dialog, known, codes) : isSame ? state.evidence : [],
      contact: known ?? (isSame ? state.contact : null),
      runnerUp: null,
      suggestions,
      problem: null,
    },
  };
}

/** What speaks for the person's choice, and what against it. */
function evidenceFor(dialog: Dialog, contact: CrmContact, codes: ReadonlyMap<string, string>): Evidence[] {
  if (dialog.peerType !== 'user') return [];
  const person = personOf(dialog, codes);
  return evidenceOf(person, compare(readPerson(person), contact));
}

/** What the CRM has on a contact; undefined when it can't be read now. */
export async function readContact(
  deps: ContactsDeps,
  about: { userId: string; contactId: string },
): Promise<CrmContact | undefined> {
  try {
    return (await lookUp(deps, about))?.contact;
  } catch {
    return undefined;
  }
}
