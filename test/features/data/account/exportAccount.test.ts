import { expect } from 'chai';
import {
  EXPORTED_TABLES,
  exportAccount,
  KEPT_NOT_SHOWN,
  NOT_EXPORTED,
} from '../../../../src/features/data/account/service.ts';
import { toCamelCase } from '../../../../src/lib/db.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { filledPerson, type Person } from './person.ts';

const PAGE = '/settings/account/export';
const SECRET_NAME = /credential|token|secret|sealed|hash|password|_owner$|^claim$/;

type Exported = Record<string, Record<string, unknown>[]>;

describe('The file of everything stored about a person', () => {
  let service: Service;
  let nora: Person;
  let olu: Person;
  let text: string;
  let file: Exported;

  before(async () => {
    const worlds = [0, 1].map(n =>
      world({ key: `world ${n}`, owner: { ...owner, id: 1000 + n, phone: `+3460011100${n}` }, ...crowd(3 + n) }),
    );
    const contacts = [{ id: '501', firstname: 'Person', lastname: '5001', email: 'p@example.com' }];
    service = await startService({ worlds, crm: { contacts }, payments: true });
    nora = await filledPerson(service, 'nora@example.com');
    olu = await filledPerson(service, 'olu@example.com', 1);
    const answer = await nora.agent.get(PAGE).expect(200);
    expect(answer.headers['cache-control']).to.equal('no-store');
    text = answer.text;
    file = JSON.parse(text);
  });
  after(stopServices);

  const catalogue = async (sql: string) => (await service.db.raw<{ rows: Record<string, string>[] }>(sql)).rows;

  it('has every table that belongs to a user, according to the database’s catalog', async () => {
    const owned = await catalogue(
      `select distinct conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'users'::regclass
       union select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and column_name in ('user_id', 'email') and table_type = 'BASE TABLE'`,
    );
    const known = [...EXPORTED_TABLES.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)];
    expect(owned.map(({ name }) => name).filter(name => !known.includes(name ?? ''))).to.deep.equal([]);
    expect(EXPORTED_TABLES.filter(one => !(toCamelCase(one.table) in file))).to.deep.equal([]);
  });

  it('hides every column that is named like a secret, and shows its name', async () => {
    const columns = await catalogue(
      `select table_name, column_name from information_schema.columns where table_schema = 'public'`,
    );
    const hidden = (table?: string) => EXPORTED_TABLES.find(one => one.table === table)?.secret ?? [];
    const isExported = (table?: string) => EXPORTED_TABLES.some(one => one.table === table);
    // What a note says, hashed, and how many tokens a summary took.
    const harmless = ['outbox_notes.content_hash', 'digests.prompt_tokens', 'digests.completion_tokens'];
    const open = columns
      .filter(({ table_name, column_name }) => isExported(table_name) && SECRET_NAME.test(column_name ?? ''))
      .filter(({ table_name, column_name }) => !hidden(table_name).includes(column_name ?? ''))
      .map(({ table_name, column_name }) => `${table_name}.${column_name}`);
    expect(open.filter(name => !harmless.includes(name))).to.deep.equal([]);
    expect(file.messengerAccounts?.[0]).to.include({ credentials: KEPT_NOT_SHOWN, phone: nora.phone });
    expect(file.crmConnections?.[0]).to.include({ credentials: KEPT_NOT_SHOWN });
  });

  it('holds no secret itself', async () => {
    const accounts = await service.db('messenger_accounts').where({ user_id: nora.userId });
    const connections = await service.db('crm_connections').where({ user_id: nora.userId });
    const logins = await service.db('messenger_logins').where({ user_id: nora.userId });
    const secrets = [...accounts, ...connections].map(row => row.credentials);
    expect(secrets).to.have.length(2);
    for (const secret of [...secrets, ...logins.map(row => row.token_hash)]) expect(text).not.to.include(secret);
  });

  it('has all rows of the user and none of other users', async () => {
    for (const one of EXPORTED_TABLES) {
      const { table, owner: column = 'user_id' } = one;
      const [row] = await service
        .db(table)
        .where({ [column]: nora.userId })
        .count();
      expect(file[toCamelCase(table)], table).to.have.length(Number(row?.count));
    }
    for (const other of [olu.userId, olu.email, olu.phone]) expect(text).not.to.include(other);
    expect(file.users?.[0]).to.include({ email: nora.email, name: 'Nora Lind' });
    const [digest] = await service.db('digests').where({ user_id: nora.userId }).orderBy('id');
    expect(file.digests?.[0]).to.include({ id: digest.id, summary: digest.summary });
    expect(digest.structured.exchanges).to.be.an('array');
    expect(file.digests?.[0]?.structured).to.deep.equal(digest.structured);
    const [promise] = await service.db('promises').where({ user_id: nora.userId }).orderBy('id');
    expect(file.promises?.[0]).to.include({ id: promise.id, words: promise.words, state: 'open' });
    expect(file.digests?.[0]?.digestDate).to.match(/^\d{4}-\d\d-\d\d$/);
  });

  it('comes in pieces, however much there is', async () => {
    const [dialog] = await service.db('dialogs').where({ user_id: olu.userId });
    const { id: dialogId } = dialog;
    await service.db.raw(
      `insert into rejected_matches (dialog_id, crm_contact_id, user_id, rejected_at)
       select ?, 'contact ' || n, ?, now() from generate_series(1, 1700) as n`,
      [dialogId, olu.userId],
    );
    const pieces: string[] = [];
    for await (const piece of exportAccount(service, { userId: olu.userId })) pieces.push(piece);
    expect(Math.max(...pieces.map(piece => piece.length))).to.be.below(200_000);
    const whole: Exported = JSON.parse(pieces.join(''));
    const ids = whole.rejectedMatches?.map(row => String(row.crmContactId)).filter(id => id.startsWith('contact '));
    expect(ids).to.have.length(1700);
    expect(new Set(ids).size).to.equal(1700);
  });
});
