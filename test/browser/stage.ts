import { sampleContacts } from '../../sandbox/crm/seed.ts';
import { sampleWorld } from '../../sandbox/messenger/samples.ts';
import { freePort } from '../support/freePort.ts';
import { connectCrm, connectMessenger, signIn, syncNow } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { crowd, person, world } from '../support/worlds.ts';
import { settle } from './month.ts';

export const ADMIN_KEY = 'the key of the operator';
/** Just arrived; with a full account; with whom anything may be wrong; in the middle of the first steps; for a month. */
export const PEOPLE = {
  newcomer: 'nora@example.com',
  regular: 'lena@example.com',
  unlucky: 'otto@example.com',
  beginner: 'bea@example.com',
  settled: 'mira@example.com',
};
/** Of an account that no one has connected yet, with a second factor. */
export const PROTECTED_PHONE = '+34600111555';
const UNLUCKY_PHONE = '+34600111333';
const BEGINNER_PHONE = '+34600111444';

export type Stage = {
  service: Service;
  idOf(email: string): Promise<string>;
  /** The conversation of the regular user with someone whose name begins like this. */
  conversation(name: string): Promise<string>;
  /** The address of another web process of the same service, which is set up in another way. */
  webWith(env: Record<string, string>): Promise<string>;
};

/** One service with people in all states, for a walk through its pages. */
export async function startStage(): Promise<Stage> {
  const otto = person(2000, { firstName: 'Otto', phone: UNLUCKY_PHONE });
  const bea = person(3000, { firstName: 'Bea', phone: BEGINNER_PHONE });
  const pia = person(4000, { firstName: 'Pia', phone: PROTECTED_PHONE });
  const small = [
    world({ key: 'otto', owner: otto, ...crowd(6) }),
    world({ key: 'bea', owner: bea, ...crowd(3) }),
    world({ key: 'pia', owner: pia, password: 'the second factor' }),
  ];
  const worlds = [sampleWorld(new Date()), ...small];
  const env = { ADMIN_API_KEY: ADMIN_KEY, RATE_LIMIT_CONNECT: '100' };
  const crm = { contacts: sampleContacts() };
  const service = await startService({ port: await freePort(), worlds, crm, payments: true, mail: true, env });
  await signIn(service, PEOPLE.newcomer);
  const regular = await signIn(service, PEOPLE.regular);
  const unlucky = await signIn(service, PEOPLE.unlucky);
  const beginner = await signIn(service, PEOPLE.beginner);
  await signIn(service, PEOPLE.settled);
  await service.db('sync_configs').update({ timezone: zoneAtNoon(service.clock.now()) });
  await connectMessenger(service, regular, worlds[0]?.owner.phone ?? '');
  await connectCrm(service, regular);
  await service.db('crm_connections').update({ sure_matches_write: false });
  await syncNow(regular);
  await failSome(service);
  await connectMessenger(service, unlucky, UNLUCKY_PHONE);
  await syncNow(unlucky);
  await beginner.get('/start').expect(200);
  await connectMessenger(service, beginner, BEGINNER_PHONE);
  await settle(service, PEOPLE.settled);
  const idOf = async (email: string) => String((await service.db('users').where({ email }).first('id'))?.id);
  const userId = await idOf(PEOPLE.regular);
  const conversation = async (name: string) =>
    String((await service.db('dialogs').where({ user_id: userId }).whereLike('peer_name', `${name}%`).first('id'))?.id);
  return { service, idOf, conversation, webWith: websOf(service) };
}

/** Where it is about noon, on the database's date: the walk never comes into another day. */
function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours();
  // These names count westwards.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** Each way of setting it up is started once. */
function websOf(service: Service): Stage['webWith'] {
  const started = new Map<string, Promise<string>>();
  return env => {
    const key = JSON.stringify(env);
    const web = started.get(key) ?? service.anotherWeb(env);
    started.set(key, web);
    return web;
  };
}

/** Two conversations that could not be finished are among the others. */
async function failSome({ db }: Service): Promise<void> {
  const ids = await db('digests').where({ status: 'COMPLETE' }).orderBy('last_message_at').limit(2).pluck('id');
  await db('digests').whereIn('id', ids).update({ status: 'FAILED', reason: 'AI_UNAVAILABLE', summary: '' });
}

/** The newest sync of someone in a state of its own. */
export async function putSync({ service, idOf }: Stage, email: string, job: object): Promise<void> {
  const userId = await idOf(email);
  await service.db('sync_jobs').where({ id: 'sync:staged' }).del();
  await service
    .db('sync_jobs')
    .insert({
      id: 'sync:staged',
      user_id: userId,
      queue_id: '00000000-0000-4000-8000-000000000000',
      kind: 'manual',
      created_at: service.clock.now(),
      started_at: service.clock.now(),
      ...job,
    });
}

export async function takeSync({ service }: Stage): Promise<void> {
  await service.db('sync_jobs').where({ id: 'sync:staged' }).del();
}
