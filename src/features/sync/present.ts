import { FAILURES, sayAskedToWait, sayUnreachable } from '../../lib/failures.ts';
import { localDay } from '../../lib/timezones.ts';
import {
  choosePlural,
  formatCount,
  formatDayInSentence,
  formatQuantity,
  formatTimeOfDay,
  formatUpcoming,
  joinList,
} from '../../lib/words.ts';
import type { SettingsWithSchedule, SyncConfig } from '../base/settings/schema.ts';
import { isTracked, sumOfDialogs } from '../messenger/dialogs/rules.ts';
import type { DialogCount } from '../messenger/dialogs/schema.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import type { DayLoad } from './repo.ts';
import { comparisonMinimum, estimateEnd, isCrmStage } from './rules.ts';
import type { Follow, SyncJob } from './schema.ts';
import { findNextSync } from './service.ts';

export type SyncPanel = {
  /** Empty before the first sync. */
  jobId: string;
  state: 'never' | 'running' | 'done' | 'partial' | 'failed';
  heading: string;
  /** Shown beside the wordmark on phones. */
  chip: string;
  /** How current the page is, in sentences; '' once it has the day's digests. */
  asOf: string;
  sentence: string;
  /** Null while the amount of work is unknown. */
  progress: { percent: number; words: string } | null;
  errors: string[];
  canStart: boolean;
  pollSeconds: number;
  newDigests: number;
  /** When the next one starts automatically; empty while one runs, and when none will. */
  next: string;
};

type PanelContext = {
  now: Date;
  timezone: string;
  /** When the next daily sync begins, if one will. */
  nextAt?: Date | undefined;
  /** When the last sync that completed began; null before the first. */
  readUntil: Date | null;
};

const MAX_ERRORS = 20;
const BUSY_SECONDS = 3;
const IDLE_SECONDS = 60;
const LEAVE = 'You can leave this page; the sync continues.';

/** @param canStart false as long as no account is connected */
export function presentSync(job: SyncJob | undefined, canStart: boolean, context: PanelContext): SyncPanel {
  if (!job) return presentNeverSynced(canStart, context);
  return job.state === 'waiting' || job.state === 'active'
    ? presentRunning(job, context)
    : presentFinished(job, canStart, context);
}

const EMPTY_PANEL = { jobId: '', progress: null, errors: [], pollSeconds: IDLE_SECONDS, newDigests: 0, next: '', asOf: '' };

function presentNeverSynced(canStart: boolean, context: PanelContext): SyncPanel {
  const sentence = canStart
    ? 'The first sync reads the newest messages of the last two weeks.'
    : 'Connect Telegram and the first sync can start.';
  const next = nextDigestWords(context);
  return { ...EMPTY_PANEL, state: 'never', heading: 'Not synced yet', chip: 'Not synced', sentence, canStart, next };
}

function presentRunning(job: SyncJob, context: PanelContext): SyncPanel {
  const counted = job.total > 0;
  const words = `${formatCount(job.done)} of ${formatCount(job.total)}`;
  const heading = job.state === 'waiting' ? 'Sync starts in a moment' : 'Syncing';
  const sentence = runningSentence(job, context);
  return {
    ...EMPTY_PANEL,
    state: 'running',
    heading,
    chip: counted ? words : 'Syncing',
    asOf: [readWords(context), counted ? `Reading now: ${words} conversations.` : `${heading}.`, sentence]
      .filter(Boolean)
      .join(' '),
    sentence: [sentence, LEAVE].filter(Boolean).join(' '),
    progress: counted ? { percent: job.progress, words } : null,
    canStart: false,
    pollSeconds: BUSY_SECONDS,
    jobId: job.id,
    newDigests: job.result.digestsCreated,
  };
}

function runningSentence(job: SyncJob, { now, timezone }: PanelContext): string {
  if (job.waitsUntil && job.waitsUntil > now) {
    const until = formatTimeOfDay(job.waitsUntil, timezone);
    if (job.waitsFor === 'outage') return `${sayUnreachable('messenger')} We’ll try again at ${until}.`;
    return `${sayAskedToWait('messenger', `until ${until}`)} ${FAILURES.FLOOD_WAIT.advice}`;
  }
  if (job.total > 0 && job.done === job.total) return 'Writing the notes to the CRM.';
  if (job.state === 'waiting') return '';
  if (job.total === 0) return 'Reading the list of conversations.';
  return leftWords(job, now);
}

