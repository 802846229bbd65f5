import type { World } from '../../../sandbox/messenger/world.ts';
import type { CrmContact } from '../../../src/clients/crm/types.ts';
import { saveVerdicts } from '../../../src/features/contacts/matching/matchConversations.ts';
import { matchPerson } from '../../../src/features/contacts/matching/matchPerson.ts';
import type { MatchVerdict, Person, Suggestion } from '../../../src/features/contacts/matching/schema.ts';
import { connectMessenger, signIn } from '../../support/people.ts';
import { type Service, startService } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

/** One private chat each, in this order of ids, 6001 first. */
export function worldOf(names: readonly { name: string; username?: string; phone?: string }[]): World {
  const users = names.map(({ name, username, phone }, index) =>
    person(6001 + index, { firstName: name, username: username ?? null, phone: phone ?? null, isContact: true }),
  );
  const dialogs = users.map(({ id }) => dialog(`user:${id}`, [message(id, { from: id })]));
  return world({ users, dialogs });
}

export type Reader = Awaited<ReturnType<typeof readerOf>>;

/** Someone signed in whose conversations are listed. Answers with the conversations' ids and rows by name. */
export async function readerOf(service: Service, email: string) {
  const agent = await signIn(service, email);
  await connectMessenger(service, agent, owner.phone ?? '');
  await agent.get('/api/messenger/dialogs').expect(200);
  const { body } = await agent.get('/api/crm/contacts/search').expect(200);
  const ids = new Map<string, string>(
    body.contacts.map((entry: { peerName: string; id: string }) => [entry.peerName, entry.id]),
  );
  const idOf = (name: string) => ids.get(name) ?? `no conversation with ${name}`;
  const rowOf = (name: string) => service.db('dialogs').where('id', idOf(name)).first();
  const user = await service.db('users').where({ email }).first();
  return { agent, idOf, rowOf, userId: String(user?.id) };
}

/** A service with a CRM, and Lena, whose conversations are these. */
export async function startReader(people: Parameters<typeof worldOf>[0], { worker = false } = {}) {
  const service = await startService({ crm: true, worker, worlds: [worldOf(people)] });
  const { agent: lena, ...reader } = await readerOf(service, 'lena@example.com');
  return { service, crm: service.crm, lena, ...reader };
}

const NOBODY: CrmContact = {
  ...{ id: '', firstName: '', lastName: '', email: '', company: '', phone: '', mobilePhone: '' },
  ...{ messengerUsername: '', messengerUserId: '', mergedIds: [] },
};

export const contact = (details: Partial<CrmContact>): CrmContact => ({ ...NOBODY, ...details });

export function personOf(details: Partial<Person>): Person {
  return { dialogId: 'd', messengerUserId: '6001', name: '', username: '', phone: '', callingCode: '49', ...details };
}

/** What the rules say of this person and these contacts, the first of whom has the id 1. */
export function match(details: Partial<Person>, contacts: Partial<CrmContact>[], rejected = new Set<string>()) {
  const candidates = contacts.map((one, at) => contact({ id: String(at + 1), ...one }));
  return matchPerson(personOf(details), candidates, rejected);
}

/** What the matching stores, as it would have found it. */
export async function found(
  { service, userId }: { service: Service; userId: string },
  dialogId: string,
  details: Partial<MatchVerdict>,
): Promise<void> {
  const nothing: MatchVerdict = {
    ...{ status: 'UNMATCHED', confidence: 0, rule: null, contact: null, evidence: [], runnerUp: null, suggestions: [] },
  };
  const clock = service.clock;
  const verdict = { ...nothing, ...details };
  await saveVerdicts({ db: service.db, clock }, { userId, verdicts: [{ dialogId, verdict }] });
}

export function suggestion(details: Partial<CrmContact>, score = 0.7): Suggestion {
  return { contact: contact(details), score, evidence: [] };
}

/** What whoever writes notes was asked to look at, oldest first. */
export async function wantedNotes({ db }: Service): Promise<{ userId: string; dialogIds: string[] }[]> {
  const { rows } = await db.raw(`select data from pgboss.job where name = 'notes-wanted' order by created_on`);
  return rows.map((row: { data: { userId: string; dialogIds: string[] } }) => row.data);
}
