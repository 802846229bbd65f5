import { expect } from 'chai';
import request from 'supertest';
import { sampleWorld } from '../../../../sandbox/messenger/samples.ts';
import { sweepOrphans } from '../../../../src/features/data/account/service.ts';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { deleteAccount, filledPerson, type Person, tracesOf } from './person.ts';

const CONTACTS = [
  { id: '501', firstname: 'Farid', lastname: 'Nazari', email: 'farid@bluepeak.example', company: 'Bluepeak' },
];

describe('Deleting a filled account', () => {
  let service: Service;
  let nora: Person;
  let olu: Person;
  let olusRows: Record<string, number>;

  before(async () => {
    const other = world({ key: 'other', owner: { ...owner, id: 1001, phone: '+34600333444' }, ...crowd(4) });
    service = await startService({ worlds: [sampleWorld(new Date()), other], crm: { contacts: CONTACTS }, payments: true });
    olu = await filledPerson(service, 'olu@example.com', 1);
    nora = await filledPerson(service, 'nora@example.com');
    olusRows = await rowsOf(olu.userId);
  });
  after(stopServices);

  /** How many rows each table has of a user, from the catalogue. */
  async function rowsOf(userId: string): Promise<Record<string, number>> {
    const { rows } = await service.db.raw<{ rows: { table_name: string }[] }>(
      `select table_name from information_schema.columns where column_name = 'user_id' and table_schema = 'public'`,
    );
    const counts: Record<string, number> = {};
    for (const { table_name } of rows) {
      const [row] = await service.db(table_name).where({ user_id: userId }).count();
      counts[table_name] = Number(row?.count);
    }
    return counts;
  }

  it('says what happens, and asks for the address', async () => {
    const { text } = await nora.agent.get('/settings/account/delete').expect(200);
    expect(wordsOf(text))
      .to.include('Your Telegram session is ended at Telegram')
      .and.include('Our access to your CRM is revoked')
      .and.include('Your subscription is canceled immediately')
      .and.include('digests are erased')
      .and.include('Notes, tasks and contacts that are in the CRM stay there');
    expectNothingInline(text);
    for (const [email, sentence] of [
      ['', 'This is not an email address'],
      ['olu@example.com', 'That isn’t this account’s email address'],
    ] as const) {
      const { text: refused } = await post(nora.agent, '/settings/account/delete', { email }).expect(400);
      expect(wordsOf(refused)).to.include(sentence);
    }
    expect(await service.db('users').where({ id: nora.userId })).to.have.length(1);
  });

  it('deletes all rows of the user and none of other users', async () => {
    service.sandbox.resetCalls();
    service.crm.resetCalls();
    const { headers } = await deleteAccount({ ...nora, email: ' NORA@example.com ' }).expect(303);
    expect(headers.location).to.equal('/goodbye');
    expect(headers['set-cookie']?.toString()).to.include('authjs.session-token=;');
    await until(() => service.payments.events().every(({ dueAt }) => dueAt === null));
    await until(async () => (await service.db('alerts').where({ kind: 'USER_DELETED' })).length === 1);
    await sweepOrphans(service);
    expect(await tracesOf(service, [nora.userId, nora.email, nora.phone, nora.phone.slice(1)])).to.deep.equal([]);
    expect(await rowsOf(olu.userId)).to.deep.equal(olusRows);
    // Tries are counted under a hash of the phone number.
    expect(await service.db('rate_limits').where('key', 'like', 'connect:%')).to.have.length(1);
    expect((await tracesOf(service, [olu.userId])).join())
      .to.include('pgboss.')
      .and.include('public.alerts');
  });

  it('has ended the session at the messenger, the access to the CRM and the subscription', async () => {
    expect(service.sandbox.calls()['auth.LogOut']).to.equal(1);
    expect(service.crm.calls()['oauth.revoke']).to.equal(1);
    expect(service.payments.subscriptions().map(({ status }) => status)).to.deep.equal(['active', 'canceled']);
  });

  it('signs out immediately, says goodbye, and allows signing up again', async () => {
    await nora.agent
      .get('/settings')
      .expect(302)
      .expect('Location', /signin/);
    const { text } = await request(service.url).get('/goodbye').expect(200);
    expect(wordsOf(text)).to.include('Your account is deleted').and.not.to.include('We couldn’t reach');
    expectNothingInline(text);
    const { text: with_ } = await request(service.url).get('/goodbye?left=payments,nonsense').expect(200);
    expect(wordsOf(with_)).to.include('We couldn’t reach the payment provider yet');
    const anew = await signIn(service, 'nora@example.com');
    const { body } = await anew.get('/api/auth/session');
    expect(body.user.id).not.to.equal(nora.userId);
    expect((await anew.get('/api/digests')).body.digests).to.deep.equal([]);
    await anew.get('/goodbye').expect(302).expect('Location', '/today');
  });
});
