import { randomBytes, randomUUID } from 'node:crypto';
import { ClientError } from '../../../src/clients/errors.ts';
import type { MessengerClient, MessengerMessage, MessengerReader } from '../../../src/clients/messenger/types.ts';
import { actionItemIds } from '../../../src/clients/summarizer/actionItemId.ts';
import type {
  ActionItem,
  OpenPromise,
  QuotedClosing,
  Summarizer,
  SummaryRequest,
} from '../../../src/clients/summarizer/types.ts';
import { getDialog } from '../../../src/features/dialogs/repo.ts';
import { type Coverage, NOTHING_YET } from '../../../src/features/digests/schema.ts';
import { credentialsContext } from '../../../src/features/messenger/withAccount.ts';
import { addPromise, editPromise } from '../../../src/features/promiseEdits/service.ts';
import { toJson } from '../../../src/features/promises/present.ts';
import { COLUMNS, closePastOfAllUsers, noteShown, OPEN_TODAY } from '../../../src/features/promises/repo.ts';
import { type Kind, promiseRow } from '../../../src/features/promises/schema.ts';
import { changeMany } from '../../../src/features/promises/service.ts';
import { listOpenPromises } from '../../../src/features/recording/repo.ts';
import { openRewrite } from '../../../src/features/rewrites/repo.ts';
import { type RewriteDeps, runRewrite } from '../../../src/features/rewrites/runRewrite.ts';
import { DEFAULT_CONFIG } from '../../../src/features/settings/schema.ts';
import { planConversation } from '../../../src/features/sync/rules.ts';
import { createDigestWriter } from '../../../src/features/syncRun/createDigestWriter.ts';
import { digestDialog } from '../../../src/features/syncRun/digestDialog.ts';
import { queueDigests } from '../../../src/features/writing/repo.ts';
import { createCipher } from '../../../src/lib/crypto.ts';
import type { Db } from '../../../src/lib/db.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { Queue } from '../../../src/lib/queue.ts';

/**
 * The life of one conversation: what is written in it, how its days are read and read again, and what its person does.
 * Each step holds all of its own chance, so that a life stays the same when other steps are taken out of it.
 */
export type Step =
  /** A message with promises of whoever writes it, or of the other side; perhaps it answers a request just before. */
  | { do: 'say'; by: Side; of: Side[]; answers: boolean; cites: boolean; due: number | null; kind: Kind }
  /** The words of an earlier promise once more. */
  | { do: 'repeat'; pick: number }
  /** A message that says what became of an earlier promise. */
  | { do: 'close'; pick: number; by: Side; state: QuotedClosing['state'] }
  /** A message of the user's that answers all that was asked before it. */
  | { do: 'answer' }
  | ({ do: 'sync'; minMessages: number; limit: number } & Voiced)
  | ({ do: 'rewrite'; pick: number } & Voiced)
  /** Two syncs of the day at once, as when a worker is presumed dead, and the person looks meanwhile. */
  | ({ do: 'syncTwice' } & Voiced)
  /** A rewrite of a digest and a sync at once, and the person decides meanwhile. */
  | ({ do: 'rewriteAtOnce'; pick: number; action: Action } & Voiced)
  | { do: 'day'; days: number }
  | { do: 'look' }
  | { do: 'mail' }
  | { do: 'decide'; pick: number; action: Action; days: number }
  | { do: 'edit'; pick: number; field: 'words' | 'due' | 'side' | 'kind' }
  | { do: 'add'; pick: number; kind: Kind; due: number | null }
  | { do: 'merge' }
  | { do: 'cleanUp' };

type Side = 'user' | 'contact';
type Action = 'done' | 'cancel' | 'dismiss' | 'snooze' | 'move' | 'reopen' | 'undo';
/** How a writer reads: `seed` decides what it leaves out, splits, cites and takes for someone else's. */
type Voiced = { voice: 'builtIn' | 'model' | 'german'; seed: number };

