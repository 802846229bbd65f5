import type { World, WorldUser } from '../../sandbox/messenger/world.ts';
import { NOTES } from '../../src/features/outbox/notes/rules.ts';
import type { RecordKind } from '../../src/features/outbox/schema.ts';
import type { Db } from '../../src/lib/db.ts';
import { type Agent, connectCrm, connectMessenger, signIn } from './people.ts';
import { type Service, startService, stopServices } from './service.ts';
import { until } from './until.ts';
import { dialog, message, owner, person, world } from './worlds.ts';

const PHONE = owner.phone ?? '';

export const CONTACTS = [
  { id: '101', firstname: 'Anna', lastname: 'Weber', email: 'anna@kestrel.example' },
  { id: '102', firstname: 'Anna', lastname: 'Webber', email: 'webber@kestrel.example' },
  { id: '103', firstname: 'Boris', lastname: 'Lang', email: 'boris@kestrel.example' },
] as const;

const MARKUP = '<b>Boris</b> & "Lang"';
export const ANNA = person(2001, { firstName: 'Anna Weber', username: 'annaweber' });
export const BORIS = person(2002, { firstName: MARKUP });

/** Two conversations, one of them full of markup. */
export function twoPeople(): World {
  const texts = [
    'Please send me the <script>alert(1)</script> offer by Friday, https://example.com/?a=1&b=<i>',
    'The contract & the price of 18,400 "net" for <img src=x onerror=alert(1)> are fine.',
  ];
  const talk = (user: WorldUser, first: number) =>
    dialog(`user:${user.id}`, [
      ...texts.map((text, n) => message(first + n, { from: user.id, text })),
      message(first + 2, { text: 'I will send the signed contract tomorrow.' }),
    ]);
  return world({ users: [ANNA, BORIS], dialogs: [talk(ANNA, 11), talk(BORIS, 21)] });
}

export type NoteWorld = {
  service: Service;
  nora: Agent;
  userId: string;
  /** Of the conversation with Anna, and with Boris. */
  anna: string;
  boris: string;
  /** Says that a conversation is with this contact. */
  link(dialogId: string, contactId: string): Promise<void>;
  write(peer: WorldUser, ...texts: string[]): void;
  /** What the API says of the conversation's digest. */
  statusOf(dialogId: string): Promise<string>;
  bodies(contactId?: string): string[];
};

/** The real service with a CRM that is connected, and two conversations listed. */
export async function startNotes(
  options: { connected?: boolean; env?: Record<string, string>; keys?: string[] } = {},
): Promise<NoteWorld> {
  const service = await startService({
    worlds: [twoPeople()],
    crm: { contacts: CONTACTS, keys: options.keys ?? [] },
    env: { RATE_LIMIT_CONNECT: '50', ...options.env },
  });
  await refuseOtherMoves(service.db, NOTES);
  const nora = await signIn(service, 'nora@example.com');
  await connectMessenger(service, nora, PHONE);
  if (options.connected ?? true) await connectCrm(service, nora);
  await nora.get('/api/messenger/dialogs').expect(200);
  const dialogIdOf = async (user: WorldUser) =>
    String(
      (
        await service
          .db('dialogs')
          .where({ peer_key: String(user.id) })
          .first()
      ).id,
    );
  return {
    service,
    nora,
    userId: (await nora.get('/api/auth/session')).body.user.id,
    anna: await dialogIdOf(ANNA),
    boris: await dialogIdOf(BORIS),
    async link(dialogId, crmContactId) {
      const match = { dialogId, crmContactId, matchStatus: 'CONFIRMED' };
      await nora.patch('/api/crm/contacts/match').send(match).expect(200);
    },
    write: (peer, ...texts) =>
      service.sandbox.addMessages(
        'test',
        `user:${peer.id}`,
        texts.map(text => ({ from: peer.id, text })),
      ),
    async statusOf(dialogId) {
      const { rows } = await service.db.raw(
        `select derived.status from digests cross join lateral digest_status(digests.id, digests.status) as derived
         where digests.dialog_id = ?`,
        [dialogId],
      );
      return rows[0].status;
    },
    bodies: contactId => service.crm.notes(contactId).map(({ body }) => body),
  };
}

/** From now on the database refuses a move of these rows that is not among their moves. */
export async function refuseOtherMoves(db: Db, { table, transitions }: RecordKind): Promise<void> {
  const allowed = Object.values(transitions).flatMap(({ from, to }) => from.map(state => `('${state}', '${to}')`));
  await db.raw(`
    create or replace function refuse_move() returns trigger language plpgsql as $$
    begin raise exception 'a row of % was moved from % to %', tg_table_name, old.state, new.state; end $$`);
  await db.raw(`
    create trigger other_moves before update on ${table} for each row
    when (old.state <> new.state and (old.state, new.state) not in (${allowed.join(', ')})) execute function refuse_move()`);
}

/** All work on notes is done: nothing waits, no one holds one. */
export async function settled({ service }: NoteWorld): Promise<void> {
  const open = () => service.db('outbox_notes').whereIn('state', ['waiting', 'outdated', 'unwanted']);
  const jobs = () =>
    service.db
      .withSchema('pgboss')
      .table('job')
      .whereIn('name', ['notes', 'notes-wanted', 'crm-connected', 'crm-ready'])
      .whereIn('state', ['created', 'active']);
  await until(async () => (await jobs()).length === 0 && (await open()).length === 0);
}

/** That world for each test of a file. */
export function eachNoteWorld(): NoteWorld {
  const world = {} as NoteWorld;
  beforeEach(async () => void Object.assign(world, await startNotes()));
  afterEach(stopServices);
  return world;
}
