import type { Db } from '../../src/lib/db.ts';
import { recordStored } from './recordStored.ts';

/** The scripts of a morning's digests. */
export type Script = 'latin' | 'cyrillic';

export type Reader = { email: string; cookie: string; userId: string };

const NAMES: Record<Script, string[]> = {
  latin: ['Farid Nazari', 'Katrin Vogel', 'Tomás Herrera', 'Amélie Fournier', 'Agnieszka Wójcik', 'Marcus Feld'],
  cyrillic: ['Ирина Соколова', 'Дмитрий Ковалёв', 'Оксана Мельник', 'Пётр Лебедев', 'Ольга Зайцева', 'Юрий Марченко'],
};
const SENTENCES: Record<Script, string[]> = {
  latin: [
    'Procurement moved the deadline up to Monday and opens a new tender without the signed data agreement.',
    'The pilot in Leeds went well, and the second site should be part of the same contract.',
    'The price stays at €18,400 a year for 24 months, the invoice is due at the end of the month.',
    'Two of the loggers have stopped sending since Wednesday, and the report depends on them.',
    'The budget is confirmed for this quarter if the quote arrives next week.',
  ],
  cyrillic: [
    'Закупки перенесли срок на понедельник и без подписанного соглашения объявят новый тендер.',
    'Пилот прошёл хорошо, вторую площадку хотят включить в тот же договор.',
    'Цена остаётся прежней, счёт нужно оплатить до конца месяца.',
    'Два датчика молчат со среды, а от них зависит отчёт.',
    'Бюджет на квартал подтверждён, если предложение придёт на следующей неделе.',
  ],
};
const ITEMS: Record<Script, string[]> = {
  latin: ['Send the signed data agreement as PDF', 'Book the kick-off call', 'Name an engineer and give a time'],
  cyrillic: ['Прислать подписанное соглашение', 'Назначить созвон на вторник', 'Назвать инженера и время'],
};
const TOPICS: Record<Script, string[]> = {
  latin: ['Renewal', 'Data agreement', 'Deadline', 'Second site'],
  cyrillic: ['Продление', 'Соглашение', 'Срок', 'Вторая площадка'],
};
const SENTIMENTS = ['positive', 'neutral', 'mixed', 'negative'];

/** A client signed in to the service with this address. */
export async function signedInReader(url: string, db: Db, email: string): Promise<Reader> {
  const answer = await fetch(`${url}/api/auth/callback/dev-credentials`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  });
  const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
  const user = await db('users').where({ email }).first('id');
  return { email, cookie, userId: user.id };
}

type Size = { perDay: number; days: number; script: Script };

/** Digests of the usual mixture, as many a day, today and on the days before, in as many conversations. */
export async function fillMornings(db: Db, userId: string, { perDay, days, script }: Size): Promise<void> {
  const account = { user_id: userId, messenger_user_id: '1', first_name: 'Nora', connected_at: new Date() };
  const [{ id: accountId }] = await db('messenger_accounts')
    .insert({ ...account, status: 'active', credentials: 'none' })
    .returning('id');
  const dialogs = await db('dialogs')
    .insert(Array.from({ length: perDay }, (_, n) => conversation(userId, accountId, n, script)))
    .returning('id');
  for (const [n, { id }] of dialogs.entries()) {
    await db.raw(
      `insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id,
                            last_message_at, summary, structured, engine)
       select ?, ?, current_date - day, 'COMPLETE', ?, 0, 18, now() - day * interval '1 day' - ? * interval '1 minute',
              ?, replace(?, '#', day::text)::jsonb, 'ai'
       from generate_series(0, ?::int) day`,
      [userId, id, 3 + n, n, summary(n, script), JSON.stringify(structured(n, script)), days - 1],
    );
    const digestIds = await db('digests').where({ user_id: userId, dialog_id: id }).pluck('id');
    await recordStored(db, { userId, digestIds, now: new Date() });
  }
  await db('sync_jobs').insert({
    ...{ id: `sync:${userId}:manual:1`, user_id: userId, queue_id: userId, kind: 'manual', state: 'completed' },
    ...{ conversations_total: perDay, conversations_done: perDay, dialogs_processed: perDay, digests_created: perDay },
    finished_at: new Date(),
  });
  await db.raw('vacuum analyze');
}

function conversation(userId: string, accountId: string, n: number, script: Script) {
  const name = `${at(NAMES[script], n)}${n < 6 ? '' : ` ${n}`}`;
  const linked = n % 3 === 0 ? { match_status: 'CONFIRMED', match_confidence: 1, crm_contact_id: String(500 + n) } : {};
  return {
    ...{ user_id: userId, account_id: accountId, peer_id: String(5000 + n), peer_type: 'user', peer_kind: 'user' },
    ...{ peer_key: String(5000 + n), peer_name: name, peer_username: n % 2 ? `person_${n}` : '' },
    ...{ last_message_at: new Date(), crm_contact_name: n % 3 === 0 ? name : null, ...linked },
  };
}

function summary(n: number, script: Script): string {
  return [0, 1, 2]
    .slice(0, n % 4 === 0 ? 3 : 2)
    .map(k => at(SENTENCES[script], n + k))
    .join(' ');
}

/** A few are urgent, every fourth waits for the user. `#` stands for the day. */
function structured(n: number, script: Script) {
  const owes = n % 4 === 0;
  const item = (k: number) => ({
    ...{ id: `item-${n}-${k}-#`, text: at(ITEMS[script], n + k), owner: k === 2 ? 'contact' : 'user', ownerName: null },
    ...{ dueDate: null, dueText: k === 0 ? 'Monday' : null, sourceMessageIds: ['17'] },
  });
  return {
    topics: [at(TOPICS[script], n), at(TOPICS[script], n + 1)],
    actionItems: owes ? [0, 1, 2].slice(0, 1 + (n % 3)).map(item) : [],
    sentiment: at(SENTIMENTS, n),
    urgency: n % 12 === 0 ? 'high' : 'low',
    ...{ meetings: [], introductions: [], dealSignals: [], links: [], language: script === 'latin' ? 'en' : 'ru' },
  };
}

function at(texts: string[], n: number): string {
  return texts[n % texts.length] ?? '';
}
