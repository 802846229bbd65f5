import { type Db, isDatabaseFailure } from '../../../lib/db.ts';
import { type CrmFailure, describeFailure } from '../../../lib/failures.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { autoCreateContacts } from '../../contacts/createContact.ts';
import { matchConversations } from '../../contacts/matching/matchConversations.ts';
import type { ContactsDeps } from '../../contacts/service.ts';
import { requiredWords } from '../../crm/present.ts';
import { getConnection } from '../../crm/repo.ts';
import { crmFailure, unfilledRequirements } from '../../crm/rules.ts';
import type { Requirement } from '../../crm/schema.ts';
import { getDialog, listDialogs } from '../../messenger/dialogs/repo.ts';
import { isTracked } from '../../messenger/dialogs/rules.ts';
import * as notes from '../../outbox/notes/service.ts';
import { createFailureCollector, type FailureCollector, type OutboxDeps, secondsToNextTry } from '../../outbox/service.ts';
import { TASKS } from '../../outbox/tasks/rules.ts';
import { deliverTasks } from '../../outbox/tasks/service.ts';
import { requestTasks } from '../../promises/service.ts';
import { type SyncFailure, toCrmError } from '../rules.ts';
import type { JobProgress } from './trackProgress.ts';

export type CrmStageDeps = ContactsDeps & OutboxDeps;

type CrmSync = { userId: string; jobId: string; config: SyncConfig; progress: JobProgress };

/**
 * The CRM's part of a sync: people are looked up while conversations are read, and notes are written afterwards.
 * Nothing the CRM does fails the sync; a failure of the database does, so that the queue hands the job out again.
 */
export async function startCrmStage(deps: CrmStageDeps, sync: CrmSync) {
  const { userId, config } = sync;
  const connection = await getConnection(deps.db, userId);
  const isConnected = connection.status === 'active' && deps.crm !== undefined;
  const matchings = new Map<string, Promise<void>>();
  const failures = createFailureCollector<SyncFailure>();
  let targets = await listTargetDialogIds(deps, userId);
  const matchedAccounts = new Set<string>();

  const matchAccount = async (accountId: string) => {
    try {
      const dialogs = await listDialogs(deps.db, userId, { accountIds: [accountId] });
      const people = dialogs.filter(dialog => dialog.peerType === 'user' && isTracked(dialog, config));
      await matchConversations(deps, { userId, dialogs: people });
    } catch (err) {
      if (isDatabaseFailure(err)) throw err;
      deps.log.warn({ err, jobId: sync.jobId }, 'conversations not matched');
      const failure = crmFailure(err);
      failures.add({ stage: 'match', failure: failure === 'CRM_REFUSED' ? 'CRM_LOOKUP_REFUSED' : failure });
    }
    targets = await listTargetDialogIds(deps, userId);
    matchedAccounts.add(accountId);
  };

  return {
    /** Whether there is a CRM to write to: else nothing is written in its language. */
    isConnected,
    /** Looks up the contacts of the account's conversations, once, as soon as they are listed. Returns at once. */
    startMatching(accountId: string): void {
      if (!isConnected || matchings.has(accountId)) return;
      const matching = matchAccount(accountId);
      // Awaited when the sync finishes: until then a rejection would be unhandled.
      matching.catch(() => undefined);
      matchings.set(accountId, matching);
    },
    /** Adds undecided notes for digests that this transaction writes, where notes may be written. */
    async expectNotes(trx: Db, accountId: string, digests: readonly { digestId: string; dialogId: string }[]) {
      const isExpected = isConnected && (config.autoCreateContacts || !matchedAccounts.has(accountId));
      const expected = digests.filter(({ dialogId }) => isExpected || targets.has(dialogId));
      await notes.expectNotes(trx, { userId, portalId: connection.portalId }, expected);
    },
    /** Waits for the matching, creates missing contacts, writes the notes, and reports it all to the progress. */
    async finish(signal: AbortSignal): Promise<void> {
      if (connection.status !== 'disconnected') await sync.progress.write();
      await Promise.all(matchings.values());
      try {
        const { failed } = isConnected ? await autoCreateContacts(deps, { userId }) : { failed: [] };
        for (const { dialogId, error } of failed)
          failures.add({ stage: 'crm', failure: crmFailure(error), subject: 'contacts' }, [dialogId]);
        await writeNotes(deps, sync, failures, signal);
        await writeTasks(deps, sync, failures, signal);
      } catch (err) {
        if (signal.aborted || isDatabaseFailure(err)) throw err;
        deps.log.error({ err, jobId: sync.jobId }, 'notes not written');
        failures.add({ stage: 'crm', failure: crmFailure(err) });
        await notes.requestNotes(deps, { userId });
        await requestTasks(deps, { userId });
      }
      sync.progress.setNotes(await notes.countNewNotes(deps.db, sync));
      const required = unfilledRequirements((await getConnection(deps.db, userId)).requirements);
      for (const failure of failures.list()) sync.progress.addError(await toNamedError(deps, userId, failure, required));
    },
  };
}

