import type { Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const AI = { AI_API_KEY: 'key', AI_MODEL: 'a-model' };
const HOST = 'api.openai.com';

/** An address on a server whose operator configured a model. */
const withModel = (path: string) => async (stage: Stage) => `${await stage.webWith(AI)}${path}`;

/** No one was asked yet, as after an upgrade. */
const unasked = async (stage: Stage) => {
  await stage.service
    .db('writer_choices')
    .where({ user_id: await stage.idOf(PEOPLE.regular) })
    .del();
};

async function chosen(stage: Stage) {
  await unasked(stage);
  const userId = await stage.idOf(PEOPLE.regular);
  const { id } = await stage.service.db('messenger_accounts').where({ user_id: userId }).first('id');
  const row = { user_id: userId, account_id: id, wording: 'Who writes your digests?\nAn AI model.' };
  const consent = { ...row, writer: 'model', model: 'a-model', host: HOST, terms: 2, chosen_at: new Date() };
  const past = { writer: 'built-in', chosen_at: new Date(0), ended_at: new Date(), end_reason: 'replaced' };
  await stage.service.db('writer_choices').insert([consent]);
  await stage.service.db('writer_choices').insert([{ ...row, ...past }]);
}

async function ofAccount(stage: Stage): Promise<string> {
  const userId = await stage.idOf(PEOPLE.regular);
  const { id } = await stage.service.db('messenger_accounts').where({ user_id: userId }).first('id');
  return withModel(`/settings/connections/${id}/writer`)(stage);
}

/** Who writes the digests: asked, answered, and taken back. */
export const consentScenes: Scene[] = [
  { name: 'Connect, with an AI service', who: PEOPLE.newcomer, path: withModel('/connect') },
  { name: 'Settings, with an AI service', path: withModel('/settings'), before: chosen },
  { name: 'Who writes, an account', path: ofAccount, before: chosen },
];
