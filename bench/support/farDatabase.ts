import { connect, createServer, type Socket } from 'node:net';

/** One statement as the service waited for it. Milliseconds since the process began. */
export type RecordedQuery = { sql: string; from: number; until: number };

export type FarDatabase = {
  /** The database's address through the delaying proxy. */
  url: string;
  /** Every statement from now on, until it is called again. */
  listen(): RecordedQuery[];
  stop(): void;
};

/** The queue's connections are not part of a page. */
const OWN_ROUNDS = 'forenoon-queue';

/** A database that takes `milliseconds` longer to answer each statement, and a log of what it is asked. */
export async function farDatabase(databaseUrl: string, { milliseconds }: { milliseconds: number }): Promise<FarDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let log: RecordedQuery[] = [];
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket) && other.destroy());
    }
    const hear = listener(asked => log.push(asked));
    near.on('data', bytes => {
      hear.question(bytes);
      far.write(bytes);
    });
    far.on('data', bytes =>
      setTimeout(() => {
        hear.answer(bytes);
        near.write(bytes);
      }, milliseconds),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url: url.href,
    listen() {
      log = [];
      return log;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * The longest sequence of these statements in which each began after the one before it was answered: its length is how
 * many times a request waits for the database.
 */
export function sequentialQueries(asked: readonly RecordedQuery[]): RecordedQuery[] {
  const row: RecordedQuery[] = [];
  for (const one of asked.toSorted((a, b) => a.until - b.until)) {
    if (one.from >= (row.at(-1)?.until ?? 0)) row.push(one);
  }
  return row;
}

/** Parses one connection, whose client waits for each answer before its next statement. */
function listener(tell: (asked: RecordedQuery) => void) {
  const prepared = new Map<string, string>();
  let isOwnRound = false;
  let sql = '';
  let from: number | undefined;
  const question = messages({ startsUntyped: true }, (type, body) => {
    if (type === '') isOwnRound = body.includes(OWN_ROUNDS);
    if (type === 'Q') sql = texts(body)[0] ?? '';
    if (type === 'P') prepared.set(...named(texts(body)));
    if (type === 'B') sql = prepared.get(texts(body)[1] ?? '') ?? '';
    if (type === 'Q' || type === 'S') from = performance.now();
  });
  const answer = messages({ startsUntyped: false }, type => {
    if (type !== 'Z' || from === undefined) return;
    if (!isOwnRound) tell({ sql: sql.replace(/\s+/g, ' ').trim(), from, until: performance.now() });
    from = undefined;
  });
  return { question, answer };
}

function named([name = '', sql = '']: string[]): [string, string] {
  return [name, sql];
}

/** The texts at the beginning of a message, each ended by a zero byte. */
function texts(body: Buffer): string[] {
  return body.toString('utf8').split('\0');
}

/** Cuts what comes over the wire into messages of Postgres's protocol: a letter, a length, a body. */
function messages({ startsUntyped }: { startsUntyped: boolean }, take: (type: string, body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let isTyped = !startsUntyped;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isTyped ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      take(rest.toString('latin1', 0, head), rest.subarray(head + 4, end));
      rest = rest.subarray(end);
      isTyped = true;
    }
  };
}
