import type { MessengerReader } from '../../src/clients/messenger/types.ts';
import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import { DEFAULT_CONFIG } from '../../src/features/base/settings/schema.ts';
import { noteShown } from '../../src/features/promises/repo.ts';
import { createDigestWriter } from '../../src/features/sync/run/createDigestWriter.ts';
import { digestDialog } from '../../src/features/sync/run/digestDialog.ts';
import { planAccount } from '../../src/features/sync/run/planAccount.ts';
import type { Db } from '../../src/lib/db.ts';
import { messagesOf, type Story } from './read.ts';

/** A stored promise at the end of a day. */
export type Kept = {
  id: string;
  direction: 'mine' | 'theirs' | 'unassigned';
  who: string | null;
  words: string;
  state: string;
  reason: string | null;
  isDoubtful: boolean;
  dueDate: string | null;
  movedFrom: string | null;
  sourceMessageIds: string[];
  requestId: string | null;
  evidence: { messageIds: string[]; words: string } | null;
};
/** What is stored at the end of a day: promises, and the questions that wait for the user. */
export type Evening = { date: string; promises: Kept[]; waits: number[] };

const NIGHT = 'T23:30:00Z';
const summarizer = createBuiltInSummarizer();

/** Reads a story day by day as the daily sync does, for a person of its own. */
export async function live(db: Db, story: Story): Promise<Evening[]> {
  const messages = messagesOf(story);
  const { userId, accountId, dialogId } = await begin(db, story);
  const reader: MessengerReader = {
    async *dialogs() {},
    history: async (_, { afterId, untilId, limit }) =>
      messages.filter(({ id }) => id > afterId && id <= untilId).slice(-limit),
  };
  const evenings: Evening[] = [];
  for (const [at, { date }] of story.days.entries()) {
    const now = new Date(`${date}${NIGHT}`);
    const clock = { now: () => now };
    const last = messages.findLast(({ sentAt }) => sentAt <= now);
    if (!last) continue;
    await db('dialogs').where({ id: dialogId }).update({ top_message_id: last.id, last_message_at: last.sentAt });
    const own = { userId, jobId: `story ${story.id} ${at}`, attempt: 0 };
    await db('sync_jobs').insert({
      id: own.jobId,
      user_id: userId,
      queue_id: dialogId,
      kind: 'manual',
      state: 'active',
    });
    const config = { ...DEFAULT_CONFIG, timezone: 'UTC', includeGroups: true };
    const sync = { ...own, accountId, digestDate: date, config, planned: new Set<string>() };
    const { reads } = await db.transaction(trx => planAccount({ db: trx, clock }, sync));
    const writer = createDigestWriter({ db, clock, crm: { expectNotes: async () => undefined } }, own);
    const deps = { db, clock, summarizerFor: async () => summarizer, writer, tokenPrices: {} };
    for (const read of reads)
      await digestDialog(
        deps,
        reader,
        { ...own, ...read, userName: story.user, config, digestDate: date },
        new AbortController().signal,
      );
    await db('sync_jobs').where({ id: own.jobId }).update({ state: 'completed' });
    await noteShown(db, { userId });
    evenings.push({ date, promises: await listKept(db, userId), waits: await listWaiting(db, userId) });
  }
  return evenings;
}

async function begin(db: Db, { id: key, title, kind }: Story) {
  const idOf = async (table: string, row: object): Promise<string> => {
    const [{ id }] = await db(table).insert(row).returning('id');
    return String(id);
  };
  const userId = await idOf('users', { email: `${key}@example.com` });
  const account = {
    user_id: userId,
    messenger_user_id: key,
    status: 'active',
    connected_at: new Date(),
    credentials: '-',
  };
  const accountId = await idOf('messenger_accounts', account);
  const ofGroup = { peer_id: 'chat:1', peer_type: 'group', peer_kind: 'chat' };
  const ofPerson = { peer_id: 'user:1', peer_type: 'user', peer_kind: 'user' };
  const peer = { ...(kind === 'group' ? ofGroup : ofPerson), peer_key: '1', peer_name: title };
  return { userId, accountId, dialogId: await idOf('dialogs', { user_id: userId, account_id: accountId, ...peer }) };
}

async function listKept(db: Db, userId: string): Promise<Kept[]> {
  const rows = await db('promises')
    .where({ user_id: userId })
    .whereNot({ state: 'withdrawn' })
    .orderBy('number')
    .select(
      '*',
      db.raw(`to_char(due_date, 'YYYY-MM-DD') as due`),
      db.raw(`to_char(moved_from, 'YYYY-MM-DD') as moved`),
    );
  return rows.map(row => ({
    ...{ id: row.id, direction: row.direction, who: row.who, words: row.words, state: row.state, reason: row.reason },
    ...{ isDoubtful: row.is_doubtful, dueDate: row.due, movedFrom: row.moved, evidence: row.evidence },
    ...{ sourceMessageIds: row.source_message_ids, requestId: row.request?.messageId ?? null },
  }));
}

async function listWaiting(db: Db, userId: string): Promise<number[]> {
  const ids = await db('waiting_questions').where({ user_id: userId, dismissed_at: null }).pluck('message_id');
  return ids.map(Number);
}
