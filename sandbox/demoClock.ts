import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { readAhead, setDateAhead } from './shiftedDate.ts';

/** One clock for the sandbox servers, the database, web and worker, as far ahead as days were simulated. */
export type DemoClock = {
  /** The environment of the processes that go by it. They read it when they start. */
  variables(own: NodeJS.ProcessEnv): Record<string, string>;
  /** Sets it a day ahead: in this process and in the file, and the database with {@link setDatabaseAhead}. */
  nextDay(databaseUrl: string): Promise<void>;
  setDatabase(databaseUrl: string): Promise<void>;
};

const DAY_MS = 86_400_000;
const SHIFTED_DATE = pathToFileURL(`${import.meta.dirname}/shiftedDate.ts`).href;

/** @param file outlives the start: what was stored on a simulated day would otherwise lie in the future */
export function openDemoClock(file: string): DemoClock {
  let ahead = readAhead(file);
  setDateAhead(ahead);
  return {
    variables: own => ({
      SANDBOX_CLOCK_FILE: file,
      NODE_OPTIONS: [own.NODE_OPTIONS, `--import=${SHIFTED_DATE}`].filter(Boolean).join(' '),
    }),
    async nextDay(databaseUrl) {
      const next = ahead + DAY_MS;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${next}\n`);
      await setDatabaseAhead(databaseUrl, next);
      setDateAhead(next);
      ahead = next;
    },
    setDatabase: databaseUrl => setDatabaseAhead(databaseUrl, ahead),
  };
}

/** The server's functions that tell the time, and what they are called inside it. */
const FUNCTIONS = [
  { name: 'now', inside: 'now', volatility: 'stable' },
  { name: 'transaction_timestamp', inside: 'now', volatility: 'stable' },
  { name: 'statement_timestamp', inside: 'statement_timestamp', volatility: 'stable' },
  { name: 'clock_timestamp', inside: 'clock_timestamp', volatility: 'volatile' },
];

/**
 * Replaces the server's own functions in this database, for open connections, too: column defaults and the queue's
 * statements go by them. CURRENT_TIMESTAMP and its like are no functions, and stay.
 */
async function setDatabaseAhead(databaseUrl: string, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const replacements = FUNCTIONS.map(({ name, inside, volatility }) => {
      const kind = `returns timestamptz ${volatility} strict parallel safe`;
      return `
        create or replace function machine_clock.${name}() ${kind} language internal as '${inside}';
        create or replace function pg_catalog.${name}() ${kind} language sql
          as $$ select machine_clock.${name}() + interval '${ms / 1000} seconds' $$;`;
    });
    await client.query(`begin; create schema if not exists machine_clock; ${replacements.join('')} commit`);
  } finally {
    await client.end();
  }
}
