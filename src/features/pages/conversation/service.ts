import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { dayAfter, localDay } from '../../../lib/timezones.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { getSettings } from '../../base/settings/service.ts';
import { getLimits } from '../../billing/service.ts';
import type { MatchState } from '../../contacts/matching/schema.ts';
import { getConnection } from '../../crm/repo.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getHeldChoices, type HeldChoices } from '../../messenger/consent/service.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { canBeRead } from '../../messenger/rules.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import { listRewrites } from '../../sync/rewrites/repo.ts';
import type { Rewrite } from '../../sync/rewrites/schema.ts';
import { findOpenJob } from '../../sync/service.ts';
import { getMatched } from '../review/service.ts';
import * as repo from './repo.ts';

export const ROWS_A_PAGE = 30;

export type ConversationDeps = {
  db: Db;
  clock: Clock;
  crm: CrmClient | undefined;
  aiService: AiService | undefined;
};

/** A digest with everything the timeline says about it. */
export type TimelineRow = {
  digest: repo.StyledDigest;
  rewrite: Rewrite | undefined;
  note: repo.NoteOfDigest | undefined;
};

/** What the words on the page depend on. */
export type ConversationContext = {
  now: Date;
  /** YYYY-MM-DD */
  today: string;
  config: SyncConfig;
  plan: { conversationsPerDay: number };
  connection: CrmConnection;
  accounts: MessengerAccount[];
  /** A sync of the user is reading. */
  syncRuns: boolean;
  /** A sync could be started now. */
  canSync: boolean;
  /** Where a person sees the record of a contact; undefined while no CRM can be asked. */
  contactUrl(contactId: string): string | undefined;
};

export type Conversation = ConversationContext & {
  dialog: Dialog;
  match: MatchState;
  account: MessengerAccount | undefined;
  rows: TimelineRow[];
  /** From 1. */
  page: number;
  extent: repo.TimelineExtent;
  /** The first promises of each part. */
  promises: repo.PromiseInPart[];
  /** For the days of the plot, oldest first. */
  moods: repo.DayMood[];
  notes: repo.StandingNotes;
  aiService: AiService | undefined;
  /** Who writes the digests, as far as the person chose. */
  held: HeldChoices;
};

/** Everything the page of one conversation shows. Throws NotFound. */
export async function getConversation(
  deps: ConversationDeps,
  { userId, dialogId, page }: { userId: string; dialogId: string; page: number },
): Promise<Conversation> {
  const [{ dialog, state }, context] = await Promise.all([
    getMatched(deps, { userId, dialogId }),
    contextOf(deps, userId),
  ]);
  const { today, connection } = context;
  const of = { userId, dialogId };
  const [listed, extent, promises, moods, notes, held, beside] = await Promise.all([
    repo.listTimeline(deps.db, { ...of, limit: ROWS_A_PAGE, offset: (page - 1) * ROWS_A_PAGE }),
    repo.getExtent(deps.db, of),
    repo.listPromisesInParts(deps.db, { ...of, today }),
    repo.listMoods(deps.db, { ...of, since: dayAfter(today, 1 - CHART_DAYS) }),
    repo.countStanding(deps.db, { ...of, portalId: connection.portalId }),
    getHeldChoices(deps, of),
    readSettingsContext(deps, of, context),
  ]);
  return {
    ...context,
    dialog,
    match: state,
    account: context.accounts.find(({ id }) => id === dialog.accountId),
    rows: listed.map(digest => toRow(digest, beside)),
    page,
    extent,
    promises,
    moods,
    notes,
    aiService: deps.aiService,
    held,
  };
}

export type Entry = { row: TimelineRow; context: ConversationContext; dialog: Dialog };

/** One digest of a timeline. Throws NotFound. */
export async function getEntry(
  deps: ConversationDeps,
  { userId, digestId }: { userId: string; digestId: string },
): Promise<Entry> {
  const [digest, context] = await Promise.all([
    repo.findStyledDigest(deps.db, { userId, digestId }),
    contextOf(deps, userId),
  ]);
  if (!digest) throw new NotFound('digest');
  const of = { userId, dialogId: digest.dialogId };
  const [{ dialog }, beside] = await Promise.all([getMatched(deps, of), readSettingsContext(deps, of, context)]);
  return { row: toRow(digest, beside), context, dialog };
}

async function contextOf(deps: ConversationDeps, userId: string): Promise<ConversationContext> {
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
    today: localDay(now, config.timezone),
    config,
    plan,
    connection,
    accounts,
    syncRuns: job !== undefined,
    canSync: job === undefined && accounts.some(account => canBeRead(account, now)),
    contactUrl: contactId =>
      connection.status === 'disconnected' ? undefined : deps.crm?.contactUrl({ portalId, contactId }),
  };
}

type Beside = {
  rewrites: ReadonlyMap<string, Rewrite>;
  notes: ReadonlyMap<string, repo.NoteOfDigest>;
};

/** What is shown beside the digests of one conversation. */
async function readSettingsContext(
  { db }: ConversationDeps,
  of: { userId: string; dialogId: string },
  { now, connection: { portalId } }: ConversationContext,
): Promise<Beside> {
  const [rewrites, notes] = await Promise.all([
    listRewrites(db, { ...of, now }),
    repo.listNotesOfDigests(db, { ...of, portalId }),
  ]);
  return { rewrites, notes };
}

function toRow(digest: repo.StyledDigest, { rewrites, notes }: Beside): TimelineRow {
  return { digest, rewrite: rewrites.get(digest.id), note: notes.get(digest.id) };
}
