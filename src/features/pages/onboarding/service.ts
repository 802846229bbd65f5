import type { CrmClient } from '../../../clients/crm/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { secondsBefore } from '../../../lib/clock.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { findLanguageZone } from '../../../lib/timezones.ts';
import { changeMailMode } from '../../base/mailing/service.ts';
import { DEFAULT_SCHEDULE, type SettingsChanges } from '../../base/settings/schema.ts';
import { getSettings, updateSettings } from '../../base/settings/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { listDialogs as listStoredDialogs } from '../../messenger/dialogs/repo.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { type ListDeps, listDialogs } from '../../messenger/service.ts';
import { FIRST_SYNC_DAYS } from '../../sync/rules.ts';
import { findLatestJob, triggerSync } from '../../sync/service.ts';
import * as repo from './repo.ts';

export const STEPS = ['messenger', 'crm', 'time'] as const;
export type Step = (typeof STEPS)[number];

export type StartDeps = ListDeps & {
  queue: Queue;
  crm: CrmClient | undefined;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
};

/**
 * How far a new user has come: derived from the stored data, so that another browser shows the same. Asks the messenger for
 * the list of conversations when a fresh account has none yet.
 */
export async function getStart(deps: StartDeps, { userId }: UserKey) {
  const [accounts, connection, config, firstRun] = await Promise.all([
    listAccounts(deps.db, userId),
    getConnection(deps.db, userId),
    getSettings(deps, { userId }),
    repo.beginFirstRun(deps.db, userId, deps.clock.now()),
  ]);
  const account = accounts.find(({ status }) => status === 'active');
  const hasCrm = deps.crm !== undefined;
  const isCrmDone = !hasCrm || connection.status === 'active' || firstRun.crmLaterAt !== null;
  const dialogs = account ? await listReadable(deps, userId) : [];
  const recently = secondsBefore(deps.clock, FIRST_SYNC_DAYS * 24 * 3600);
  const isRecentGroup = (one: Dialog) =>
    one.peerType !== 'user' && one.lastMessageAt !== null && one.lastMessageAt >= recently;
  const next = isCrmDone ? 'time' : 'crm';
  const step: Step = account ? next : 'messenger';
  return {
    /** The first one that is not done. */
    step,
    account,
    /** The conversations that could be read. */
    conversations: dialogs.length,
    /** The groups among them that had messages lately, newest first. */
    groups: dialogs.filter(isRecentGroup),
    connection,
    hasCrm,
    config,
    /** Whether this server sends emails. */
    hasMail: deps.mailer !== undefined,
  };
}
export type Start = Awaited<ReturnType<typeof getStart>>;

async function listReadable(deps: StartDeps, userId: string): Promise<Dialog[]> {
  const stored = await listStoredDialogs(deps.db, userId);
  const listed = () =>
    listDialogs(deps, { userId }).catch(err => {
      if (!(err instanceof ClientError)) throw err;
      return { dialogs: [] };
    });
  const { dialogs } = stored.length > 0 ? { dialogs: stored } : await listed();
  return dialogs.filter(({ unreadable }) => unreadable === null);
}

/** Whether the user is between the first step and the last. */
export async function isStarting(deps: { db: Db }, { userId }: UserKey): Promise<boolean> {
  const firstRun = await repo.findFirstRun(deps.db, userId);
  return firstRun !== undefined && firstRun.finishedAt === null;
}

/** Whether to send the user to the three steps: not if they connected something another way. */
export async function needsFirstSteps(deps: { db: Db }, { userId }: UserKey): Promise<boolean> {
  const firstRun = await repo.findFirstRun(deps.db, userId);
  if (firstRun) return firstRun.finishedAt === null;
  const [accounts, job] = await Promise.all([listAccounts(deps.db, userId), findLatestJob(deps.db, userId)]);
  return accounts.length === 0 && job === undefined;
}

/** Undefined: the choice is left for later. */
type TimeChoice = { changes: SettingsChanges; dailyMail: boolean } | undefined;

/** The last step: from now on there is a daily digest, starting at once. Throws Conflict without an account. */
export async function finishStart(deps: StartDeps, { userId, choice }: UserKey & { choice: TimeChoice }): Promise<void> {
  const accounts = await listAccounts(deps.db, userId);
  if (!accounts.some(({ status }) => status === 'active')) {
    throw new Conflict('MESSENGER_NOT_CONNECTED', 'Connect Telegram first.');
  }
  await updateSettings(deps, { userId, changes: choice?.changes ?? {} });
  if (choice && deps.mailer) await changeMailMode(deps, { userId, mode: choice.dailyMail ? 'ALWAYS' : 'OFF' });
  await triggerSync(deps, { userId });
  await repo.finishFirstRun(deps.db, userId, deps.clock.now());
}

type Time = { syncTime: string; timezone: string };

/** Before most people start work. */
const MORNING = '07:00';

/**
 * Time proposed by the last step, valid once submitted: the user's own, or else the morning. `isGuess` if the browser may
 * know the zone better; '' if unknown.
 * @param language of the browser, a BCP 47 tag
 */
export function proposeTime(saved: Time, { language, now }: { language: string; now: Date }) {
  const { syncTime, timezone } = saved;
  const hasChosen = syncTime !== DEFAULT_SCHEDULE.syncTime || timezone !== DEFAULT_SCHEDULE.timezone;
  if (hasChosen) return { syncTime, timezone, isGuess: false };
  return { syncTime: MORNING, timezone: findLanguageZone(language, now) ?? '', isGuess: true };
}