type Chance = ReturnType<typeof createChance>;

/** 32 bits of chance from a number; small and the same everywhere. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  const is = (share: number) => next() < share;
  const one = <T>(of: readonly [T, ...T[]]): T => of[whole(of.length)] ?? of[0];
  return { next, whole, is, one };
}

const SIDES = ['user', 'contact'] as const;
const VOICES = ['builtIn', 'model', 'german'] as const;
const KINDS = ['promise', 'promise', 'appointment', 'deadline'] as const;
const ACTIONS = ['done', 'cancel', 'dismiss', 'snooze', 'move', 'reopen', 'undo', 'undo', 'undo'] as const;
const CLOSINGS = ['done', 'cancelled', 'moved', 'doubtful', 'handedOver'] as const;
const FIELDS = ['words', 'due', 'side', 'kind'] as const;

/** A life of about a dozen steps, each of which changes something. */
export function makeLife(seed: number): Step[] {
  const { whole, is, one, next } = createChance(seed);
  const voiced = () => ({ voice: one(VOICES), seed: whole(1e6) });
  const say = (): Step => {
    const by = one(SIDES);
    const of = is(0.25) ? [by, one(SIDES)] : [is(0.7) ? by : one(SIDES)];
    const due = is(0.5) ? whole(4) : null;
    return { do: 'say', by, of, answers: is(0.4), cites: is(0.6), due, kind: due === null ? 'promise' : one(KINDS) };
  };
  const sync = (): Step => {
    return { do: 'sync', ...voiced(), minMessages: is(0.15) ? 4 : 1, limit: is(0.1) ? 3 : 500 };
  };
  const rewrite = (): Step => ({ do: 'rewrite', pick: next(), ...voiced() });
  const close = (): Step => ({ do: 'close', pick: next(), by: one(SIDES), state: one(CLOSINGS) });
  const back = (): Step => ({ do: 'decide', pick: next(), action: is(0.7) ? 'undo' : 'reopen', days: 1 });
  const again = (): Step => (is(0.5) ? { do: 'cleanUp' } : rewrite());
  const others: (readonly [number, () => Step | Step[]])[] = [
    [16, say],
    [4, () => ({ do: 'repeat', pick: next() })],
    [9, close],
    [3, () => ({ do: 'answer' })],
    [16, sync],
    [18, rewrite],
    [3, () => ({ do: 'syncTwice', ...voiced() })],
    [4, () => ({ do: 'rewriteAtOnce', pick: next(), action: one(ACTIONS), ...voiced() })],
    [8, () => ({ do: 'day', days: 1 + whole(2) })],
    [8, () => ({ do: 'look' })],
    [2, () => ({ do: 'mail' })],
    [18, () => ({ do: 'decide', pick: next(), action: one(ACTIONS), days: 1 + whole(3) })],
    [6, () => ({ do: 'edit', pick: next(), field: one(FIELDS) })],
    [3, () => ({ do: 'add', pick: next(), kind: one(KINDS), due: is(0.6) ? whole(3) : null })],
    [1, () => ({ do: 'merge' })],
    [4, () => ({ do: 'cleanUp' })],
    // Taken back, and then read once more.
    [5, () => [{ do: 'day', days: 3 }, { do: 'cleanUp' }, back(), again()]],
    [5, () => [close(), sync(), back(), rewrite()]],
  ];
  const total = others.reduce((sum, [weight]) => sum + weight, 0);
  const any = (): Step | Step[] => {
    let at = next() * total;
    for (const [weight, make] of others) {
      at -= weight;
      if (at < 0) return make();
    }
    return sync();
  };
  return [
    say(),
    sync(),
    ...(is(0.7) ? [{ do: 'look' } as const] : []),
    ...Array.from({ length: 4 + whole(5) }, any).flat(),
  ];
}

/** What someone really said, whatever is read of it. */
type Underlying = {
  binding: number;
  requestId: number | null;
  /** A request that is always cited, so that a writer may also rest on the request alone. */
  cites: boolean;
  of: Side;
  thing: number;
  dueDate: string | null;
  kind: Kind;
};

