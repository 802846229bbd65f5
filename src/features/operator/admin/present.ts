import { choosePlural, formatCount, formatQuantity, formatTimeOfDay, numberWord } from '../../../lib/words.ts';
import { LEVEL_WORDS, SOURCE_WORDS, sentenceFor } from '../../base/alerts/present.ts';
import type { AlertLevel, StoredAlert } from '../../base/alerts/schema.ts';
import type { DigestStatus } from '../../digests/schema.ts';
import type { Problem } from './schema.ts';
import { findProblems, type Snapshot } from './service.ts';

type Sign = { tone: '' | 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; words: string };

const UTC = 'UTC';
const WORKING: Sign = { tone: 'is-ok', icon: 'okc', words: 'Working' };

const DIGEST_SIGNS: Record<DigestStatus, Sign> = {
  COMPLETE: { tone: 'is-ok', icon: 'okc', words: 'Done' },
  SKIPPED: { tone: 'is-mute', icon: 'skip', words: 'Skipped' },
  FAILED: { tone: 'is-alert', icon: 'warn', words: 'Failed' },
  SUMMARIZING: { tone: '', icon: 'sync', words: 'Writing' },
  SYNCING: { tone: '', icon: 'sync', words: 'Adding to the CRM' },
  PENDING: { tone: 'is-mute', icon: 'clock', words: 'Waiting' },
};

const LEVEL_SIGNS: Record<AlertLevel, Pick<Sign, 'tone' | 'icon'>> = {
  info: { tone: 'is-mute', icon: 'info' },
  warn: { tone: 'is-warn', icon: 'warn' },
  error: { tone: 'is-alert', icon: 'x' },
  revenue: { tone: 'is-ok', icon: 'plusc' },
};

type AdminPageContext = { snapshot: Snapshot; alerts: StoredAlert[]; uptimeSeconds: number };

/** Everything the status page says. Times are in UTC. */
export function presentStatus({ snapshot, alerts, uptimeSeconds }: AdminPageContext) {
  const problems = findProblems(snapshot);
  return {
    headline: headlineFor(problems),
    sub: [
      ...problems.map(problem => sentenceFor({ source: 'heartbeat', ...problem })),
      `Updated at ${snapshot.at.toISOString().slice(11, 19)} UTC. Refreshes every 30 seconds.`,
    ].join(' '),
    stats: statsOf(snapshot, uptimeSeconds),
    digests: digestRows(snapshot),
    parts: summaryParts(snapshot, problems),
    alerts: alerts.map(presentAlert),
  };
}

function headlineFor(problems: Problem[]): string {
  if (problems.some(({ kind }) => kind === 'NO_WORKER')) return 'Down: no worker is running';
  if (problems.length === 0) return 'Working';
  return `Working, with ${numberWord(problems.length).toLowerCase()} ${choosePlural(problems.length, 'problem', 'problems')}`;
}

function statsOf({ users, digestsIn24h, recent, at }: Snapshot, uptimeSeconds: number) {
  const all = Object.values(digestsIn24h).reduce((sum, number) => sum + number, 0);
  const share = recent.digests === 0 ? 0 : (100 * recent.failedDigests) / recent.digests;
  const started = new Date(at.getTime() - uptimeSeconds * 1000);
  return [
    {
      number: formatCount(users.total),
      words: 'users',
      quiet: `${formatCount(users.paying)} paying, ${users.newIn24h} new`,
    },
    {
      number: formatCount(all),
      words: 'conversations in 24 h',
      quiet: formatQuantity(digestsIn24h.COMPLETE, 'digest', 'digests'),
    },
    {
      number: `${share.toFixed(1)} %`,
      words: 'failed in the last two hours',
      quiet: `${recent.failedDigests} of ${formatQuantity(recent.digests, 'digest', 'digests')}`,
    },
    { number: durationOf(uptimeSeconds), words: 'running', quiet: `since ${minuteOf(started)} UTC` },
  ];
}

