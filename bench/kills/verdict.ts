import { z } from 'zod';
import type { SeedContact } from '../../sandbox/crm/seed.ts';
import type { Db } from '../../src/lib/db.ts';
import { print } from '../support/ground.ts';
import type { Stage } from './stage.ts';

/** Counts that must be zero, by name. */
export type Breaches = Record<string, number>;

/** Each message in one digest, each item a promise, each job ended well. */
export async function digestBreaches(db: Db, wanted: { digests: number; messages: number }): Promise<Breaches> {
  const count = (sql: string) => countOf(db, sql);
  return {
    'jobs not completed': await count(`select count(*) from sync_jobs where state <> 'completed'`),
    'digests not complete': await count(`
      select count(*) from digests cross join lateral digest_status(digests.id, digests.status) as derived
      where derived.status <> 'COMPLETE' or summary = ''`),
    'digests missing': wanted.digests - (await count('select count(*) from digests')),
    'messages missing': wanted.messages - (await count('select sum(message_count) as count from digests')),
    'digests overlapping': await count(`
      select count(*) from digests a join digests b on a.dialog_id = b.dialog_id
        and a.id < b.id and a.after_message_id < b.last_message_id and b.after_message_id < a.last_message_id`),
    'items without their promise': await count(`
      select count(*) from digests cross join lateral jsonb_path_query(structured, 'lax $.actionItems[*]') as item
      where not exists (select from promises p where p.dialog_id = digests.dialog_id and p.item_id = item ->> 'id')`),
    'promises doubled': await count(`
      select count(*) from (select from promises where state = 'open' and first_digest_id is not null
        group by dialog_id, direction, words, due_date having count(*) > 1) as doubled`),
    'CRM connections lost': await count(`select count(*) from crm_connections where status <> 'active'`),
    'people not looked up': await count('select count(*) from dialogs where match_evaluated_at is null'),
  };
}

const digestRows = z.array(z.object({ id: z.string(), crm_contact_id: z.string() }));

/** Each digest of a linked conversation has one note, on its contact. */
export async function noteBreaches({ crm, ground: { db } }: Stage): Promise<Breaches> {
  const { rows } = await db.raw(`
    select digests.id, crm_contact_id from digests join dialogs on dialogs.id = digests.dialog_id
    where digests.summary <> '' and crm_contact_id <> ''`);
  const digests = digestRows.parse(rows);
  const notes = crm
    .notes()
    .map(({ body, contactIds }) => ({
      digest: /\/digests\/([0-9a-f-]{36})/.exec(body)?.[1] ?? 'none',
      contact: contactIds.join(),
    }));
  const found = Map.groupBy(notes, ({ digest }) => digest);
  const known = new Set(digests.map(({ id }) => id));
  const elsewhere = ({ id, crm_contact_id }: (typeof digests)[number]) =>
    found.get(id)?.some(({ contact }) => contact !== crm_contact_id);
  return {
    'notes not done': await countOf(db, `select count(*) from outbox_notes where state <> 'written'`),
    'notes missing': digests.filter(({ id }) => !found.has(id)).length,
    'notes doubled': [...found.values()].filter(({ length }) => length > 1).length,
    'notes on another contact': digests.filter(elsewhere).length,
    'notes of nothing': [...found.keys()].filter(id => !known.has(id)).length,
  };
}

/** People are created once each, by the messenger id on their contact, and each is linked to a conversation. */
export async function contactBreaches({ crm, ground }: Stage, seeds: readonly SeedContact[]): Promise<Breaches> {
  const before = new Set(seeds.map(({ id }) => String(id)));
  const ids = crm.contacts().flatMap(({ properties }) => properties.messenger_user_id || []);
  const linked = new Set(await ground.db('dialogs').distinct().pluck('crm_contact_id'));
  const lost = crm.contacts().filter(({ id }) => !before.has(String(id)) && !linked.has(String(id)));
  return {
    'contacts with the same messenger account': ids.length - new Set(ids).size,
    'contacts created and lost': lost.length,
  };
}

const promiseRows = z.array(
  z.object({ id: z.string(), state: z.string(), crm_id: z.string().nullable(), due: z.date(), contact: z.string() }),
);

/** Each promise is as it was decided, has one task, and both say the same. */
export async function taskBreaches(stage: Stage, expected: ReadonlyMap<string, string>): Promise<Breaches> {
  const { rows } = await stage.ground.db.raw(
    `select p.id, p.state, t.crm_id, dialogs.crm_contact_id as contact,
      (greatest(p.due_date, p.snoozed_until) + time '09:00') at time zone 'UTC' as due
    from promises p join dialogs on dialogs.id = p.dialog_id left join outbox_tasks t on t.promise_id = p.id
    where p.id = any(:ids)`,
    { ids: [...expected.keys()] },
  );
  const promises = promiseRows.parse(rows);
  const byPromise = Map.groupBy(stage.crm.tasks(), ({ body }) => /#p-([0-9a-f-]{36})/.exec(body)?.[1] ?? 'none');
  const both = promises.map(promise => ({ promise, tasks: byPromise.get(promise.id) ?? [] }));
  const live = both.filter(({ promise: { state } }) => ['open', 'snoozed', 'done'].includes(state));
  const over = both.filter(({ promise: { state } }) => ['cancelled', 'dismissed'].includes(state));
  const counted = (list: typeof both, is: (one: (typeof both)[number]) => boolean) => list.filter(is).length;
  return {
    'decisions lost': promises.filter(({ id, state }) => state !== expected.get(id)).length,
    'promises without a task': counted(live, ({ tasks }) => tasks.length === 0),
    'promises with two tasks or more': counted(both, ({ tasks }) => tasks.length > 1),
    'tasks of promises that have none': counted(over, ({ tasks }) => tasks.length > 0),
    'tasks under another id': counted(live, ({ promise, tasks }) => tasks[0]?.id !== promise.crm_id),
    'tasks on another contact': counted(live, ({ promise, tasks }) => tasks[0]?.contactIds.join() !== promise.contact),
    'states that differ': counted(live, ({ promise, tasks }) => tasks[0]?.isCompleted !== (promise.state === 'done')),
    'due moments that differ': counted(
      live,
      ({ promise, tasks }) => promise.state !== 'done' && tasks[0]?.dueAt.getTime() !== promise.due.getTime(),
    ),
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