export type CrmStage = Awaited<ReturnType<typeof startCrmStage>>;

/** Conversations linked to a contact that may be written to; none without a connected CRM. */
async function listTargetDialogIds(deps: { db: Db }, userId: string): Promise<Set<string>> {
  const connection = await getConnection(deps.db, userId);
  if (connection.status === 'disconnected') return new Set();
  return new Set((await notes.listNoteTargets(deps.db, { userId }, connection)).map(({ dialogId }) => dialogId));
}

/** Writes this sync's notes at once; the queue writes the others. */
async function writeNotes(
  deps: CrmStageDeps,
  { userId, jobId }: CrmSync,
  failures: FailureCollector<SyncFailure>,
  signal: AbortSignal,
): Promise<void> {
  await notes.planNotes(deps, { userId, retriesHeld: true });
  const noteFailures = await notes.flushNotes(deps, { userId, jobId }, signal);
  const isWorthTelling = noteFailures.length > 0 && (await notes.countWaitingNotes(deps.db, userId)) > 0;
  for (const { failure, dialogIds } of noteFailures) {
    if (failure !== 'CRM_AUTH' || isWorthTelling) failures.add({ stage: 'crm', failure, subject: 'notes' }, dialogIds);
  }
  if ((await notes.secondsToNextNote(deps, { userId })) !== undefined) await notes.requestNotes(deps, { userId });
}

/** Whether trying the same again in this sync can't help. A CRM sign-in that is over is reported once, with the notes. */
const isLasting = (failure: CrmFailure) => failure !== 'CRM_AUTH' && !describeFailure(failure).mayPass;

/** Runs after the notes, which never wait for tasks. The queue retries the rest silently. */
async function writeTasks(
  deps: CrmStageDeps,
  { userId }: CrmSync,
  failures: FailureCollector<SyncFailure>,
  signal: AbortSignal,
): Promise<void> {
  for (const { failure, dialogIds } of await deliverTasks(deps, { userId, reads: true, signal })) {
    if (isLasting(failure)) failures.add({ stage: 'crm', failure, subject: 'tasks' }, dialogIds);
  }
  if ((await secondsToNextTry(deps, TASKS, { userId })) !== undefined) await requestTasks(deps, { userId });
}

/** The failure of one conversation is reported with its name. */
async function toNamedError(
  deps: { db: Db },
  userId: string,
  { subject, ...failure }: SyncFailure & { dialogIds: string[] },
  required: readonly Requirement[],
) {
  const [dialogId, ...others] = failure.dialogIds;
  const isOne = dialogId !== undefined && others.length === 0;
  const what = requiredWords(required.filter(({ type }) => type === subject));
  return toCrmError({ ...failure, what }, isOne ? await getDialog(deps.db, { userId, dialogId }) : undefined);
}
