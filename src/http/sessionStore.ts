import { RedisStore } from 'connect-redis';
import { type SessionData, Store } from 'express-session';
import { createClient, ErrorReply } from 'redis';
import { type Db, toStorableJson } from '../lib/db.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import { formatQuantity } from '../lib/words.ts';

/** A session expires this long after its last use. */
export const SESSION_LIFETIME_SECONDS = 3600;
/** Timeout after which a page goes on without its session. */
const ANSWERS_MS = 1_000;
/** The Redis client drops a connection on which nothing comes back for this long, and opens another. */
const SOCKET_TIMEOUT_MS = 10_000;
const PING_MS = 4_000;
/** For one search through all sessions, when an account is deleted. */
const SEARCH_MS = 5_000;

type SessionStore = {
  store: Store;
  /** Erases this user's data in all browser sessions. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
};

/** Where sessions are stored: a table in Postgres, or keys in Redis. */
type SessionTable = {
  get(sid: string): Promise<SessionData | null | undefined>;
  set(sid: string, kept: SessionData): Promise<unknown>;
  touch(sid: string, kept: SessionData): Promise<unknown>;
  destroy(sid: string): Promise<unknown>;
};

type DoneCallback = (err?: unknown) => void;
type SessionCallback = (err: unknown, found?: SessionData | null) => void;

const createTimeoutError = () => new Error('the session store did not answer in time');

/**
 * A store that answers in time. What it can't read is an error, which {@link createShortLivedSessions} makes up for; what
 * it can't write is lost and logged: the page it belongs to is already on its way.
 */
class PromptStore extends Store {
  readonly #table: SessionTable;
  readonly #log: Log;

  constructor(table: SessionTable, log: Log) {
    super();
    this.#table = table;
    this.#log = log;
  }

  override get(sid: string, done: SessionCallback): void {
    withDeadline(this.#table.get(sid), ANSWERS_MS, createTimeoutError).then(found => done(null, found), done);
  }

  override set(sid: string, kept: SessionData, done?: DoneCallback): void {
    void this.#write(this.#table.set(sid, kept), done);
  }

  /** The last use is written while the page is already on its way. */
  override touch(sid: string, kept: SessionData, done?: DoneCallback): void {
    void this.#write(this.#table.touch(sid, kept));
    done?.();
  }

  override destroy(sid: string, done?: DoneCallback): void {
    void this.#write(this.#table.destroy(sid), done);
  }

  async #write(written: Promise<unknown>, done?: DoneCallback): Promise<void> {
    await withDeadline(written, ANSWERS_MS, createTimeoutError).catch(err =>
      this.#log.error({ err }, 'browser session not written'),
    );
    done?.();
  }
}

/** Redis's answer to a wrong or missing password: https://redis.io/docs/latest/commands/auth/ */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|DENIED|ERR (invalid password|AUTH|Client sent AUTH))/;
const isRefusal = (err: unknown) => err instanceof ErrorReply && REFUSED.test(err.message);

/**
 * The store in Redis. When it does not answer at the start, that is logged and retried: pages do without it.
 * Throws an error that names REDIS_URL when Redis refuses us: waiting would not help.
 */
export async function redisStore(url: string, log: Log, patienceMs: number): Promise<SessionStore> {
  const client = createClient({
    url,
    // Otherwise a command would wait until Redis is back.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: { connectTimeout: 5_000, socketTimeout: SOCKET_TIMEOUT_MS },
  });
  const refused = Promise.withResolvers<never>();
  client.on('error', err => {
    log.error({ err }, 'redis error');
    if (isRefusal(err)) refused.reject(err);
  });
  try {
    // The library itself retries forever.
    const connected = Promise.race([client.connect(), refused.promise]);
    await withDeadline(connected, patienceMs, createTimeoutError);
  } catch (cause) {
    if (isRefusal(cause)) {
      client.destroy();
      // The message may contain the address with a password.
      throw new Error('REDIS_URL: Redis refused the connection', { cause });
    }
    const waited = formatQuantity(Math.ceil(patienceMs / 1000), 'second', 'seconds');
    log.error(`REDIS_URL: no Redis answered there in ${waited}; pages go on without it`);
  }
  const place = new RedisStore({ client, prefix: 'forenoon:', ttl: SESSION_LIFETIME_SECONDS });
  const forget = async (userId: string) => {
    const all: { id: string }[] = await place.all();
    for (const kept of all) if (JSON.stringify(kept).includes(userId)) await place.destroy(kept.id);
  };
  return {
    store: new PromptStore(place, log),
    forgetUser: userId => withDeadline(forget(userId), SEARCH_MS, createTimeoutError),
    // A polite close would wait for pending commands.
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

const EXPIRY = `now() + ${SESSION_LIFETIME_SECONDS} * interval '1 second'`;

/** The store in Postgres. Sessions expire by its clock, and each write deletes up to ten expired ones. */
export function postgresStore(db: Db, log: Log): SessionStore {
  const place: SessionTable = {
    async get(sid) {
      const found = await db('browser_sessions').where({ sid }).where('expire', '>=', db.raw('now()')).first('sess');
      return found?.sess;
    },
    set: (sid, kept) =>
      db.raw(
        `with over as (delete from browser_sessions where sid in (
           select sid from browser_sessions where expire < now() and sid <> :sid limit 10 for update skip locked))
         insert into browser_sessions (sid, sess, expire) values (:sid, :kept, ${EXPIRY})
         on conflict (sid) do update set sess = excluded.sess, expire = excluded.expire`,
        { sid, kept: toStorableJson(kept) },
      ),
    touch: sid => db.raw(`update browser_sessions set expire = ${EXPIRY} where sid = :sid`, { sid }),
    destroy: async sid => db('browser_sessions').where({ sid }).delete(),
  };
  const forgetUser = async (userId: string) => {
    await db.raw('delete from browser_sessions where position(? in sess::text) > 0', [userId]);
  };
  return { store: new PromptStore(place, log), forgetUser, close: async () => undefined };
}
