import type { Db } from '../../src/lib/db.ts';
import type { TestDatabase } from './database.ts';

/**
 * Sets the clock of a database ahead, for connections that are opened from now on: they find these functions in front of
 * the server's own.
 */
export async function setDatabaseAhead({ db }: Pick<TestDatabase, 'db'>, days: number): Promise<void> {
  await db.raw(`
    create schema if not exists clock;
    create or replace function clock.now() returns timestamptz stable language sql
      as $$ select pg_catalog.now() + ${days} * interval '24 hours' $$;
    create or replace function clock.clock_timestamp() returns timestamptz volatile language sql
      as $$ select pg_catalog.clock_timestamp() + ${days} * interval '24 hours' $$`);
  await setPath(db, 'clock, pg_catalog, public');
}

/** Sets it right again, for open connections, too. */
export async function setDatabaseRight({ db }: Pick<TestDatabase, 'db'>): Promise<void> {
  await db.raw(`
    create or replace function clock.now() returns timestamptz stable language sql as 'select pg_catalog.now()';
    create or replace function clock.clock_timestamp() returns timestamptz volatile language sql
      as 'select pg_catalog.clock_timestamp()'`);
}

async function setPath(db: Db, path: string): Promise<void> {
  const { rows } = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name');
  await db.raw(`alter database ${rows[0].name} set search_path = ${path}`);
}
