import { randomBytes, randomUUID } from 'node:crypto';
import type { MessengerClient } from '../../../../../src/clients/messenger/types.ts';
import type { Summarizer } from '../../../../../src/clients/summarizer/types.ts';
import { DEFAULT_CONFIG } from '../../../../../src/features/base/settings/schema.ts';
import type { Coverage } from '../../../../../src/features/digests/schema.ts';
import { queueDigests } from '../../../../../src/features/digests/writing/repo.ts';
import { getDialog } from '../../../../../src/features/messenger/dialogs/repo.ts';
import { credentialsContext } from '../../../../../src/features/messenger/withAccount.ts';
import { openOn, selectColumns } from '../../../../../src/features/promises/fragments.ts';
import { listOpenPromises } from '../../../../../src/features/promises/fromDigests/repo.ts';
import { toJson } from '../../../../../src/features/promises/present.ts';
import { promiseRow } from '../../../../../src/features/promises/schema.ts';
import { planDialog } from '../../../../../src/features/sync/rules.ts';
import { digestDialog } from '../../../../../src/features/sync/run/digestDialog.ts';
import { createDigestWriter } from '../../../../../src/features/sync/run/storeDigests.ts';
import { openRewrite } from '../../../../../src/features/sync/styleRewrites/repo.ts';
import { type RewriteDeps, runRewrite } from '../../../../../src/features/sync/styleRewrites/service.ts';
import { createCipher } from '../../../../../src/lib/crypto.ts';
import type { Db } from '../../../../../src/lib/db.ts';
import { createLog } from '../../../../../src/lib/log.ts';
import type { Queue } from '../../../../../src/lib/queue.ts';
import { sql } from '../../../../../src/lib/sql.ts';
import { BEGIN, type Conversation, type Voiced } from './conversation.ts';

/** A row with what the API says of it, and what only the database knows. */
const promiseWithRow = (row: Record<string, unknown>) => ({
  ...toJson(promiseRow.parse(row)),
  storedState: String(row.stored_state),
  isShown: row.is_shown === true,
  isListed: row.is_listed === true,
});
export type Row = ReturnType<typeof promiseWithRow>;

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** One person with one messenger account, in whose conversations lives are lived one after the other. */
export async function openBench(db: Db) {
  const time = { now: BEGIN };
  const clock = { now: () => new Date(time.now) };
  const cipher = createCipher([randomBytes(32)]);
  const [{ id: userId }] = await db('users').insert({ email: 'nora@example.com' }).returning('id');
  const account = { user_id: userId, connected_at: clock.now(), messenger_user_id: '1', status: 'active' };
  const [{ id: accountId }] = await db('messenger_accounts')
    .insert({ ...account, credentials: '' })
    .returning('id');
  const credentials = cipher.encrypt('session', credentialsContext(accountId));
  await db('messenger_accounts').where({ id: accountId }).update({ credentials });
  const job = { id: 'job', user_id: userId, queue_id: randomUUID(), kind: 'manual', state: 'completed' };
  await db('sync_jobs').insert(job);
  return { db, time, clock, cipher, userId: String(userId), accountId: String(accountId), lives: { begun: 0 } };
}

