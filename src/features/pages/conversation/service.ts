import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import { NotFound } from '../../../lib/errors.ts';
import { addDays } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { getLimits } from '../../billing/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getActiveChoices } from '../../messenger/consent/service.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { canBeRead } from '../../messenger/rules.ts';
import { toUserMoment } from '../../promises/rules.ts';
import { findOpenJob } from '../../sync/service.ts';
import { listRewrites } from '../../sync/styleRewrites/repo.ts';
import { getMatched } from '../review/service.ts';
import * as repo from './repo.ts';

export const ROWS_A_PAGE = 30;

export type ConversationDeps = Timed & { crm: CrmClient | undefined; aiService: AiService | undefined };

/** Everything the page of one conversation shows. Throws NotFound. @param page from 1; behind the last one, that is shown */
export async function getConversation(deps: ConversationDeps, { page: asked, ...key }: DialogKey & { page: number }) {
  const list = (page: number) =>
    repo.listTimeline(deps.db, { ...key, limit: ROWS_A_PAGE, offset: (page - 1) * ROWS_A_PAGE });
  const [{ dialog, state }, context] = await Promise.all([getMatched(deps, key), readContext(deps, key.userId)]);
  const { today, timeOfDay, connection } = context;
  const [found, extent, promises, moods, notes, choices, toRow] = await Promise.all([
    list(asked),
    repo.getExtent(deps.db, key),
    repo.listPromisesInParts(deps.db, { ...key, today, timeOfDay }),
    repo.listMoods(deps.db, { ...key, since: addDays(today, 1 - CHART_DAYS) }),
    repo.countWrittenNotes(deps.db, { ...key, portalId: connection.portalId }),
    getActiveChoices(deps, key),
    readRows(deps, key, context),
  ]);
  const page = Math.min(asked, Math.max(1, Math.ceil(extent.total / ROWS_A_PAGE)));
  const listed = page === asked ? found : await list(page);
  return {
    ...context,
    dialog,
    match: state,
    account: context.accounts.find(({ id }) => id === dialog.accountId),
    rows: listed.map(toRow),
    page,
    extent,
    promises,
    moods,
    notes,
    choices,
    aiService: deps.aiService,
  };
}
export type ConversationPage = Awaited<ReturnType<typeof getConversation>>;

/** A digest of a timeline. Throws NotFound. */
export async function getEntry(deps: ConversationDeps, { userId, digestId }: { userId: string; digestId: string }) {
  const [digest, context] = await Promise.all([
    repo.findStyledDigest(deps.db, { userId, digestId }),
    readContext(deps, userId),
  ]);
  if (!digest) throw new NotFound('digest');
  const key = { userId, dialogId: digest.dialogId };
  const [{ dialog }, toRow] = await Promise.all([getMatched(deps, key), readRows(deps, key, context)]);
  return { row: toRow(digest), context, dialog };
}
export type Entry = Awaited<ReturnType<typeof getEntry>>;

/** The settings that the words on the page depend on. */
async function readContext(deps: ConversationDeps, userId: string) {
  const [config, plan, connection, job, accounts] = await Promise.all([
    getSettings(deps, { userId }),
    getLimits(deps, { userId }),
    getConnection(deps.db, userId),
    findOpenJob(deps.db, userId),
    listAccounts(deps.db, userId),
  ]);
  const now = deps.clock.now();
  const { portalId } = connection;
  return {
    now,
    ...toUserMoment(now, config.timezone),
    config,
    plan,
    connection,
    accounts,
    /** A sync of the user is reading. */
    syncRuns: job !== undefined,
    canSync: job === undefined && accounts.some(account => canBeRead(account, now)),
    /** URL of a contact's record; undefined without a usable CRM. */
    contactUrl: (contactId: string) =>
      connection.status === 'disconnected' ? undefined : deps.crm?.contactUrl({ portalId, contactId }),
  };
}

export type ConversationContext = Awaited<ReturnType<typeof readContext>>;

/** Everything the timeline of one conversation says about a digest: of all of them, read together. */
async function readRows({ db }: ConversationDeps, key: DialogKey, { now, connection: { portalId } }: ConversationContext) {
  const [rewrites, notes] = await Promise.all([
    listRewrites(db, { ...key, now }),
    repo.listNotesOfDigests(db, { ...key, portalId }),
  ]);
  return (digest: repo.StyledDigest) => ({ digest, rewrite: rewrites.get(digest.id), note: notes.get(digest.id) });
}
export type TimelineRow = Entry['row'];
