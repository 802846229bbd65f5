import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as creation from '../../../../migrations/20261122090700_writer_choices__create.ts';
import * as ofAccounts from '../../../../migrations/20261122090710_messenger_accounts__built_in_only__drop.ts';
import * as ofDialogs from '../../../../migrations/20261122090720_dialogs__built_in_only__drop.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { testDatabase } from '../../../support/database.ts';

const STEPS = [creation, ofAccounts, ofDialogs];

describe('The upgrade to stored choices', () => {
  it('keeps what was left to this server, gives no model any consent, and can be reverted', async () => {
    const { db } = await testDatabase();
    for (const { down } of STEPS.toReversed()) await down(db);
    const [asked, kept] = [await account(db, false), await account(db, true)];
    const ofBoth = [await dialog(db, asked, true), await dialog(db, asked, false)];

    for (const { up } of STEPS) await up(db);
    const choices = await db('writer_choices').select('account_id', 'dialog_id', 'writer', 'ended_at');
    const builtIn = { writer: 'built-in', ended_at: null };
    expect(choices).to.have.deep.members([
      { account_id: kept.id, dialog_id: null, ...builtIn },
      { account_id: asked.id, dialog_id: ofBoth[0], ...builtIn },
    ]);

    for (const { down } of STEPS.toReversed()) await down(db);
    expect(await db('messenger_accounts').where({ built_in_only: true }).pluck('id')).to.deep.equal([kept.id]);
    expect(await db('dialogs').where({ built_in_only: true }).pluck('id')).to.deep.equal([ofBoth[0]]);
  });
});

type Account = { id: string; user_id: string };

async function account(db: Db, builtInOnly: boolean): Promise<Account> {
  const [{ id: userId }] = await db('users')
    .insert({ email: `${randomUUID()}@example.com` })
    .returning('id');
  const row = { user_id: userId, messenger_user_id: '1', status: 'inactive', connected_at: new Date() };
  const [stored] = await db('messenger_accounts')
    .insert({ ...row, built_in_only: builtInOnly })
    .returning(['id', 'user_id']);
  return stored;
}

async function dialog(db: Db, { id, user_id }: Account, builtInOnly: boolean): Promise<string> {
  const peer = { peer_id: randomUUID(), peer_type: 'user', peer_kind: 'user', peer_key: '1' };
  const [stored] = await db('dialogs')
    .insert({ user_id, account_id: id, ...peer, built_in_only: builtInOnly })
    .returning('id');
  return stored.id;
}
