import { createHash } from 'node:crypto';
import type { CrmObject } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import type { TokenUsage } from '../../clients/summarizer/types.ts';
import { type CrmFailure, describeFailure, type Failure } from '../../lib/failures.ts';
import { type Coverage, TOO_FEW_MESSAGES } from '../digests/schema.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import { NoConnection } from '../messenger/withAccount.ts';
import type { SyncError, SyncJob } from './schema.ts';

/** The first time a conversation is read, at most this many of its newest messages are taken. */
const FIRST_SYNC_MESSAGES = 200;
/** The first sync reads conversations that moved within this many days before the account's newest message. */
export const FIRST_SYNC_DAYS = 14;
/** A new digest rests on at most this many messages, the newest ones. */
const DIGEST_MESSAGES = 500;
/** The limit for a digest that is written again: it also reads what it covered before, or it would lose the day's first words. */
export const REWRITE_MESSAGES = 2000;

/** A conversation that was being worked on during this many crashes is put aside. */
export const CRASH_LIMIT = 3;

export type DialogStep =
  /** A digest covers everything there is. */
  | { kind: 'done' }
  /** Without new messages, the conversation stays as it is. */
  | { kind: 'nothing' }
  /** Too old for the first sync: only its cursor is set. */
  | { kind: 'advance' }
  /** Read the messages after `afterMessageId`, the newest `limit` of them. */
  | { kind: 'read'; afterMessageId: number; limit: number };

type StepContext = {
  /** YYYY-MM-DD: the day this sync writes digests for. */
  today: string;
  /** When the account's newest message came. */
  newestAt: Date;
  minMessages: number;
};

/**
 * Decides what a sync does with one tracked conversation, given its newest digest. A FAILED or SKIPPED digest left the
 * cursor where it was, so messages add up; a second sync on the same day reads from the row's start and rewrites it.
 */
