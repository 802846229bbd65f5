import { post } from '../../../support/pages.ts';
import { type Agent, connectCrm, connectMessenger, signIn, syncNow } from '../../../support/people.ts';
import type { Service } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

export type Person = { agent: Agent; email: string; phone: string; userId: string };

/** Signed in, and with the messenger account of this number in the service's worlds. */
export async function connectedPerson(service: Service, email: string, world = 0): Promise<Person> {
  const agent = await signIn(service, email);
  const phone = service.sandbox.accounts()[world]?.phone ?? '';
  await connectMessenger(service, agent, phone);
  return { agent, email, phone, userId: (await agent.get('/api/auth/session')).body.user.id };
}

/** Everything there is: CRM and plan, two syncs with notes, matches decided and undone, a second device, a message waiting. */
export async function filledPerson(service: Service, email: string, world = 0): Promise<Person> {
  const person = await connectedPerson(service, email, world);
  const { agent } = person;
  await signIn(service, email);
  await connectCrm(service, agent);
  await post(agent, '/settings/account/name', { name: 'Nora Lind' });
  await agent.post('/api/settings').send({ minMessages: 1, includeGroups: true }).expect(200);
  await buy(service, agent);
  await syncNow(agent);
  const { body } = await agent.get('/api/crm/contacts/search').expect(200);
  const [first, second] = body.contacts;
  await agent
    .patch('/api/crm/contacts/match')
    .send({ dialogId: first.id, crmContactId: service.crm.contacts()[0]?.id, matchStatus: 'CONFIRMED' })
    .expect(200);
  await agent.patch('/api/crm/contacts/search').send({ dialogId: second.id, action: 'ignore' }).expect(200);
  await syncNow(agent);
  await promise(service, person.userId);
  return person;
}

/** Their conversations ask for nothing. */
async function promise({ db }: Service, userId: string): Promise<void> {
  const { id, dialog_id } = await db('digests').where({ user_id: userId }).first('id', 'dialog_id');
  await db('promises').insert({
    ...{ user_id: userId, dialog_id, item_id: 'promised', first_digest_id: id, last_digest_id: id },
    ...{ first_said_on: new Date(), last_said_on: new Date(), changed_at: new Date() },
    ...{ direction: 'mine', words: `Send it for ${userId}` },
  });
}

export async function buy(service: Service, agent: Agent): Promise<void> {
  const { headers } = await post(agent, '/settings/billing/checkout', { plan: 'PRO' }).expect(303);
  await fetch(headers.location ?? '', {
    method: 'POST',
    body: new URLSearchParams({ decision: 'pay' }),
    redirect: 'manual',
  });
  await until(() => service.payments.events().every(({ dueAt }) => dueAt === null));
}

export function deleteAccount({ agent, email }: Pick<Person, 'agent' | 'email'>) {
  return post(agent, '/settings/account/delete', { email });
}

/** Tables, by schema and name, of which some row holds one of these texts anywhere, as `public.alerts: nora@example.com`. */
export async function tracesOf({ db }: Pick<Service, 'db'>, texts: string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  const found: string[] = [];
  for (const { name } of rows) {
    for (const text of texts) {
      const hit = await db.raw(`select 1 from ${name} as r where position(? in r::text) > 0 limit 1`, [text]);
      if (hit.rows.length > 0) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
