import { z } from 'zod';
import type { Db } from '../../src/lib/db.ts';
import { print } from '../support/ground.ts';
import type { Stage } from './stage.ts';

/** What must be zero, by what it counts. */
export type Breaches = Record<string, number>;

const digestRows = z.array(z.object({ id: z.string(), crm_contact_id: z.string(), match_status: z.string() }));

/** Compares what stands in the CRM with what the digests and links say should stand there. */
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

/** People created, by the messenger's id that stands on their contact. */
export async function contactBreaches({ crm, ground: { db } }: Stage, before: number): Promise<Breaches> {
  const ids = crm.contacts().flatMap(({ properties }) => properties.messenger_user_id || []);
  const created = await countOf(db, `select count(*) from dialogs where match_status = 'CREATED'`);
  const added = crm.contacts().length - before;
  return {
    'contacts with the same messenger account': ids.length - new Set(ids).size,
    'contacts created twice, or lost sight of': Math.abs(added - created),
  };
}

export async function digestBreaches({ db }: { db: Db }): Promise<Breaches> {
  return {
    'digests not complete': await countOf(db, `select count(*) from digests where status <> 'COMPLETE'`),
    'notes not done': await countOf(db, `select count(*) from crm_notes where state <> 'written'`),
    'CRM connections lost': await countOf(db, `select count(*) from crm_connections where status <> 'active'`),
    'people not looked up': await countOf(
      db,
      'select count(*) - (select count(*) from contact_matches) as count from dialogs',
    ),
    'jobs not completed': await countOf(db, `select count(*) from sync_jobs where state <> 'completed'`),
  };
}

export async function countOf(db: Db, sql: string): Promise<number> {
  return Number((await db.raw(sql)).rows[0]?.count ?? 0);
}

/** Prints all of them; whether there is none. */
export function report(breaches: Breaches): boolean {
  for (const [what, count] of Object.entries(breaches)) print(`${String(count).padStart(7)}  ${what}`);
  return Object.values(breaches).every(count => count === 0);
}