const NOUNS = ['contract', 'invoice', 'catalogue', 'samples', 'drawing', 'deposit', 'schedule', 'licence', 'brochure'];
const THINGS = ['Vertrag', 'Rechnung', 'Katalog', 'Muster', 'Zeichnung', 'Anzahlung', 'Zeitplan', 'Lizenz', 'Prospekt'];
const PARTS = {
  builtIn: (thing: number) => [`Send over ${NOUNS[thing]} ${thing}`, `Confirm receipt of ${NOUNS[thing]} ${thing}`],
  model: (thing: number) => [
    `The ${NOUNS[thing]} ${thing} has to reach Leeds`,
    `Tell Marcus about ${NOUNS[thing]} ${thing}`,
  ],
  german: (thing: number) => [`${THINGS[thing]} schicken`, `Eingang der ${THINGS[thing]} melden`],
};
const DAY = 24 * 3600 * 1000;
const BEGIN = Date.parse('2026-11-02T09:00:00Z');

const promiseWithRow = (row: Record<string, unknown>) => ({
  ...toJson(promiseRow.parse(row)),
  storedState: String(row.stored_state),
  isShown: row.is_shown === true,
  isListed: row.is_listed === true,
});
type Row = ReturnType<typeof promiseWithRow>;
type Hand = Partial<Pick<Row, 'words' | 'dueDate' | 'direction' | 'kind'>>;

type Between = { was: Row; is: Row; isReading: boolean };
const wasShown = ({ was }: Between) => was.isShown && was.storedState !== 'withdrawn';
/** By a rewrite of the digest that said it before; another day may say it in other words. */
const isRewritten = (between: Between) =>
  between.isReading && wasShown(between) && between.is.lastDigestId === between.was.lastDigestId;
const CLOSED = ['done', 'cancelled', 'dismissed'];

/** What no step may do to a row. */
const NEVER_BETWEEN: Record<string, (between: Between) => boolean> = {
  'it is another item': ({ was, is }) => is.itemId !== was.itemId,
  'it was shown, and is withdrawn': between => wasShown(between) && between.is.storedState === 'withdrawn',
  'a reading changed that it was closed': ({ was, is, isReading }) =>
    isReading && CLOSED.includes(was.state) && is.state !== was.state,
  'a rewrite changed words that were shown': between => isRewritten(between) && between.is.words !== between.was.words,
  'a rewrite changed whose it was shown to be': between =>
    isRewritten(between) && between.was.direction !== 'unassigned' && between.is.direction !== between.was.direction,
};

function brokenBetween({ was, is, isReading }: { was: Row; is: Row | undefined; isReading: boolean }): string[] {
  if (!is) return [`a row is gone: ${JSON.stringify(was)}`];
  const found = Object.keys(NEVER_BETWEEN).filter(name => NEVER_BETWEEN[name]?.({ was, is, isReading }));
  return found.map(name => `${name}: ${JSON.stringify({ was, is })}`);
}

/** `taken`: the messages of closings that the person took back. `isRedone`: their own undo closed it again. */
type Standing = { row: Row; taken: ReadonlySet<unknown>; isRedone: boolean; hand: Hand; today: string };
const hasReason = ({ row }: Standing) => row.state === 'done' || row.state === 'cancelled';
const isAutomatic = (standing: Standing) => hasReason(standing) && standing.row.changedBy === 'automatic';
const restsOn = ({ reason, evidence }: Row) => (reason === 'past' ? ['past'] : (evidence?.messageIds ?? []));

