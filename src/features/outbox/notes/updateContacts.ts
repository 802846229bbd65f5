import type { ContactDetails, Crm, CrmContact } from '../../../clients/crm/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { isCrmError } from '../../crm/rules.ts';
import * as repo from './repo.ts';

const BATCH = 100;

type Deps = Timed & { log: Log };

type OpenPortal = { userId: string; portalId: string; crm: Crm };

/** The contacts of records that one process is removing; `crmId` is null where the CRM never had the record. */
type ContactBatch = OpenPortal & { claim: string; items: readonly { contactId: string; crmId: string | null }[] };

/**
 * Updates our properties of the contacts whose notes were written, or that were merged. The messenger's id and username go
 * only into empty fields. A failure is logged, and the update is retried at the next delivery.
 */
export async function updateContacts(deps: Deps, { userId, portalId, crm }: OpenPortal): Promise<void> {
  try {
    for (;;) {
      const facts = await repo.listOutdatedContacts(deps.db, { userId, portalId, limit: BATCH });
      if (facts.length === 0) return;
      const now = deps.clock.now();
      const unnamed = facts.filter(fact => !fact.isNamed && fact.messengerUserId !== '');
      const inCrm = await crm.readContacts(unnamed.map(({ contactId }) => contactId));
      const updates = facts.map(fact => contactUpdate(fact, inCrm.get(fact.contactId), now));
      const refused = await writeUpdates(crm, updates);
      const named = updates.filter(({ isNaming, id }) => isNaming && !refused.has(id));
      const namedIds = [...named.map(({ id }) => id), ...facts.filter(({ isNamed }) => isNamed).map(idOf)];
      await repo.markUpToDate(deps.db, { userId, portalId }, { contactIds: facts.map(idOf), namedIds, now });
    }
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, 'contact properties not updated');
  }
}

type Update = { id: string; details: ContactDetails; isNaming: boolean };

/** Computes a contact's update. Id and username go only into empty fields of one that could be read and has no other id. */
function contactUpdate(fact: repo.ContactFacts, inCrm: CrmContact | undefined, now: Date): Update {
  const id = fact.contactId;
  const details: ContactDetails = { messengerLastSync: now, messengerDigestCount: fact.digestCount };
  const isOther = inCrm && inCrm.messengerUserId !== '' && inCrm.messengerUserId !== fact.messengerUserId;
  if (!inCrm || isOther) return { id, details, isNaming: false };
  const isIdFree = inCrm.messengerUserId === '';
  const isNameFree = inCrm.messengerUsername === '' && fact.messengerUsername !== '';
  if (isIdFree) details.messengerUserId = fact.messengerUserId;
  if (isNameFree) details.messengerUsername = fact.messengerUsername;
  return { id, details, isNaming: isIdFree || isNameFree };
}

/** If another contact has the messenger's id, writes the rest without it. Returns the refused ids. */
async function writeUpdates(crm: Crm, updates: Update[]): Promise<Set<string>> {
  const refused = new Set((await crm.updateContacts(updates)).refused);
  const retried = updates.filter(({ id, isNaming }) => isNaming && refused.has(id));
  const plain = retried.map(({ id, details: { messengerLastSync, messengerDigestCount } }) => ({
    id,
    details: { ...(messengerLastSync && { messengerLastSync }), messengerDigestCount: messengerDigestCount ?? 0 },
  }));
  if (plain.length > 0) await crm.updateContacts(plain);
  return refused;
}

/**
 * Updates our properties after this batch's notes have left their contacts. What we wrote about the messenger account
 * goes too, or the contact would pass for that person's for good; what others wrote since stays.
 */
export async function forgetContacts(deps: Deps, { userId, portalId, crm, claim, items }: ContactBatch): Promise<void> {
  try {
    const contactIds = [...new Set(items.filter(({ crmId }) => crmId !== null).map(note => note.contactId))];
    if (contactIds.length === 0) return;
    const remainingFacts = await repo.listFactsOfAllUsers(deps.db, { userId, portalId, contactIds });
    const remainingIds = new Map(remainingFacts.map(({ contactId, messengerUserId }) => [contactId, messengerUserId]));
    const namedContacts = await repo.listNamedContacts(deps.db, { userId, claim });
    const outdatedNames = namedContacts.filter(contact => remainingIds.get(contact.contactId) !== contact.messengerUserId);
    const inCrm = await crm.readContacts(outdatedNames.map(({ contactId }) => contactId));
    const updates = remainingFacts.map(({ contactId: id, digestCount: messengerDigestCount }) => {
      const names = outdatedNames.filter(({ contactId }) => contactId === id);
      return { id, details: { messengerDigestCount, ...clearNames(inCrm.get(id), names) } };
    });
    await crm.updateContacts(updates);
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, 'contact properties not reset');
  }
}

function clearNames(inCrm: CrmContact | undefined, names: repo.ContactName[]): ContactDetails {
  if (!inCrm) return {};
  const isOurs = names.some(name => name.messengerUserId === inCrm.messengerUserId);
  const isOurName = isOurs && names.some(name => name.messengerUsername === inCrm.messengerUsername);
  return { ...(isOurs && { messengerUserId: '' }), ...(isOurName && { messengerUsername: '' }) };
}

const idOf = ({ contactId }: repo.ContactFacts) => contactId;
