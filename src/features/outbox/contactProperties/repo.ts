import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { rowReader } from '../../../lib/rows.ts';

/** What our properties say about a contact. */
const facts = z.object({
  contactId: z.string(),
  /** Digests whose note is on the contact. */
  digestCount: z.coerce.number(),
  /** The messenger account of the person in a conversation whose notes go there; '' when there are only groups. */
  messengerUserId: z.string().nullable().transform(orEmpty),
  messengerUsername: z.string().nullable().transform(orEmpty),
  /** We put both there before. */
  isNamed: z.boolean().nullable().transform(Boolean),
});
const factsRow = rowReader(facts, { crm_contact_id: 'contactId' });
export type ContactFacts = z.output<typeof facts>;

function orEmpty(text: string | null): string {
  return text ?? '';
}

type Owner = { userId: string; portalId: string };

const STANDS = `n.portal_id = :portalId and n.crm_id is not null
  and n.state in ('written', 'outdated')`;

/** Among a contact's conversations, the one whose note was created first names it. */
const FACTS = `
  select n.crm_contact_id, count(*) as digest_count,
    (array_agg(dialogs.peer_key order by n.created_at, n.id) filter (where dialogs.peer_type = 'user'))[1]
      as messenger_user_id,
    (array_agg(dialogs.peer_username order by n.created_at, n.id) filter (where dialogs.peer_type = 'user'))[1]
      as messenger_username,
    bool_or(n.names_contact) as is_named
  from outbox_notes n join dialogs on dialogs.id = n.dialog_id
  where n.user_id = :userId and ${STANDS} and n.crm_contact_id = any(:contactIds)
  group by n.crm_contact_id`;

/** Contacts with notes written since their properties were last brought up to date, at most `limit`. */
export async function listOutdatedContacts(
  db: Db,
  { limit, ...owner }: Owner & { limit: number },
): Promise<ContactFacts[]> {
  const { rows } = await db.raw<{ rows: { crm_contact_id: string }[] }>(
    `select distinct n.crm_contact_id from outbox_notes n
     where n.user_id = :userId and ${STANDS} and (n.told_at is null or n.told_at < n.written_at) limit :limit`,
    { ...owner, limit },
  );
  return listFacts(db, { ...owner, contactIds: rows.map(row => row.crm_contact_id) });
}

/** The facts for those contacts that have a note of ours. */
export async function listFacts(db: Db, wanted: Owner & { contactIds: readonly string[] }): Promise<ContactFacts[]> {
  if (wanted.contactIds.length === 0) return [];
  const { rows } = await db.raw<{ rows: unknown[] }>(FACTS, { ...wanted, contactIds: [...wanted.contactIds] });
  return rows.map(row => factsRow.parse(row));
}

/** Records that these contacts are up to date, and which of them got their messenger account's name from us. */
export async function markUpToDate(
  db: Db,
  { userId, portalId }: Owner,
  { contactIds, namedIds, now }: { contactIds: readonly string[]; namedIds: readonly string[]; now: Date },
): Promise<void> {
  await db('outbox_notes')
    .where({ user_id: userId, portal_id: portalId })
    .whereIn('crm_contact_id', contactIds)
    .whereIn('state', ['written', 'outdated'])
    .update({
      // The note may have been written by a process whose clock is ahead.
      told_at: db.raw('greatest(?::timestamptz, written_at)', [now]),
      names_contact: db.raw('names_contact or crm_contact_id = any(?)', [[...namedIds]]),
    });
}

/** Contacts that got a messenger account's name from us because of a note that is now being removed. */
export async function listNaming(
  db: Db,
  { userId, claim }: { userId: string; claim: string },
): Promise<{ contactId: string; messengerUserId: string; messengerUsername: string }[]> {
  const rows = await db('outbox_notes')
    .join('dialogs', 'dialogs.id', 'outbox_notes.dialog_id')
    .where({ 'outbox_notes.user_id': userId, claim, names_contact: true })
    .distinct<{ crm_contact_id: string; peer_key: string; peer_username: string }[]>(
      'outbox_notes.crm_contact_id',
      'peer_key',
      'peer_username',
    );
  return rows.map(row => ({
    contactId: row.crm_contact_id,
    messengerUserId: row.peer_key,
    messengerUsername: row.peer_username,
  }));
}
