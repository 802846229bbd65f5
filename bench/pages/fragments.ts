import type { Db } from '../../src/lib/db.ts';

/** One request of a page or a fragment, as a browser sends it. */
export type Ask = {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  isFragment: boolean;
  form?: [name: string, value: string][];
};

/** As many as one group of the page shows. */
export const BULK = 50;
const WEEK_MS = 7 * 24 * 3600 * 1000;

/** Every page and fragment that reads the database, for one reader. */
export async function asksOf(db: Db, userId: string): Promise<Ask[]> {
  const ofToday = db('digests').where({ user_id: userId }).whereRaw('digest_date = current_date');
  const digest = await ofToday.clone().whereRaw(`structured @> '{"urgency": "high"}'`).orderBy('last_message_at').first();
  const guess = await db('dialogs').where({ user_id: userId, match_status: 'AUTO_NAME' }).first('id');
  const open = await db('promises')
    .where({ user_id: userId, direction: 'mine', state: 'open' })
    .orderBy(['due_date', 'id'])
    .limit(BULK)
    .pluck('id');
  const nextWeek = new Date(Date.now() + WEEK_MS).toISOString().slice(0, 10);
  const page = (name: string, path: string): Ask => ({ name, method: 'GET', path, isFragment: false });
  const part = (name: string, path: string): Ask => ({ name, method: 'GET', path, isFragment: true });
  const sent = (name: string, path: string, form: Record<string, string>): Ask => {
    return { name, method: 'POST', path, isFragment: true, form: Object.entries(form) };
  };
  return [
    page('Today', '/today'),
    page('Today, one view', '/today?view=urgent'),
    page('Today, search', '/today?q=tender'),
    page('promises', '/promises'),
    page('promises, search', '/promises?q=agreement'),
    page('the week', '/week'),
    page('conversation', `/conversations/${digest.dialog_id}`),
    page('brief', `/brief/${digest.dialog_id}`),
    page('ask', '/ask?q=What+do+I+owe+about+the+tender%3F'),
    page('contacts', '/contacts'),
    page('settings', '/settings'),
    part('sync panel', '/sync'),
    part('search', '/today?q=tender'),
    part('case', `/contacts?id=${guess.id}`),
    part('new contact', `/contacts/${guess.id}/create`),
    sent('promise put off', `/promises/${open[0]}`, { until: nextWeek, back: '/promises' }),
    { ...sent('bulk of 50 promises', '/promises', {}), form: bulkOf(open, nextWeek) },
    sent('switch of a conversation', `/conversations/${digest.dialog_id}/track`, { isTracked: 'true', page: '1' }),
    sent('settings form', '/settings', {
      ...{ syncTime: '07:30', timezone: 'Europe/Berlin', minMessages: '1', summaryStyle: 'BUSINESS' },
    }),
  ];
}

/** A bulk that changes each of them every time it is sent. */
export function bulkOf(ids: string[], until: string): [name: string, value: string][] {
  return [['until', until], ['back', '/promises'], ...ids.map((id): [string, string] => ['ids', id])];
}

export function optionsOf({ method, isFragment, form }: Ask, cookie: string) {
  return {
    method,
    headers: {
      cookie,
      ...(isFragment && { 'hx-request': 'true', 'hx-current-url': 'http://127.0.0.1/today' }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
  };
}
