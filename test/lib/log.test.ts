import { expect } from 'chai';
import { createDatabase } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { testDatabase } from '../support/database.ts';
import { lineTo } from '../support/databaseLine.ts';

const HUSH = 'hush-hush';

/** What a log call writes, as text. */
function written(act: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  act(createLog({ level: 'trace', name: 'test' }, { write: line => void lines.push(line) }));
  return lines.join('');
}

describe('The log', () => {
  const NAMES = ['authorization', 'cookie', 'set-cookie', 'password', 'code', 'token', 'authToken', 'session'];
  const MORE = ['credentials', 'phone', 'email', 'text', 'summary', 'secret', 'key'];

  for (const name of [...NAMES, ...MORE]) {
    it(`hides ${name} at every depth it may stand`, () => {
      const value = { [name]: HUSH };
      const text = written(log => {
        log.info(value, 'plain');
        log.info({ input: value }, 'in something');
        log.info({ req: { body: value } }, 'in something in something');
        log.info({ list: [value] }, 'in a list');
        log.child(value).info('bound');
      });
      expect(text).not.to.include(HUSH);
      expect(text.split('\n').filter(line => line.includes('[redacted]'))).to.have.length(5);
    });
  }

  it('says which process wrote and keeps what is harmless', () => {
    const line = JSON.parse(written(log => log.warn({ userId: 'u1', dialogs: 3 }, 'synced')));
    expect(line).to.deep.include({ process: 'test', userId: 'u1', dialogs: 3, msg: 'synced' });
  });

  it('writes an error with its kind, code, place and cause, without what else hangs on it', () => {
    const cause = Object.assign(new Error('connection lost'), { code: 'ECONNRESET', response: { body: HUSH } });
    const err = Object.assign(new TypeError('did not work', { cause }), { request: { headers: HUSH }, detail: HUSH });
    const text = written(log => log.error({ err }, 'failed'));
    expect(text).not.to.include(HUSH);
    const line = JSON.parse(text);
    expect(line.err).to.deep.include({ type: 'TypeError', message: 'did not work' });
    expect(line.err.cause).to.deep.include({ type: 'Error', message: 'connection lost', errorCode: 'ECONNRESET' });
    expect(line.err.stack[0]).to.match(/^at .*log\.test\.ts/);
  });

  it('logs thrown values other than errors in one line, and only the message of objects', () => {
    const messageOf = (err: unknown) => JSON.parse(written(log => log.error({ err }, 'failed'))).err.message;
    expect(messageOf('the pool\nis gone')).to.equal('the pool is gone');
    expect(messageOf(undefined)).to.equal('undefined');
    expect(messageOf({ message: 'refused', body: HUSH })).to.equal('refused');
    expect(messageOf({ body: HUSH, status: 500 })).to.equal('[object Object]');
    expect(messageOf('x'.repeat(10_000))).to.have.length(300);
  });
});

describe('An error of the database in the log', () => {
  it('tells its code, but neither the statement’s values nor the row', async () => {
    const { db } = await testDatabase();
    await db('users').insert({ email: `${HUSH}@example.com` });
    const twice = await failure(db('users').insert({ email: `${HUSH}@example.com` }));
    const notAnId = await failure(db('users').where({ id: HUSH }));
    for (const [err, code] of [[twice, '23505'] as const, [notAnId, '22P02'] as const]) {
      const text = written(log => log.error({ err }, 'failed'));
      expect(text).to.include(code).and.not.include(HUSH);
    }
  });

  it('holds no values either when the connection broke under the statement', async () => {
    const line = await lineTo((await testDatabase()).url);
    const db = createDatabase(line.url, { pool: 1 });
    await db.raw('select 1');
    const sleeping = failure(db.raw('select pg_sleep(5), ?::text as email', [`${HUSH}@example.com`]));
    setTimeout(() => line.cut(), 100);
    const err = await sleeping;
    await db.destroy();
    line.close();
    expect(written(log => log.error({ err }, 'failed')))
      .to.match(/Connection terminated/)
      .and.not.include(HUSH);
  });

  it('holds no values either when no connection could be made', async () => {
    const nowhere = createDatabase('postgres://nobody:hush-hush@127.0.0.1:1/none', { pool: 1 });
    const err = await failure(nowhere('users').insert({ email: `${HUSH}@example.com` }));
    await nowhere.destroy();
    expect(written(log => log.error({ err }, 'failed')))
      .to.match(/failed/)
      .and.not.include(HUSH);
  });
});

async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('this should have failed'),
    err => err,
  );
}