export function planDialog(
  { topMessageId, cursorMessageId, lastMessageAt }: Pick<Dialog, 'topMessageId' | 'cursorMessageId' | 'lastMessageAt'>,
  newest: Coverage | undefined,
  context: StepContext,
): DialogStep {
  if (topMessageId === 0 || (cursorMessageId !== null && topMessageId <= cursorMessageId)) return { kind: 'done' };
  const wasTooQuiet = newest?.writingState === 'SKIPPED' && newest.reason === TOO_FEW_MESSAGES;
  if (wasTooQuiet && newest.lastMessageId === topMessageId && isTooQuiet(newest.messageCount, context.minMessages))
    return { kind: 'nothing' };
  const isOfToday = newest?.digestDate === context.today;
  const start = isOfToday ? newest.afterMessageId : (cursorMessageId ?? newest?.afterMessageId);
  const age = context.newestAt.getTime() - (lastMessageAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  if (start === undefined && age > FIRST_SYNC_DAYS * 24 * 3600 * 1000) return { kind: 'advance' };
  const isFirst = cursorMessageId === null && !start;
  const most = isOfToday && newest.hasSummary ? REWRITE_MESSAGES : DIGEST_MESSAGES;
  return { kind: 'read', afterMessageId: start ?? 0, limit: isFirst ? FIRST_SYNC_MESSAGES : most };
}

/** Whether a conversation has fewer new messages than the user wants digested. */
export const isTooQuiet = (messageCount: number, minMessages: number): boolean => messageCount < minMessages;

/** Failures of a single conversation, which another pass over the account would only repeat. */
const DIALOG_FAILURES: readonly Failure[] = ['CRASHED', 'UNREADABLE', 'SUMMARY_TIMEOUT', 'AI_UNAVAILABLE', 'AI_BAD_OUTPUT'];

/** Whether reading the conversation already failed in this job, for a reason of its own. Only the next job tries again. */
export function hasFailedInJob(newest: Coverage, jobId: string): boolean {
  return (
    newest.writingState === 'FAILED' && newest.jobId === jobId && DIALOG_FAILURES.some(failure => failure === newest.reason)
  );
}

/** The order in which a sync reads conversations, and a plan includes them: the newest message first. */
export function compareForReading(one: Pick<Dialog, 'lastMessageAt'>, other: Pick<Dialog, 'lastMessageAt'>): number {
  return (other.lastMessageAt?.getTime() ?? 0) - (one.lastMessageAt?.getTime() ?? 0);
}

/**
 * Conversations that may have crashed a worker or a connection come last, to let others get through: fewest crashes first,
 * so that one bad conversation doesn't block the others after every restart.
 */
export function divideByCrashes<T extends { crashes: number }>(reads: readonly T[]): { sound: T[]; suspect: T[] } {
  const suspect = reads.filter(({ crashes }) => crashes > 0);
  return { sound: reads.filter(({ crashes }) => crashes === 0), suspect: suspect.toSorted((a, b) => a.crashes - b.crashes) };
}

/** Splits conversations by the plan's remaining quota; those whose digest of the day exists already use none of it. */
export function divideByPlan<T>(
  reads: T[],
  remainingQuota: number,
  hasDigestOfDay: (read: T) => boolean,
): { within: T[]; over: T[] } {
  const over = new Set(reads.filter(read => !hasDigestOfDay(read)).slice(Math.max(0, remainingQuota)));
  return { within: reads.filter(read => !over.has(read)), over: [...over] };
}

/** USD per million tokens, as far as the operator configured them. */
export type TokenPrices = { input?: number | undefined; output?: number | undefined };

/** The cost of a summary in USD; null when no tokens were counted or no price is known. Cached tokens count in full. */
export function computeCost(usage: TokenUsage | undefined, { input, output }: TokenPrices): number | null {
  if (!usage || input === undefined || output === undefined) return null;
  return (usage.promptTokens * input + usage.completionTokens * output) / 1_000_000;
}

const MIN_CONVERSATIONS_TO_JUDGE = 5;

/** Estimates from its pace when a running sync will end; undefined while too few conversations are done. */
export function estimateEnd(
  { state, startedAt, done, total }: Pick<SyncJob, 'state' | 'startedAt' | 'done' | 'total'>,
  now: Date,
): Date | undefined {
  if (state !== 'active' || !startedAt || done < MIN_CONVERSATIONS_TO_JUDGE || done >= total) return undefined;
  const took = now.getTime() - startedAt.getTime();
  return new Date(now.getTime() + (took / done) * (total - done));
}

/** Whether it failed at matching contacts or writing to the CRM: the conversation has its digest all the same. */
export const isCrmStage = ({ stage }: { stage: string }): boolean => stage === 'match' || stage === 'crm';

/** Kinds whose jobs are numbered; a daily job is named after its day. */
export type CountedKind = 'manual' | 'retry';

/** The starts of a minute's daily syncs are spread over this time. */
export const SPREAD_SECONDS = 240;

/** A delay from 0 to `seconds` that spreads starts and is always the same for a user. */
export function startDelaySeconds(userId: string, seconds: number): number {
  const hash = createHash('sha256').update(userId).digest().readUInt32BE();
  return Math.floor((hash / 2 ** 32) * (seconds + 1));
}

export function numberedJobId(userId: string, kind: CountedKind, sequence: number): string {
  return `sync:${userId}:${kind}:${sequence}`;
}

/** A failure as text and code of a job's result, without the cause's text. */
export function toSyncError(stage: SyncError['stage'], failure: Failure, dialog?: Dialog): SyncError {
  const { sentence, advice, code, mayPass } = describeFailure(failure);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  return { ...about, stage, code, message: `${sentence} ${advice}`.trim(), retryable: mayPass };
}

/** Why nothing is read for a user who has no active account. */
export function noAccountFailure(accounts: Pick<MessengerAccount, 'status'>[]): Failure {
  const statuses = new Set(accounts.map(({ status }) => status));
  if (statuses.has('expired')) return 'SESSION_EXPIRED';
  return statuses.has('banned') ? 'ACCOUNT_BANNED' : 'MESSENGER_NOT_CONNECTED';
}

/** Another minimum of messages, for which the settings page says how many conversations more or fewer it would digest. */
export function comparisonMinimum(minMessages: number): number {
  if (minMessages > 3) return 3;
  return minMessages > 1 ? 1 : 5;
}

/** Maps an error of one stage to a failure of the catalogue; the CRM's are mapped by `crmFailure` in `crm/rules.ts`. */
export function classifyFailure(stage: SyncError['stage'], err: unknown): Failure {
  if (stage === 'summarize') return summarizerFailure(err);
  if (err instanceof NoConnection) return 'MESSENGER_NOT_CONNECTED';
  const { kind, code } = err instanceof ClientError ? err : { kind: undefined, code: '' };
  if (code === 'IN_USE' || code === 'ACCOUNT_BANNED' || code === 'ACCOUNT_FROZEN') return code;
  if (kind === 'auth') return 'SESSION_EXPIRED';
  if (kind === 'rateLimited') return 'FLOOD_WAIT';
  if (code === 'TIMEOUT') return 'TIMEOUT';
  if (stage === 'connect') return kind === 'temporary' ? 'OUT_OF_REACH' : 'NO_LIST';
  return code === 'PARSER_POISONED' ? 'UNREADABLE' : 'MESSENGER_UNAVAILABLE';
}

function summarizerFailure(err: unknown): Failure {
  if (!(err instanceof ClientError)) return 'AI_BAD_OUTPUT';
  if (err.kind === 'temporary' && err.code === 'TIMEOUT') return 'SUMMARY_TIMEOUT';
  return err.kind === 'temporary' || err.code === 'AI_UNAVAILABLE' ? 'AI_UNAVAILABLE' : 'AI_BAD_OUTPUT';
}

/** Whether no other conversation of the account can be read: the connection, session or our turn on it is gone. */
export function concernsWholeAccount(err: unknown): boolean {
  if (err instanceof NoConnection) return true;
  if (!(err instanceof ClientError) || err.service !== 'messenger') return false;
  if (err.kind === 'auth' || err.kind === 'rateLimited') return true;
  return ['UNREACHABLE', 'TIMEOUT', 'PARSER_POISONED', 'ACCOUNT_FROZEN'].includes(err.code);
}

/** A failure of the CRM, reported once, however many conversations it concerns. */
export type SyncFailure = { stage: Extract<SyncError['stage'], 'match' | 'crm'>; failure: CrmFailure; subject?: CrmObject };

const LATER = { match: 'Contacts are looked up at the next sync.', crm: 'The notes are written later.' };

export function toCrmError(
  { stage, failure, dialogIds, what = '' }: SyncFailure & { dialogIds: string[]; what?: string },
  dialog?: Dialog,
): SyncError {
  const { sentence, advice, code, mayPass } = describeFailure(failure, dialogIds.length, what);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  const message = `${sentence} ${mayPass ? LATER[stage] : advice}`.trim();
  return { ...about, stage, code, message, retryable: mayPass };
}
