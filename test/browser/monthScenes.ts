import type { Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const who = PEOPLE.settled;
const conversation = async ({ service, idOf }: Stage) => {
  const of = { user_id: await idOf(who), peer_name: 'Agnieszka Wójcik' };
  return `/conversations/${(await service.db('dialogs').where(of).first('id')).id}`;
};
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** What only time brings: days behind the present one, and what was left open on them. */
export const monthScenes: Scene[] = [
  { name: 'A month, Today', who, path: '/today' },
  { name: 'A month, search', who, path: '/today?q=tender' },
  { name: 'A month, skipped', who, path: '/today?view=skipped' },
  { name: 'A month, as a table', who, path: '/today?view=table' },
  { name: 'A month, the day before', who, path: () => `/today?day=${yesterday()}` },
  { name: 'A month, conversation', who, path: conversation },
  { name: 'A month, conversation, older', who, path: async stage => `${await conversation(stage)}?page=2` },
];