function digestRows({ digestsIn24h }: Snapshot) {
  const most = Math.max(1, ...Object.values(digestsIn24h));
  return (Object.keys(DIGEST_SIGNS) as DigestStatus[]).map(status => {
    const number = digestsIn24h[status];
    // Keeps a small count visible beside large ones.
    const width = number === 0 ? 0 : Math.max(2, Math.round((240 * number) / most));
    return { sign: DIGEST_SIGNS[status], count: formatCount(number), width, isBad: status === 'FAILED' };
  });
}

function summaryParts(
  { databaseMs, queue, workers, apps, lastHeartbeatAt, overdueSyncs, unqueuedSyncs, sessionsLost }: Snapshot,
  found: Problem[],
) {
  const sign = (words: string, ...kinds: Problem['kind'][]): Sign => {
    const problem = found.find(({ kind }) => kinds.includes(kind));
    if (!problem) return WORKING;
    return problem.level === 'error' ? { tone: 'is-alert', icon: 'x', words } : { tone: 'is-warn', icon: 'warn', words };
  };
  const waits = `${formatCount(queue.waiting)} waiting, ${formatCount(queue.active)} active`;
  const oldest = queue.waiting > 0 ? `, the oldest for ${durationOf(queue.oldestWaitingSeconds)}` : '';
  const heartbeat = lastHeartbeatAt ? `last check ${minuteOf(lastHeartbeatAt)} UTC` : 'no check yet';
  return [
    { name: 'Database', sign: sign('Slow', 'DATABASE_SLOW'), about: `${databaseMs} ms` },
    { name: 'Job queue', sign: sign('Backing up', 'QUEUE_BACKING_UP'), about: `${waits}${oldest}` },
    {
      name: 'Workers',
      sign: sign(workers.alive === 0 ? 'None' : 'Silent', 'NO_WORKER', 'WORKER_SILENT'),
      about: `${workers.alive} running${workers.silent > 0 ? `, ${workers.silent} not responding` : ''}`,
    },
    {
      name: 'Syncs',
      sign: sign(overdueSyncs > 0 ? 'Overdue' : 'Failing', 'SYNCS_OVERDUE', 'SYNCS_FAILING'),
      about: `${formatCount(overdueSyncs)} overdue${unqueuedSyncs > 0 ? `, ${formatCount(unqueuedSyncs)} not queued` : ''}`,
    },
    {
      name: 'Telegram',
      sign: sign('Signing out', 'SESSIONS_EXPIRED'),
      about: `${sessionsLost} signed out in the last hour`,
    },
    { name: 'Heartbeat', sign: WORKING, about: heartbeat },
    { name: 'Connected apps', sign: WORKING, about: appsWords(apps) },
  ];
}

function appsWords({ tokens, assistants, feeds }: Snapshot['apps']): string {
  const ofAssistants = assistants > 0 ? ` (${formatCount(assistants)} for assistants)` : '';
  const calendars = formatQuantity(feeds, 'calendar feed', 'calendar feeds');
  return `${formatQuantity(tokens, 'token', 'tokens')}${ofAssistants}, ${calendars}`;
}

function presentAlert(alert: StoredAlert) {
  const { level, source, about, count, lastAt, state } = alert;
  const values = Object.entries(about).map(([name, value]) => `${name} ${value}`);
  return {
    at: minuteOf(lastAt),
    sign: { ...LEVEL_SIGNS[level], words: LEVEL_WORDS[level] },
    sentence: sentenceFor(alert),
    about: [...(count > 1 ? [`${formatCount(count)} times`] : []), ...values].join(', '),
    where: SOURCE_WORDS[source],
    note: state === 'refused' ? 'Rejected by the bot API' : '',
  };
}

/** `12 d 4 h`, `4 h 12 min`, `3 min`, `40 s`. */
function durationOf(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(Math.floor);
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

/** `21 Nov, 08:04` */
function minuteOf(moment: Date): string {
  const day = moment.toLocaleDateString('en-GB', { timeZone: UTC, day: 'numeric', month: 'short' });
  return `${day}, ${formatTimeOfDay(moment, UTC)}`;
}
