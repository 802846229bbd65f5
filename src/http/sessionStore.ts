import { RedisStore } from 'connect-redis';
import { type SessionData, Store } from 'express-session';
import { createClient, ErrorReply } from 'redis';
import type { Db } from '../lib/db.ts';
import type { Log } from '../lib/log.ts';
import { asJson } from '../lib/rows.ts';
import { countOf } from '../lib/words.ts';

/** Seconds after its last use. */
export const LIVES_SECONDS = 3600;
/** After this long, a page goes on without what is stored here. */
const ANSWERS_MS = 1_000;
/** The Redis client drops a connection on which nothing comes back for this long, and opens another. */
const SILENCE_MS = 10_000;
const PING_MS = 4_000;
/** For one search through all sessions, when an account is deleted. */
const SEARCH_MS = 5_000;

export type SessionStore = {
  store: Store;
  /** Erases what is kept for this person in any browser. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
};

type Done = (err?: unknown) => void;
type Found = (err: unknown, found?: SessionData | null) => void;

/**
 * A store that answers in time. What it can't read is an error, which {@link createBrowserSessions} makes up for; what
 * it can't write is lost and logged: the page it belongs to is already on its way.
 */
class PatientStore extends Store {
  readonly #inner: Store;
  readonly #log: Log;

  constructor(inner: Store, log: Log) {
    super();
    this.#inner = inner;
    this.#log = log;
  }

  override get(sid: string, done: Found): void {
    inTime<SessionData | null | undefined>(ANSWERS_MS, answer => this.#inner.get(sid, answer)).then(
      found => done(null, found),
      err => done(err),
    );
  }

  override set(sid: string, kept: SessionData, done?: Done): void {
    this.#write(answer => this.#inner.set(sid, kept, answer), done);
  }

  /** The last use is written while the page is already on its way. */
  override touch(sid: string, kept: SessionData, done?: Done): void {
    this.#write(answer => (this.#inner.touch ? this.#inner.touch(sid, kept, () => answer()) : answer()), undefined);
    done?.();
  }

  override destroy(sid: string, done?: Done): void {
    this.#write(answer => this.#inner.destroy(sid, answer), done);
  }

  #write(work: (answer: Done) => void, done: Done | undefined): void {
    inTime(ANSWERS_MS, work)
      .catch(err => this.#log.error({ err }, 'browser session not written'))
      .then(
        () => done?.(),
        () => undefined,
      );
  }
}

/** Rejects when there is no answer in time; what comes later is dropped. */
function inTime<T>(milliseconds: number, work: (answer: (err?: unknown, found?: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the session store did not answer in time')), milliseconds);
    work((err, found) => {
      clearTimeout(timer);
      if (err) reject(err);
      else resolve(found as T);
    });
  });
}

/**
 * The store in Redis. When it does not answer at the start, that is logged and retried: pages do without it.
 * Throws an error that names REDIS_URL when Redis refuses us: waiting would not help.
 */
export async function redisStore(
  url: string,
  { log, patienceMs }: { log: Log; patienceMs: number },
): Promise<SessionStore> {
  const client = createClient({
    url,
    // Otherwise a command would wait until Redis is back.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: { connectTimeout: 5_000, socketTimeout: SILENCE_MS },
  });
  client.on('error', err => log.error({ err }, 'redis error'));
  await connectInTime(client, { log, patienceMs });
  const inner = new RedisStore({ client, prefix: 'forenoon:', ttl: LIVES_SECONDS });
  const forget = async (userId: string) => {
    const all: { id: string }[] = await inner.all();
    for (const kept of all) if (JSON.stringify(kept).includes(userId)) await inner.destroy(kept.id);
  };
  return {
    store: new PatientStore(inner, log),
    forgetUser: userId => inTime(SEARCH_MS, answer => forget(userId).then(() => answer(), answer)),
    // A polite close would wait for pending commands.
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

type Connectable = {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: (err: unknown) => void): unknown;
};

/** What Redis says to a wrong password, or to none: https://redis.io/docs/latest/commands/auth/ */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|DENIED|ERR (invalid password|AUTH|Client sent AUTH))/;

/** The library itself retries forever. Its messages may hold the address, and with it a password. */
async function connectInTime(
  client: Connectable,
  { log, patienceMs }: { log: Log; patienceMs: number },
): Promise<void> {
  const outcome = Promise.withResolvers<'connected' | 'late'>();
  const timer = setTimeout(() => outcome.resolve('late'), patienceMs);
  client.on('error', err => {
    if (err instanceof ErrorReply && REFUSED.test(err.message)) outcome.reject(err);
  });
  client.connect().then(
    () => outcome.resolve('connected'),
    err => log.error({ err }, 'redis error'),
  );
  try {
    if ((await outcome.promise) === 'connected') return;
    const seconds = Math.ceil(patienceMs / 1000);
    const waited = countOf(seconds, 'second', 'seconds');
    log.error(`REDIS_URL: no Redis answered there in ${waited}; pages go on without it`);
  } catch (cause) {
    client.destroy();
    throw new Error('REDIS_URL: Redis refused the connection', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The store in Postgres, by whose clock it forgets: whoever stores something deletes a few that are over. */
class PostgresStore extends Store {
  readonly #db: Db;

  constructor(db: Db) {
    super();
    this.#db = db;
  }

  override get(sid: string, done: Found): void {
    this.#run('select sess from browser_sessions where sid = :sid and expire >= now()', { sid }).then(
      ([found]) => done(null, found?.sess ?? null),
      done,
    );
  }

  override set(sid: string, kept: SessionData, done: Done): void {
    this.#run(
      `with over as (delete from browser_sessions where sid in (
         select sid from browser_sessions where expire < now() and sid <> :sid limit 10 for update skip locked))
       insert into browser_sessions (sid, sess, expire) values (:sid, :kept, ${EXPIRY})
       on conflict (sid) do update set sess = excluded.sess, expire = excluded.expire`,
      { sid, kept: asJson(kept) },
    ).then(() => done(), done);
  }

  override touch(sid: string, _kept: SessionData, done: Done): void {
    this.#run(`update browser_sessions set expire = ${EXPIRY} where sid = :sid`, { sid }).then(() => done(), done);
  }

  override destroy(sid: string, done: Done): void {
    this.#run('delete from browser_sessions where sid = :sid', { sid }).then(() => done(), done);
  }

  async #run(sql: string, bindings: { sid: string; kept?: string }): Promise<{ sess: SessionData }[]> {
    const { rows } = await this.#db.raw<{ rows: { sess: SessionData }[] }>(sql, bindings);
    return rows;
  }
}

const EXPIRY = `now() + ${LIVES_SECONDS} * interval '1 second'`;

export function postgresStore(db: Db, log: Log): SessionStore {
  const forgetUser = async (userId: string) => {
    await db.raw('delete from browser_sessions where position(? in sess::text) > 0', [userId]);
  };
  return { store: new PatientStore(new PostgresStore(db), log), forgetUser, close: async () => undefined };
}
