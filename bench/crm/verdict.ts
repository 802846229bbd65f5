import { z } from 'zod';
import type { SeedContact } from '../../sandbox/crm/seed.ts';
import type { Db } from '../../src/lib/db.ts';
import { print } from '../support/ground.ts';
import type { Stage } from './stage.ts';

/** Counts that must be zero, by name. */
export type Breaches = Record<string, number>;

const digestRows = z.array(z.object({ id: z.string(), crm_contact_id: z.string(), match_status: z.string() }));

/** Compares the notes and contacts of the CRM with those the digests and matches require. */
export async function noteBreaches({ crm, ground: { db } }: Stage): Promise<Breaches> {
  const { rows } = await db.raw(
    `select digests.id, crm_contact_id, match_status from digests join dialogs on dialogs.id = digests.dialog_id
     where digests.summary <> ''`,
  );
  const digests = digestRows.parse(rows);
  const found = new Map<string, string[]>();
  for (const note of crm.notes()) {
    const [, id = 'none'] = /\/digests\/([0-9a-f-]{36})/.exec(note.body) ?? [];
    found.set(id, [...(found.get(id) ?? []), note.contactIds.join()]);
  }
  const linked = digests.filter(digest => digest.crm_contact_id !== '');
  const known = new Set(linked.map(({ id }) => id));
  return {
    'notes missing': linked.filter(({ id }) => !found.has(id)).length,
    'notes doubled': [...found.values()].filter(contacts => contacts.length > 1).length,
    'notes on another contact': linked.filter(({ id, crm_contact_id }) =>
      found.get(id)?.some(contact => contact !== crm_contact_id),
    ).length,
    'notes of nothing': [...found.keys()].filter(id => !known.has(id)).length,
  };
}

/**
 * People created: each once, by the messenger id on their contact, and each linked to a conversation. One
 * whose creation was interrupted is found by that id at the next sync, as a match.
 * @param seeds who was there before
 */
export async function contactBreaches(stage: Stage, seeds: readonly SeedContact[]): Promise<Breaches> {
  const { crm, ground } = stage;
  const ids = crm.contacts().flatMap(({ properties }) => properties.messenger_user_id || []);
  const linked = new Set(await ground.db('dialogs').distinct().pluck('crm_contact_id'));
  return {
    'contacts with the same messenger account': ids.length - new Set(ids).size,
    'contacts created and lost sight of': addedContactIds(stage, seeds).filter(id => !linked.has(id)).length,
  };
}

/** The contacts that were added. */
export function addedContactIds({ crm }: Pick<Stage, 'crm'>, seeds: readonly SeedContact[]): string[] {
  const known = new Set(seeds.map(({ id }) => String(id)));
  return crm.contacts().flatMap(({ id }) => (known.has(String(id)) ? [] : [String(id)]));
}

export async function digestBreaches({ db }: { db: Db }): Promise<Breaches> {
  return {
    'digests not complete': await countOf(
      db,
      `select count(*) from digests cross join lateral digest_status(digests.id, digests.status) as derived
       where derived.status <> 'COMPLETE'`,
    ),
    'notes not done': await countOf(db, `select count(*) from outbox_notes where state <> 'written'`),
    'CRM connections lost': await countOf(db, `select count(*) from crm_connections where status <> 'active'`),
    'people not looked up': await countOf(db, 'select count(*) as count from dialogs where match_evaluated_at is null'),
    'jobs not completed': await countOf(db, `select count(*) from sync_jobs where state <> 'completed'`),
  };
}

export async function countOf(db: Db, sql: string): Promise<number> {
  return Number((await db.raw(sql)).rows[0]?.count ?? 0);
}

/** Prints all counts. Returns whether they are all zero. */
export function report(breaches: Breaches): boolean {
  for (const [what, count] of Object.entries(breaches)) print(`${String(count).padStart(7)}  ${what}`);
  return Object.values(breaches).every(count => count === 0);
}
