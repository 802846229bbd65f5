import { randomUUID } from 'node:crypto';
import { press, type Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const PATH = '/settings/apps';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Tokens in every state, one of them of an assistant, and a feed that is read. */
async function connected({ service, idOf }: Stage): Promise<string> {
  const userId = await idOf(PEOPLE.regular);
  const token = (name: string, scopes: string[], more: object = {}) => ({
    ...{ id: randomUUID(), user_id: userId, name, scopes, token_hash: randomUUID(), created_at: ago(100), ...more },
  });
  const hour = new Date(Date.now() - (Date.now() % HOUR_MS)).toISOString();
  const assistant = token('Claude on the laptop', ['promises', 'assistant'], {
    ...{ last_used_at: ago(0), last_tool: 'list_promises', last_tool_at: ago(0) },
    uses: JSON.stringify([{ hour, reads: 1038, changes: 1, refused: 2 }]),
  });
  await service
    .db('api_tokens')
    .insert([
      assistant,
      token('Weekly report script', ['read'], { expires_at: ago(-60), last_used_at: ago(2) }),
      token('A name as long as a name may be, with Wörter and عربي in it', ['read', 'promises'], { expires_at: ago(1) }),
    ]);
  const consent = {
    user_id: userId,
    grantee_id: assistant.id,
    assistant: assistant.name,
    wording: 'What may it read?\nAll.',
  };
  await service.db('assistant_consents').insert([
    { ...consent, agreed_at: ago(3) },
    { ...consent, agreed_at: ago(9), ended_at: ago(4) },
  ]);
  await service
    .db('calendar_feeds')
    .insert({ user_id: userId, token_hash: randomUUID(), hint: 'k3v9', created_at: ago(9), last_read_at: ago(0) });
  return assistant.id;
}

async function disconnected({ service }: Stage): Promise<void> {
  for (const table of ['api_tokens', 'assistant_consents', 'calendar_feeds']) await service.db(table).del();
}

/** Connected apps: off, on, and each secret at the one time it is shown. */
export const appScenes: Scene[] = [
  { name: 'Connected apps', path: PATH, before: connected, after: disconnected },
  {
    name: 'Connected apps, a new token',
    path: PATH,
    async act(page) {
      await page.getByText('Create a token', { exact: true }).click();
      await page.getByLabel('What is it for?').fill('Claude');
      await page.getByLabel('Connect an AI assistant').check();
      await press(page, 'Create token');
      await page.getByText('New token “Claude”').waitFor();
      await page.getByText('Add it to your assistant').click();
    },
    after: disconnected,
  },
  {
    name: 'What an assistant may read',
    path: async stage => `${PATH}/tokens/${await connected(stage)}/reading`,
    after: disconnected,
  },
];
