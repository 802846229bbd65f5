import type { Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const who = PEOPLE.settled;
const conversation = async ({ service, idOf }: Stage) => {
  const of = { user_id: await idOf(who), peer_name: 'Agnieszka Wójcik' };
  return `/conversations/${(await service.db('dialogs').where(of).first('id')).id}`;
};

/** What only time brings: days behind the present one, and what was left open on them. */
export const monthScenes: Scene[] = [
  { name: 'Today, of a month', who, path: '/today' },
  { name: 'Conversation, of a month', who, path: conversation },
];
