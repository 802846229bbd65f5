import { type Crm, PropertyRequired } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { getSettings } from '../base/settings/service.ts';
import { announceReady, findCrm, requestMatching } from '../crm/service.ts';
import { isTracked, messengerIdOf } from '../messenger/dialogs/rules.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import { listDialogs } from '../messenger/dialogs/service.ts';
import { created, createOrFind, detailsOf } from './createContact.ts';
import { type ContactsDeps, decideAll } from './decide.ts';
import { namesForContact } from './matching/compare.ts';
import { matchConversations } from './matching/matchConversations.ts';
import { listMatchState, listWaiting } from './matching/repo.ts';
import { isDecided } from './matching/rules.ts';
import type { MatchState } from './matching/schema.ts';

/** A suggestion this good may be the same person: a duplicate record is worse than none. */
const MAY_BE_THE_SAME = 0.75;

/** Properties that one person lacks and the next may have; all others that the CRM account requires, everyone lacks. */
const OF_SOME: readonly string[] = ['firstname', 'lastname', 'phone', 'messenger_username'];

export type AutoCreated = {
  /** The conversations that have a new contact. */
  created: string[];
  /** What did not work. Nothing is lost: the next sync tries again. */
  failed: { dialogId: string; error: ClientError }[];
};

/**
 * Creates contacts for people missing in the CRM, when the user switched that on: people with a name who wrote and were
 * written to, and about whom no person decided. Works one by one and never creates a person twice, as the messenger's
 * id is unique there. When the CRM stops answering, the rest is left for the next time.
 * @param dialogIds limits this to these; all by default
 */
export async function autoCreateContacts(
  deps: ContactsDeps,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] },
): Promise<AutoCreated> {
  const outcome: AutoCreated = { created: [], failed: [] };
  const settings = await getSettings(deps, { userId });
  const open = settings.autoCreateContacts ? await findCrm(deps, { userId }) : undefined;
  if (!open) return outcome;
  const asked = dialogIds && new Set(dialogIds);
  const dialogs = (await listDialogs(deps.db, userId)).filter(({ id }) => !asked || asked.has(id));
  const states = await listMatchState(deps.db, { userId, dialogIds: dialogs.map(({ id }) => id) });
  const people = dialogs.filter(dialog => isTracked(dialog, settings) && isNew(dialog, states.get(dialog.id)));
  // The same person in two accounts of the user has two conversations and one contact.
  for (const same of Map.groupBy(people, messengerIdOf).values()) {
    const isAnswering = await createFor(deps, open, userId, same, outcome);
    if (!isAnswering) break;
  }
  return outcome;
}

function isNew(dialog: Dialog, state: MatchState | undefined): boolean {
  if (dialog.peerType !== 'user' || !dialog.userWrote || !dialog.peerWrote) return false;
  if (!state?.evaluatedAt || state.status !== 'UNMATCHED' || isDecided(state) || state.rejected.length > 0)
    return false;
  const hasName = readPersonName(dialog.peerName).kind !== 'none';
  return hasName && !state.suggestions.some(({ score }) => score >= MAY_BE_THE_SAME);
}

/** False when there is no point in continuing. */
async function createFor(
  deps: ContactsDeps,
  { crm, connection: { portalId } }: { crm: Crm; connection: { portalId: string } },
  userId: string,
  dialogs: Dialog[],
  outcome: AutoCreated,
): Promise<boolean> {
  const [first] = dialogs;
  if (!first) return true;
  try {
    // A contact that already has this messenger id was created by a try that broke off, or is this very person.
    const { contact } = await createOrFind(
      crm,
      detailsOf(first, { ...namesForContact(first.peerName), email: '', phone: first.peerPhone }),
    );
    const dialogIds = dialogs.map(({ id }) => id);
    const { decided } = await decideAll(
      deps,
      { userId, dialogIds, action: 'autoCreate', portalId, isBatch: false },
      state =>
        isDecided(state) || state.contactId !== '' || state.rejected.includes(contact.id)
          ? undefined
          : created(state, contact, 'rule'),
    );
    const linked = decided.filter(({ dialog }) => dialog.crmContactId === contact.id);
    outcome.created.push(...linked.map(({ dialog }) => dialog.id));
    return true;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    outcome.failed.push({ dialogId: first.id, error });
    if (error instanceof PropertyRequired) return error.properties.every(name => OF_SOME.includes(name));
    return error.kind === 'permanent';
  }
}

/**
 * Matches the conversations that were read before the CRM was connected, as a sync would: as many as its searches
 * allow, and the rest in another job. Creates missing contacts where the user wants that, and lets the notes follow.
 * Safe beside a sync and beside itself: what was matched meanwhile isn't looked up again. Throws ClientError while the
 * CRM doesn't answer.
 */
export async function matchWaiting(
  deps: ContactsDeps,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<void> {
  const waiting = await listRead(deps, userId);
  if (waiting.length > 0) {
    await matchConversations(deps, { userId, dialogs: waiting, signal });
    await autoCreateContacts(deps, { userId, dialogIds: waiting.map(({ id }) => id) });
  }
  // Even with nothing left to match: a worker may have matched everything and died before this line.
  await announceReady(deps, { userId });
  const left = await listRead(deps, userId);
  if (left.length > 0 && left.length < waiting.length) await requestMatching(deps, deps.db, { userId });
}

/** A conversation that no sync has read yet is matched by the sync that reads it. */
async function listRead({ db }: Pick<ContactsDeps, 'db'>, userId: string) {
  const waiting = new Set(await listWaiting(db, userId));
  if (waiting.size === 0) return [];
  return (await listDialogs(db, userId)).filter(({ id, lastSyncedAt }) => lastSyncedAt !== null && waiting.has(id));
}
