import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { dayAfter, localDay } from '../../lib/timezones.ts';
import { countOf, formatCount, nextWords, pluralOf } from '../../lib/words.ts';
import type { Standing, SyncConfig } from '../base/settings/schema.ts';
import { isTracked, sumOf } from '../messenger/dialogs/rules.ts';
import type { DialogCount } from '../messenger/dialogs/schema.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import { type DayLoad, listLoads } from './repo.ts';
import { nextSyncOf } from './service.ts';

/** How many days back define a normal day. */
const DAYS = 14;

/** What the settings come to, in the words of the settings page; '' where nothing is known yet. */
type Effect = {
  /** "With 5, about 11 of your 206 conversations get a digest on a normal day. With 3 it would be about 19." */
  minMessages: string;
  groups: string;
  next: { label: string; value: string }[];
};

/** What the days before the present one brought. */
export async function listRecentLoads(
  { db, clock }: { db: Db; clock: Clock },
  { userId, config: { minMessages, timezone } }: { userId: string; config: SyncConfig },
): Promise<DayLoad[]> {
  const since = dayAfter(localDay(clock.now(), timezone), -DAYS);
  return listLoads(db, { userId, since, minMessages, comparedMinimum: otherMinimum(minMessages) });
}

type Known = { accounts: MessengerAccount[]; dialogs: DialogCount[]; loads: DayLoad[]; now: Date };

export function describeEffect({ config, nextRunAt }: Standing, { accounts, dialogs, loads, now }: Known): Effect {
  const nextAt = nextSyncOf(accounts, nextRunAt);
  const groups = sumOf(dialogs.filter(({ peerType, unreadable }) => peerType !== 'user' && unreadable === null));
  const conversations = sumOf(dialogs.filter(dialog => isTracked(dialog, config)));
  const next = nextAt ? nextWords(nextAt, { now, timezone: config.timezone }) : '';
  return {
    minMessages: minimumWords(loads, config, conversations),
    groups: groups > 0 ? `You have ${countOf(groups, 'group', 'groups')}.` : '',
    next: nextAt ? nextRows(loads, next.charAt(0).toUpperCase() + next.slice(1)) : [],
  };
}

function minimumWords(loads: DayLoad[], { minMessages }: SyncConfig, conversations: number): string {
  if (loads.length === 0 || conversations === 0) return '';
  const now = median(loads.map(({ digests }) => digests));
  const then = median(loads.map(({ digestsCompared }) => digestsCompared));
  const all = countOf(conversations, 'conversation', 'conversations');
  const first = `With ${minMessages}, ${aboutHowMany(now)} of your ${all} ${pluralOf(now, 'gets', 'get')} a digest on a normal day.`;
  return then === now ? first : `${first} With ${otherMinimum(minMessages)} it would be ${aboutHowMany(then)}.`;
}

function aboutHowMany(count: number): string {
  return count === 0 ? 'none' : `about ${formatCount(count)}`;
}

/** Another common choice, to compare the present one with. */
function otherMinimum(minMessages: number): number {
  if (minMessages > 3) return 3;
  return minMessages > 1 ? 1 : 5;
}

function nextRows(loads: DayLoad[], next: string): Effect['next'] {
  const rows = [{ label: 'Next digest', value: next }];
  if (loads.length === 0) return rows;
  const reads = median(loads.map(({ conversations }) => conversations));
  const notes = median(loads.map(load => load.notes));
  const digests = countOf(median(loads.map(load => load.digests)), 'digest', 'digests');
  const writes = notes > 0 ? `${digests}, ${countOf(notes, 'CRM note', 'CRM notes')}` : digests;
  return [
    ...rows,
    { label: 'Reads', value: `about ${countOf(reads, 'conversation', 'conversations')}` },
    { label: 'Writes', value: `about ${writes}` },
  ];
}

/** Used because a single busy day says little. */
function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
