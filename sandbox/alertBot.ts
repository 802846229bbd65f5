import { join } from 'node:path';
import { type AlertBotSandbox, startAlertBotSandbox } from './alertBot/server.ts';

/** The operator's chat for a machine without a bot. */
export type OpenAlertBot = {
  sandbox: AlertBotSandbox;
  /** The environment that leads the alert bot to it. */
  variables: Record<string, string>;
};

const TOKEN = '1:forenoon-sandbox';
const CHAT_ID = '1';

/** Only the service calls it, so any free port will do. */
export async function openAlertBot(dataDir: string): Promise<OpenAlertBot> {
  const stateDir = join(dataDir, 'sandbox', 'alertBot');
  const sandbox = await startAlertBotSandbox({ token: TOKEN, chatId: CHAT_ID, stateDir });
  const variables = {
    ADMIN_MESSENGER_BOT_TOKEN: TOKEN,
    ADMIN_MESSENGER_CHAT_ID: CHAT_ID,
    ADMIN_MESSENGER_API_URL: sandbox.url,
  };
  return { sandbox, variables };
}