/** What no row may be. */
const NEVER: Record<string, (standing: Standing) => boolean> = {
  'it is closed without a reason': standing => hasReason(standing) && standing.row.reason === null,
  'its automatic closing has no undo': standing => isAutomatic(standing) && !standing.row.canUndo && !standing.isRedone,
  'a closing that was taken back has returned': standing =>
    isAutomatic(standing) && restsOn(standing.row).some(one => standing.taken.has(one)),
  'it is replaced by nothing': ({ row }) => row.reason === 'replaced' && row.replacedBy === null,
  'it is past before its day': ({ row, today }) => row.reason === 'past' && (row.dueDate ?? today) >= today,
  'what the person wrote is overwritten': ({ row, hand }) =>
    Object.entries(hand).some(([field, value]) => row[field as keyof Hand] !== value),
};

function brokenIn(standing: Standing): string[] {
  const found = Object.keys(NEVER).filter(name => NEVER[name]?.(standing));
  return found.map(name => `${name}: ${JSON.stringify(standing.row)}`);
}

/** A promise of the issue that was not kept. */
export class Broken extends Error {}

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

/** Lives the steps in a conversation of their own. Throws {@link Broken} after the step that breaks the promise. */
export async function live(bench: Bench, steps: readonly Step[]): Promise<void> {
  const life = await beginLife(bench);
  try {
    for (const [at, step] of steps.entries()) await life.take(step, at);
  } finally {
    await life.end();
  }
}