/** The real syncs and rewrites of one conversation, without a messenger and a summarizer. */
export function createWork(bench: Bench, dialogId: string, { messages, reader, writerIn, today }: Conversation) {
  const { db, clock, userId } = bench;
  const queue = { send: async () => null } as unknown as Queue;
  const alerts = { tell: () => undefined, close: async () => undefined };
  const messenger = { withConnection: async (_, use) => use(reader) } as Partial<MessengerClient> as MessengerClient;
  const log = createLog({ level: 'silent', name: 'lives' });
  const base = { db, clock, cipher: bench.cipher, queue, alerts, messenger, log, crm: undefined };
  const own = { userId, jobId: 'job', attempt: 0 };
  const setJob = (state: string) => db('sync_jobs').where({ id: 'job' }).update({ state });

  /** A sync of this conversation: planned, read and written as a sync of the account does it. */
  async function sync(voiced: Voiced): Promise<void> {
    const last = messages.at(-1);
    if (!last) return;
    await db('dialogs').where({ id: dialogId }).update({ top_message_id: last.id, last_message_at: last.sentAt });
    const dialog = await getDialog(db, { userId, dialogId });
    const config = { ...DEFAULT_CONFIG, timezone: 'UTC', minMessages: 1 };
    const about = { today: today(), newestAt: last.sentAt, minMessages: 1 };
    const plan = planDialog(dialog, await newestCoverage(), about);
    if (plan.kind !== 'read') return;
    const { afterMessageId } = plan;
    const planned = { dialogId, afterMessageId, lastMessageId: last.id, lastMessageAt: last.sentAt };
    const day = { userId, jobId: own.jobId, digestDate: today(), now: clock.now() };
    const digestId = (await queueDigests(db, day, [planned])).get(dialogId) ?? '';
    const promises = (await listOpenPromises(db, { userId, dialogIds: [dialogId] })).get(dialogId) ?? [];
    const digestWriter = createDigestWriter({ db, clock, accountId: '', crm: { expectNotes: async () => undefined } }, own);
    const deps = { db, clock, summarizerFor: async () => writerIn(voiced), writer: digestWriter, tokenPrices: {} };
    const read = { digestId, afterMessageId, limit: plan.limit, hasOpenRows: true, promises };
    const work = { ...own, ...read, userName: 'Nora', config, dialog, digestDate: today() };
    await digestDialog(deps, reader, work, new AbortController().signal);
  }

  async function newestCoverage(): Promise<Coverage | undefined> {
    const day = db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`);
    const row = await db('digests').where({ dialog_id: dialogId }).orderBy('digest_date', 'desc').first('*', day);
    if (!row) return undefined;
    return {
      ...{ digestDate: row.day, writingState: row.status, reason: row.reason, jobId: row.job_id, crashes: 0 },
      ...{ messageCount: row.message_count, hasSummary: row.summary !== '', dialogId },
      ...{ afterMessageId: Number(row.after_message_id), lastMessageId: Number(row.last_message_id) },
    } as Coverage;
  }

  async function asSync(work: () => Promise<unknown>): Promise<void> {
    await setJob('active');
    try {
      await work();
    } finally {
      await setJob('completed');
    }
  }

  async function rewrite(pick: number, writer: Summarizer): Promise<void> {
    const written = db('digests').where({ dialog_id: dialogId, status: 'COMPLETE' }).whereNot({ summary: '' });
    const digestId = pickOf(await written.orderBy('digest_date').pluck('id'), pick);
    if (!digestId) return;
    const asked = { userId, digestId, requestId: randomUUID() };
    await openRewrite(db, { ...asked, style: 'DETAILED', now: clock.now() });
    const deps = { ...base, summarizerFor: async () => writer, tokenPrices: {}, config: { appUrl: '' } };
    await runRewrite(deps as unknown as RewriteDeps, asked, new AbortController().signal);
    const [failed] = await db('digest_rewrites').where({ digest_id: digestId }).delete().returning('reason');
    if (failed && failed.reason !== 'WRITTEN_MEANWHILE') throw new Error(`not rewritten: ${failed.reason}`);
  }

  async function list(): Promise<Row[]> {
    const moment = { today: today(), timeOfDay: '12:00' };
    const rows =
      await sql`select ${selectColumns(moment)}, p.state as stored_state, p.number, (${openOn(moment)}) as is_listed,
        p.number <= (select last_seen_number from promise_read_markers where user_id = p.user_id) as is_shown
      from promises p join dialogs on dialogs.id = p.dialog_id where p.dialog_id = ${dialogId} order by p.number`.rows<
        Record<string, unknown>
      >(db);
    return rows.map(promiseWithRow);
  }

  return { base, asSync, sync, rewrite, list };
}

/** @returns a random one of these, by a number below 1 */
export function pickOf<T>(of: readonly T[], pick: number): T | undefined {
  return of[Math.floor(pick * of.length)];
}
