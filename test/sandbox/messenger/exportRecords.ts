import type { World } from '../../../sandbox/messenger/world.ts';

export const OWNER = {
  user_id: 9,
  first_name: 'Ada',
  last_name: 'Lund',
  phone_number: '+1 202 555 0107',
  username: '@adalund',
};

let counted = 0;

export function message(fields: Record<string, unknown> = {}) {
  counted += 1;
  const date = new Date(Date.UTC(2026, 10, 2, 9, 0, counted)).toISOString().slice(0, 19);
  const unixtime = String(Date.parse(`${date}Z`) / 1000);
  return { id: counted, type: 'message', date, date_unixtime: unixtime, text: 'Hello', ...fields };
}

export function chat(fields: Record<string, unknown> = {}) {
  return { name: 'Ben Oduya', type: 'personal_chat', id: 41, messages: [], ...fields };
}

export function account(...list: unknown[]) {
  return { personal_information: OWNER, chats: { about: '', list } };
}

export function dialog(world: World, key: string) {
  const found = world.dialogs.find(each => each.key === key);
  if (!found) throw new Error(`${key} is missing`);
  return found;
}