async function beginLife(bench: Bench) {
  const { db, time, clock, userId, accountId } = bench;
  bench.lives.begun += 1;
  time.now = BEGIN;
  const key = String(bench.lives.begun);
  const peer = {
    peer_id: `user:${key}`,
    peer_type: 'user',
    peer_kind: 'user',
    peer_key: key,
    peer_name: 'Farid Nazari',
  };
  const [{ id }] = await db('dialogs')
    .insert({ user_id: userId, account_id: accountId, ...peer })
    .returning('id');
  const dialogId = String(id);
  const messages: MessengerMessage[] = [];
  const said: Underlying[] = [];
  /** By message: which promise it closes and how, or that it answers everything. */
  const closes = new Map<number, { binding: number; state: QuotedClosing['state'] }>();
  const answers = new Set<number>();
  /** By message: what was ever read as two promises, or in other words as someone else's, which may be another one. */
  const apart = new Map<number, Set<string>>();
  const hand = new Map<string, Hand>();
  const undone = new Map<string, Set<string>>();
  const redone = new Set<string>();
  let newest: Row[] = [];

  const today = () => clock.now().toISOString().slice(0, 10);
  const dayIn = (days: number) => new Date(time.now + days * DAY).toISOString().slice(0, 10);
  const pickOf = <T>(of: readonly T[], pick: number): T | undefined => of[Math.floor(pick * of.length)];

  function write(by: Side): number {
    time.now += 60_000;
    const messageId = messages.length + 1;
    const fromUser = by === 'user';
    const sender = { senderName: fromUser ? 'Nora' : 'Farid', senderId: fromUser ? '1' : '2', fromUser };
    messages.push({ id: messageId, sentAt: clock.now(), ...sender, text: 'Said.', forwarded: false });
    return messageId;
  }

  const reader: MessengerReader = {
    async *dialogs() {},
    history: async (_, { afterId, untilId, limit }) =>
      messages.filter(({ id: one }) => one > afterId && one <= untilId).slice(-limit),
  };

  /** What a writer makes of the promises in these messages. */
  function readItems(read: readonly MessengerMessage[], { voice, seed }: Voiced): ActionItem[] {
    const idOf = actionItemIds();
    const inReach = new Set(read.map(({ id: one }) => one));
    const items = said.flatMap((one, at): ActionItem[] => {
      const chance = createChance(seed * 1009 + at);
      if (!inReach.has(one.binding) || chance.is(0.18)) return [];
      const owner = ownerOf(one, chance);
      const rests = restsOf(one, voice, chance);
      const isSplit = chance.is(0.06);
      noteApart(one, at, { isSplit, isTurned: owner !== 'unknown' && owner !== one.of });
      const ownerName = owner === 'contact' ? 'Farid' : null;
      const due = { dueDate: one.dueDate, dueText: one.dueDate && 'then' };
      return PARTS[voice](one.thing)
        .slice(0, isSplit ? 2 : 1)
        .map(text => ({
          ...{ id: idOf(rests.sourceMessageIds[0] ?? '', text.split(' ')), text, owner, ownerName, ...due, ...rests },
          ...(one.kind !== 'promise' && !chance.is(0.3) && { kind: one.kind }),
        }));
    });
    return seed % 2 === 0 ? items : items.reverse();
  }

  function ownerOf({ of }: Underlying, chance: Chance): ActionItem['owner'] {
    if (chance.is(0.12)) return 'unknown';
    const turned = of === 'user' ? 'contact' : 'user';
    return chance.is(0.06) ? turned : of;
  }

  /** On which messages an item rests: the one that binds, the request that it answers, or both. */
  function restsOf({ binding, requestId, cites }: Underlying, voice: Voiced['voice'], chance: Chance) {
    if (requestId === null) return { sourceMessageIds: [String(binding)] };
    const isCited = cites || (voice !== 'builtIn' && chance.is(0.5));
    const restsOnRequest = chance.is(0.15);
    if (restsOnRequest && cites) return { sourceMessageIds: [String(requestId)] };
    const sourceMessageIds = (restsOnRequest && isCited ? [requestId, binding] : [binding]).map(String);
    return { sourceMessageIds, ...(isCited && citedRequest(requestId)) };
  }

  function noteApart(
    { binding }: Underlying,
    at: number,
    { isSplit, isTurned }: { isSplit: boolean; isTurned: boolean },
  ) {
    const more = [isSplit && 'split', isTurned && 'turned', isSplit && isTurned && 'both'].filter(Boolean);
    apart.set(binding, new Set([...(apart.get(binding) ?? []), ...more.map(how => `${at} ${how}`)]));
  }

  function citedRequest(requestId: number): Pick<ActionItem, 'request'> {
    const asked = messages[requestId - 1];
    const author = { who: asked?.senderName ?? '', fromUser: asked?.fromUser ?? false };
    return { request: { words: 'Could you?', messageId: String(requestId), senderId: asked?.senderId, ...author } };
  }

  function readClosings(read: readonly MessengerMessage[], open: readonly OpenPromise[] = []): QuotedClosing[] {
    const found = new Map<number, QuotedClosing>();
    for (const { id: messageId } of read) {
      const closing = closes.get(messageId);
      if (!closing) continue;
      for (const { n, sourceMessageIds } of open) {
        if (!sourceMessageIds?.includes(String(closing.binding))) continue;
        const newDueDate = closing.state === 'moved' ? dayIn(5) : null;
        found.set(n, { n, state: closing.state, newDueDate, messageIds: [String(messageId)], quote: 'It is.' });
      }
    }
    return [...found.values()];
  }

  function writerIn(voiced: Voiced, meanwhile?: () => Promise<void>): Summarizer {
    const waitsIn = (read: readonly MessengerMessage[]) => {
      const last = read.findLast(({ id: one }) => answers.has(one));
      return { settledBy: last ? String(last.id) : null, settledWords: 'Yes.', questions: [] };
    };
    return {
      isInstant: voiced.voice === 'builtIn',
      async summarize({ messages: read, openPromises }: SummaryRequest) {
        await meanwhile?.();
        const actionItems = readItems(read, voiced);
        return {
          summary: 'They wrote.',
          structured: { ...NOTHING_YET, actionItems },
          closings: readClosings(read, openPromises),
          waits: waitsIn(read),
          engine: voiced.voice === 'builtIn' ? 'built-in' : 'model',
        };
      },
      readClosings: async ({ messages: read, openPromises }) => readClosings(read, openPromises),
      readWaits: async ({ messages: read }) => waitsIn(read),
    };
  }

  const queue = { send: async () => null } as unknown as Queue;
  const alerts = { tell: () => undefined, close: async () => undefined };
  const messenger = { withConnection: async (_, use) => use(reader) } as Partial<MessengerClient> as MessengerClient;
  const log = createLog({ level: 'silent', name: 'lives' });
  const base = { db, clock, cipher: bench.cipher, queue, alerts, messenger, log, crm: undefined };
  const own = { userId, jobId: 'job', attempt: 0 };
  const setJob = (state: string) => db('sync_jobs').where({ id: 'job' }).update({ state });

  /** A sync of this conversation: planned, read and written as a sync of the account does it. */
  async function sync(voiced: Voiced, { minMessages = 1, limit = 500, writer = writerIn(voiced) } = {}): Promise<void> {
    const last = messages.at(-1);
    if (!last) return;
    await db('dialogs').where({ id: dialogId }).update({ top_message_id: last.id, last_message_at: last.sentAt });
    const dialog = await getDialog(db, { userId, dialogId });
    const config = { ...DEFAULT_CONFIG, timezone: 'UTC', minMessages };
    const plan = planConversation(dialog, await newestCoverage(), {
      today: today(),
      newestAt: last.sentAt,
      minMessages,
    });
    if (plan.kind !== 'read') return;
    const { afterMessageId } = plan;
    const planned = { dialogId, afterMessageId, lastMessageId: last.id, lastMessageAt: last.sentAt };
    const day = { userId, jobId: own.jobId, digestDate: today(), now: clock.now() };
    const digestId = (await queueDigests(db, day, [planned])).get(dialogId) ?? '';
    const promises = (await listOpenPromises(db, { userId, dialogIds: [dialogId] })).get(dialogId) ?? [];
    const digestWriter = createDigestWriter({ db, clock, crm: { expectNotes: async () => undefined } }, own);
    const deps = { db, clock, summarizerFor: async () => writer, writer: digestWriter, tokenPrices: {} };
    const about = { userName: 'Nora', config, dialog, digestDate: today() };
    const work = {
      ...own,
      ...about,
      digestId,
      afterMessageId,
      limit: Math.min(limit, plan.limit),
      hasOpenRows: true,
      promises,
    };
    await digestDialog(deps, reader, work, new AbortController().signal);
  }

  async function newestCoverage(): Promise<Coverage | undefined> {
    const day = db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`);
    const row = await db('digests').where({ dialog_id: dialogId }).orderBy('digest_date', 'desc').first('*', day);
    if (!row) return undefined;
    return {
      ...{ digestDate: row.day, writing: row.status, reason: row.reason, jobId: row.job_id, crashes: 0 },
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
    const { rows } = await db.raw(
      `select ${COLUMNS}, p.state as stored_state, p.number, (${OPEN_TODAY}) as is_listed,
        p.number <= (select shown from promise_views where user_id = p.user_id) as is_shown
      from promises p join dialogs on dialogs.id = p.dialog_id where p.dialog_id = :dialogId order by p.number`,
      { dialogId, today: today() },
    );
    return rows.map(promiseWithRow);
  }

  async function decide(ids: string[], action: Action, days: number): Promise<void> {
    const change = {
      action,
      ...(action === 'snooze' && { until: dayIn(days) }),
      ...(action === 'move' && { dueDate: dayIn(days) }),
    };
    await changeMany(base, { userId, ids, change });
  }

  /** What a person takes back is mostly what they did not do themselves. */
  function wantedBy({ pick, action }: Extract<Step, { do: 'decide' }>, rows: Row[]): Row | undefined {
    const others = rows.filter(({ changedBy }) => changedBy === 'automatic');
    return pickOf(['undo', 'reopen'].includes(action) && others.length > 0 ? others : rows, pick);
  }

  /** Remembers what the person took back: it must not come back from the same messages. */
  function noteUndone(before: Row | undefined, after: Row | undefined): void {
    if (!before || !after || before.changedBy !== 'automatic' || !before.canUndo) return;
    if (after.changedAt === before.changedAt && after.state === before.state && after.isDoubtful === before.isDoubtful)
      return;
    const ids = undone.get(before.id) ?? new Set();
    for (const messageId of before.evidence?.messageIds ?? []) ids.add(messageId);
    if (before.reason === 'past') ids.add('past');
    undone.set(before.id, ids);
  }

  const EDITS = {
    words: (at: number) => ({ words: `In my own words ${at}` }),
    due: () => ({ dueDate: dayIn(1), dueTime: null }),
    side: () => ({ direction: 'theirs', who: 'Zoe' }) as const,
    kind: () => ({ kind: 'deadline' }) as const,
  };

  type Take<K extends Step['do']> = (step: Extract<Step, { do: K }>, at: number, before: Row[]) => unknown;
  const TAKE: { [K in Step['do']]: Take<K> } = {
    say({ by, of, answers: isAnswer, cites, due, kind }) {
      const requestId = isAnswer ? write(by === 'user' ? 'contact' : 'user') : null;
      const binding = write(by);
      const dueDate = due === null ? null : dayIn(due);
      for (const one of of) {
        said.push({ binding, requestId, cites, of: one, thing: said.length % NOUNS.length, dueDate, kind });
      }
    },
    repeat({ pick }) {
      const one = pickOf(said, pick);
      if (one) said.push({ ...one, binding: write(one.of), requestId: null });
    },
    close({ pick, by, state }) {
      const one = pickOf(said, pick);
      if (one) closes.set(write(by), { binding: one.binding, state });
    },
    answer: () => answers.add(write('user')),
    sync: step => asSync(() => sync(step, step)),
    rewrite: step => rewrite(step.pick, writerIn(step)),
    syncTwice: step =>
      asSync(async () => {
        const twice = [sync(step), sync({ voice: 'german', seed: step.seed + 1 }), noteShown(db, { userId })];
        const failed = (await Promise.allSettled(twice)).filter(({ status }) => status === 'rejected');
        const other = failed.find(one => 'reason' in one && !/taken over/.test(one.reason.message));
        if (other && 'reason' in other) throw other.reason;
      }),
    async rewriteAtOnce(step, _, before) {
      let meanwhile: Promise<unknown> = Promise.resolve();
      const writer = writerIn(step, async () => {
        const one = pickOf(before, step.pick);
        const other = asSync(() => sync({ voice: 'builtIn', seed: step.seed + 1 }));
        const decided = one && decide([one.id], step.action, 2);
        meanwhile = Promise.all([other, decided, closePastOfAllUsers(db, clock.now())]);
      });
      await rewrite(step.pick, writer);
      await meanwhile;
    },
    day({ days }) {
      time.now += days * DAY;
    },
    look: () => noteShown(db, { userId }),
    mail: () => noteShown(db, { userId }),
    decide(step, _, before) {
      const one = wantedBy(step, before);
      return one && decide([one.id], step.action, step.days);
    },
    edit({ pick, field }, at, before) {
      const open = before.filter(({ storedState }) => storedState === 'open');
      const one = pickOf(open, pick);
      return one && editPromise(base, { userId, promiseId: one.id, edit: EDITS[field](at) });
    },
    add({ pick, kind, due }, at) {
      const about = pick < 0.5 ? pickOf(said, pick) : undefined;
      const fields = { words: `Added by hand ${at}`, dueTime: null, direction: 'mine', who: null, kind } as const;
      const messageIds = about ? [String(about.binding)] : [];
      return addPromise(base, { userId, dialogId, ...fields, dueDate: due === null ? null : dayIn(due), messageIds });
    },
    merge: (_, at) =>
      db('dialogs')
        .where({ id: dialogId })
        .update({ match_status: 'CONFIRMED', crm_contact_id: String(at) }),
    cleanUp: () => closePastOfAllUsers(db, clock.now()),
  };

  const READINGS: readonly Step['do'][] = ['sync', 'rewrite', 'syncTwice', 'cleanUp'];

  function keepHand(step: Step, before: Row[], after: Row[]): void {
    const was = new Map(before.map(row => [row.id, row]));
    const mine = step.do === 'decide' || step.do === 'edit' || step.do === 'add' || step.do === 'rewriteAtOnce';
    if (!mine) return;
    for (const row of after) {
      const isPersons = was.get(row.id)?.changedAt !== row.changedAt || was.get(row.id)?.canUndo !== row.canUndo;
      if (!isPersons && was.has(row.id)) continue;
      hand.set(row.id, {
        ...(row.edited.includes('words') && { words: row.words }),
        ...(row.edited.includes('due') && { dueDate: row.dueDate }),
        ...(row.edited.includes('side') && { direction: row.direction }),
        ...(row.edited.includes('kind') && { kind: row.kind }),
      });
    }
  }

  function noteDecision(step: Extract<Step, { do: 'decide' | 'rewriteAtOnce' }>, before: Row[], now: Map<string, Row>) {
    const one = step.do === 'decide' ? wantedBy(step, before) : pickOf(before, step.pick);
    if (!one) return;
    if (['undo', 'reopen'].includes(step.action)) noteUndone(one, now.get(one.id));
    // Who takes back that they opened it has closed it themselves.
    const isClosed = now.get(one.id)?.canUndo === false;
    if (step.action === 'undo' && one.changedBy === 'person' && isClosed) redone.add(one.id);
    else if (step.do === 'decide') redone.delete(one.id);
  }

  async function take(step: Step, at: number): Promise<void> {
    time.now += 60_000;
    const before = newest;
    await (TAKE[step.do] as Take<Step['do']>)(step as never, at, before);
    newest = await list();
    const now = new Map(newest.map(row => [row.id, row]));
    if (step.do === 'decide' || step.do === 'rewriteAtOnce') noteDecision(step, before, now);
    keepHand(step, before, newest);
    const isReading = READINGS.includes(step.do);
    const broken = [
      ...before.flatMap(was => brokenBetween({ was, is: now.get(was.id), isReading })),
      ...newest.flatMap(row => {
        const taken = (!redone.has(row.id) && undone.get(row.id)) || new Set();
        return brokenIn({ row, taken, isRedone: redone.has(row.id), hand: hand.get(row.id) ?? {}, today: today() });
      }),
      // Until the hourly clean-up, an appointment whose day is over is on no list.
      ...(step.do === 'cleanUp' && newest.some(row => row.state === 'open' && !row.isListed) ? ['on no list'] : []),
      ...doubles(newest),
    ];
    if (broken[0]) throw new Broken(`${broken[0]}, after step ${at} (${step.do})`);
  }

  /** As many rows rest on a message as promises are in it, and one more for each that was read apart. */
  function doubles(rows: Row[]): string[] {
    return [...new Set(said.map(one => one.binding))].flatMap(binding => {
      const resting = rows.filter(row => !row.isAdded && row.sourceMessageIds.includes(String(binding)));
      const most = said.filter(one => one.binding === binding).length + (apart.get(binding)?.size ?? 0);
      return resting.length > most ? [`${resting.length} promises rest on message ${binding}`] : [];
    });
  }

  return { take, end: () => db('dialogs').where({ id: dialogId }).delete() };
}

/** Takes out steps for as long as the rest still breaks the promise. */
export async function shrink(bench: Bench, steps: readonly Step[]): Promise<{ steps: Step[]; error: unknown }> {
  let least = [...steps];
  let error = await errorOf(bench, least);
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const fewer = least.toSpliced(at, size);
      const found = await errorOf(bench, fewer);
      if (found) [least, error] = [fewer, found];
      else at += size;
    }
  }
  return { steps: least, error };
}

export async function errorOf(bench: Bench, steps: readonly Step[]): Promise<unknown> {
  try {
    await live(bench, steps);
    return undefined;
  } catch (err) {
    if (err instanceof ClientError) throw err;
    return err;
  }
}
