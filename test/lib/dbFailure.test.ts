import { expect } from 'chai';
import { createDatabase, isDatabaseFailure } from '../../src/lib/db.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

describe('A failure of the database', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });

  const failureOf = (statement: string) =>
    database.db.raw(statement).then(
      () => expect.fail('this should have failed'),
      (err: unknown) => err,
    );

  it('is told from a statement that is wrong', async () => {
    expect(isDatabaseFailure(await failureOf('select * from nowhere'))).to.equal(false);
    expect(isDatabaseFailure(await failureOf(`select 'x'::uuid`))).to.equal(false);
    expect(isDatabaseFailure(await failureOf('select pg_terminate_backend(pg_backend_pid())'))).to.equal(true);
    expect(isDatabaseFailure(await failureOf(`set statement_timeout = 20; select pg_sleep(5)`))).to.equal(true);
  });

  it('is a pool without a free connection, and a server that is not there', async () => {
    const small = createDatabase(database.url, { pool: 1, patience: 'page' });
    const held = await small.transaction();
    expect(isDatabaseFailure(await small.raw('select 1').catch((err: unknown) => err))).to.equal(true);
    await held.rollback();
    await small.destroy();
    const nowhere = createDatabase('postgres://nobody@127.0.0.1:1/none', { pool: 1 });
    expect(isDatabaseFailure(await nowhere.raw('select 1').catch((err: unknown) => err))).to.equal(true);
    await nowhere.destroy();
  });
});