function readWords({ readUntil, ...context }: PanelContext): string {
  return readUntil ? `As of ${whenWords(readUntil, context).near}.` : '';
}

/** Until when the page is current, if no sync was completed today; otherwise ''. */
function staleWords(context: PanelContext): string {
  const { readUntil, nextAt, timezone } = context;
  const dayOf = (moment: Date) => localDay(moment, timezone);
  const today = dayOf(context.now);
  if (!readUntil || dayOf(readUntil) === today) return '';
  const next = nextAt && dayOf(nextAt) === today ? ` Today’s digests come at ${formatTimeOfDay(nextAt, timezone)}.` : '';
  return `${readWords(context)}${next}`;
}

/** The time left in words; '' while it can't be estimated. */
function leftWords(job: SyncJob, now: Date): string {
  const end = estimateEnd(job, now);
  if (!end) return '';
  const minutes = (end.getTime() - now.getTime()) / 60_000;
  if (minutes < 0.75) return 'Less than a minute left.';
  return minutes < 1.5 ? 'About a minute left.' : `About ${formatCount(Math.round(minutes))} minutes left.`;
}

function presentFinished(job: SyncJob, canStart: boolean, context: PanelContext): SyncPanel {
  const when = whenWords(job.finishedAt ?? job.createdAt, context);
  // A name is wrapped in marks that isolate its writing direction.
  const errors = job.result.errors.map(({ peerName, message }) =>
    peerName ? `\u2068${peerName}\u2069: ${message}` : message,
  );
  const rest = errors.length - MAX_ERRORS;
  const shown = rest > 0 ? [...errors.slice(0, MAX_ERRORS), `And ${formatCount(rest)} more.`] : errors;
  const { retryAt } = job;
  const willRetry = retryAt !== null && retryAt > context.now;
  const back = willRetry ? `We’ll try again at ${formatTimeOfDay(retryAt, context.timezone)}.` : '';
  const ended = { ...EMPTY_PANEL, chip: when.near, canStart, jobId: job.id, newDigests: job.result.digestsCreated };
  if (job.state === 'failed') {
    return {
      ...ended,
      state: 'failed',
      heading: `Stopped ${when.isToday ? 'at ' : ''}${when.near}`,
      asOf: [staleWords(context), back].filter(Boolean).join(' '),
      sentence: [errors[0] ?? 'The sync couldn’t run.', back].filter(Boolean).join(' '),
      next: nextDigestWords(context),
    };
  }
  return {
    ...ended,
    state: errors.length > 0 ? 'partial' : 'done',
    heading: `Synced ${when.near}`,
    asOf: staleWords(context),
    sentence: resultWords(job),
    errors: shown,
    next: back || nextDigestWords(context),
  };
}

function nextDigestWords({ nextAt, ...context }: PanelContext): string {
  return nextAt ? `The next digest is ${formatUpcoming(nextAt, context)}.` : '';
}

function resultWords({ result }: SyncJob): string {
  if (result.dialogsProcessed === 0 && result.errors.length === 0) return 'Nothing new since the last sync.';
  // Of the CRM's errors none kept a digest from being written.
  const failed = result.errors.filter(error => !isCrmStage(error)).length;
  const parts = [
    `${formatQuantity(result.dialogsProcessed, 'conversation', 'conversations')} read`,
    formatQuantity(result.digestsCreated, 'digest', 'digests'),
    result.notesCreated > 0 && `${formatQuantity(result.notesCreated, 'note', 'notes')} in the CRM`,
    failed > 0 && `${formatCount(failed)} failed`,
  ];
  return `${joinList(parts.filter(part => part !== false))}.`;
}

/** `07:31` today, else with the day. */
function whenWords(moment: Date, context: Pick<PanelContext, 'now' | 'timezone'>): { near: string; isToday: boolean } {
  const [day, time] = [formatDayInSentence(moment, context), formatTimeOfDay(moment, context.timezone)];
  const isToday = day === 'today';
  return { near: isToday ? time : `${day} ${time}`, isToday };
}

