import type { BotMessage } from '../../../clients/alertBot/types.ts';
import { findFailure } from '../../../lib/failures.ts';
import { formatQuantity } from '../../../lib/words.ts';
import type { Alert, AlertLevel, AlertSource, StoredAlert } from './schema.ts';

export const LEVEL_WORDS: Record<AlertLevel, string> = { info: 'Info', warn: 'Warning', error: 'Error', revenue: 'Revenue' };

export const SOURCE_WORDS: Record<AlertSource, string> = {
  sync: 'Sync',
  messenger: 'Telegram',
  summarizer: 'Summaries',
  crm: 'CRM',
  payments: 'Payments',
  mailer: 'Mail',
  users: 'Users',
  heartbeat: 'Heartbeat',
};

/** Sentences by kind. Failures have their own catalog; unlisted kinds are spelled out. */
const SENTENCES: Record<string, string> = {
  SYNC_COMPLETED: 'A sync finished.',
  SYNC_PARTIAL: 'A sync finished with errors.',
  SYNC_FAILED: 'A sync failed: nothing could be read.',
  KEY_REFUSED: 'Telegram doesn’t recognize an account’s key.',
  PARSER_POISONED: 'A response from Telegram couldn’t be read.',
  UNEXPECTED: 'Something unexpected went wrong.',
  MESSENGER_CONNECTED: 'A Telegram account was connected.',
  USER_SIGNED_UP: 'Someone signed up.',
  USER_DELETED: 'Someone deleted their account.',
  SUBSCRIPTION_STARTED: 'A subscription was bought.',
  SUBSCRIPTION_UPGRADED: 'A subscription was upgraded.',
  SUBSCRIPTION_ENDS: 'A subscription was canceled. It ends with the current period.',
  SUBSCRIPTION_CANCELLED: 'A subscription ended.',
  SUBSCRIPTION_NOT_CANCELLED: 'A deleted account’s subscription isn’t canceled yet. Canceling is retried.',
  PAYMENT_FAILED: 'A payment failed.',
  PAYMENT_EVENT_FAILED: 'An event from the payment provider couldn’t be processed.',
  PAYMENT_WEBHOOK_NOT_CONFIGURED: 'The payment provider is sending events, but no secret is configured to verify them.',
  AI_REPAIRED_OUTPUT: 'The summary service’s response had to be repaired.',
  AI_RETRIED: 'A request to the summary service failed and was retried.',
  AI_REFUSED_REQUEST: 'The summary service is rejecting our requests.',
  AI_UNKNOWN_VALUE: 'The summary service returned an unknown value.',
  AI_NOT_TRANSLATED: 'A digest for the CRM, or a part of it, wasn’t translated.',
  AI_CONTEXT_TOO_SMALL: 'The model takes in less than AI_CONTEXT_TOKENS says.',
  CRM_CONNECTED: 'A CRM was connected.',
  CRM_TOKEN_REFRESH_FAILED: 'The CRM didn’t renew a token. The user has to sign in to it again.',
  CRM_RETRIED: 'A request to the CRM failed and was retried.',
  CRM_UNREADABLE: 'A response from the CRM couldn’t be read.',
  MAIL_UNAVAILABLE: 'The mail server isn’t accepting email. Sending is retried.',
  MAIL_UNREACHABLE:
    'The mail server doesn’t respond. Sending is retried. Many hosts block ports 25, 465 and 587: use your provider’s port 2525 or 2587 in MAIL_URL.',
  MAIL_LOGIN_REFUSED: 'The mail server rejected our username and password.',
  MAIL_REFUSED: 'The mail server rejected an email.',
  DIGEST_MAIL_NOT_SENT: 'A user’s daily email couldn’t be sent.',
  WEEK_MAIL_NOT_SENT: 'A user’s weekly email couldn’t be sent.',
};

/** Heartbeat alerts. A solved problem uses the same sentence. */
const HEARTBEAT_SENTENCES: Record<string, string> = {
  NO_WORKER: 'No worker is running, so nothing syncs.',
  WORKER_SILENT: 'A worker stopped responding.',
  QUEUE_BACKING_UP: 'Jobs are waiting longer than they should.',
  SYNCS_FAILING: 'Many syncs are failing.',
  DIGESTS_FAILING: 'Many digests are failing.',
  SYNCS_OVERDUE: 'Syncs are overdue.',
  SESSIONS_EXPIRED: 'Telegram accounts were signed out.',
  DATABASE_SLOW: 'The database is slow.',
  PROCESS_CRASHED: 'A process crashed on an uncaught error. Its log has the details.',
  CLOCK_WRONG: 'A process’s clock and the database’s are over a minute apart, so it begins nothing.',
  CLEAN_UP_HELD: 'The clean-up would delete unusually much, so it waits for your word.',
  DAILY_SUMMARY: 'The last 24 hours.',
};

const OVER = /_OVER$/;

export function sentenceFor({ source, kind }: Pick<Alert, 'source' | 'kind'>): string {
  if (source === 'heartbeat' && OVER.test(kind)) {
    const before = HEARTBEAT_SENTENCES[kind.replace(OVER, '')];
    if (before) return `Resolved: ${before}`;
  }
  return SENTENCES[kind] ?? HEARTBEAT_SENTENCES[kind] ?? findFailure(kind)?.toOperator ?? spelledOut(kind);
}

/** `CARD_DECLINED`: Card declined. */
function spelledOut(kind: string): string {
  const words = kind.toLowerCase().replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The alert as the operator reads it in the chat. */
export function messageFor(alert: StoredAlert): BotMessage {
  const { level, source, kind, about, count, firstAt, lastAt } = alert;
  const values = Object.entries(about).map(([name, value]) => `${name}: ${String(value).replace(/\s+/g, ' ').trim()}`);
  const repeats = `${formatQuantity(count, 'more', 'more')} between ${utcTime(firstAt)} and ${utcTime(lastAt)} UTC. Most recent:`;
  return {
    title: `${LEVEL_WORDS[level]} · ${SOURCE_WORDS[source]}`,
    lines: [sentenceFor(alert), ...(alert.isRepeat ? [repeats] : []), ...values, kind],
  };
}

const utcTime = (moment: Date): string => moment.toISOString().slice(11, 16);