/** The initial polling state of a page that shows this panel. */
export function beginToFollow({ jobId, newDigests, state }: SyncPanel, fromEmpty = false): Follow {
  const isIdle = state !== 'running';
  return { job: jobId, seen: newDigests, announced: newDigests, fromEmpty, isIdle, isLine: false };
}

/** The data of the line on pages without the panel, which polls on its own. */
export function presentLine(panel: SyncPanel, follow = beginToFollow(panel)) {
  return { ...panel, pollPath: pollPath({ ...follow, isLine: true }), isLine: true };
}

/** The polling state for the page's next request. If another sync runs now, none of its digests count as seen. */
export function continueFollow(panel: SyncPanel, before: Follow): Follow {
  const seen = before.job === panel.jobId ? before.seen : 0;
  return { ...beginToFollow(panel, before.fromEmpty), seen };
}

export function pollPath({ job, seen, announced, fromEmpty, isIdle, isLine }: Follow): string {
  const query = new URLSearchParams({ job, seen: String(seen), announced: String(announced) });
  if (fromEmpty) query.set('from', 'empty');
  if (isIdle) query.set('idle', '1');
  if (isLine) query.set('line', '1');
  return `/sync?${query}`;
}

/** The effect of the settings, in the words of the settings page; '' if nothing is known yet. */
export type Effect = {
  /** "With 5, about 11 of your 206 conversations get a digest on a normal day. With 3 it would be about 19." */
  minMessages: string;
  groups: string;
  next: { label: string; value: string }[];
};

type EffectInputs = { accounts: MessengerAccount[]; dialogs: DialogCount[]; loads: DayLoad[]; now: Date };

export function describeEffect(
  { config, nextRunAt }: SettingsWithSchedule,
  { accounts, dialogs, loads, now }: EffectInputs,
): Effect {
  const nextAt = findNextSync(accounts, nextRunAt);
  const groups = sumOfDialogs(dialogs.filter(({ peerType, unreadable }) => peerType !== 'user' && unreadable === null));
  const conversations = sumOfDialogs(dialogs.filter(dialog => isTracked(dialog, config)));
  const next = nextAt ? formatUpcoming(nextAt, { now, timezone: config.timezone }) : '';
  return {
    minMessages: minimumWords(loads, config, conversations),
    groups: groups > 0 ? `You have ${formatQuantity(groups, 'group', 'groups')}.` : '',
    next: nextAt ? nextRows(loads, next.charAt(0).toUpperCase() + next.slice(1)) : [],
  };
}

function minimumWords(loads: DayLoad[], { minMessages }: SyncConfig, conversations: number): string {
  if (loads.length === 0 || conversations === 0) return '';
  const usual = median(loads.map(({ digests }) => digests));
  const compared = median(loads.map(({ digestsCompared }) => digestsCompared));
  const all = formatQuantity(conversations, 'conversation', 'conversations');
  const first = `With ${minMessages}, ${aboutHowMany(usual)} of your ${all} ${choosePlural(usual, 'gets', 'get')} a digest on a normal day.`;
  return compared === usual
    ? first
    : `${first} With ${comparisonMinimum(minMessages)} it would be ${aboutHowMany(compared)}.`;
}

const aboutHowMany = (count: number): string => (count === 0 ? 'none' : `about ${formatCount(count)}`);

function nextRows(loads: DayLoad[], next: string): Effect['next'] {
  const rows = [{ label: 'Next digest', value: next }];
  if (loads.length === 0) return rows;
  const reads = median(loads.map(({ conversations }) => conversations));
  const notes = median(loads.map(load => load.notes));
  const digests = formatQuantity(median(loads.map(load => load.digests)), 'digest', 'digests');
  const writes = notes > 0 ? `${digests}, ${formatQuantity(notes, 'CRM note', 'CRM notes')}` : digests;
  return [
    ...rows,
    { label: 'Reads', value: `about ${formatQuantity(reads, 'conversation', 'conversations')}` },
    { label: 'Writes', value: `about ${writes}` },
  ];
}

/** Robust against a single busy day. */
function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
