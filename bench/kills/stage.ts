import { join } from 'node:path';
import type { SeedContact } from '../../sandbox/crm/seed.ts';
import { type CrmSandbox, startCrmSandbox } from '../../sandbox/crm/server.ts';
import type { MessengerSandbox } from '../../sandbox/messenger/server.ts';
import type { World } from '../../sandbox/messenger/world.ts';
import { createHubspotClient } from '../../src/clients/crm/hubspot.ts';
import { upsertConfig } from '../../src/features/base/settings/repo.ts';
import { sealTokens } from '../../src/features/crm/getFreshAccessToken.ts';
import { activateConnection, setSwitches } from '../../src/features/crm/repo.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createCipher } from '../../src/lib/crypto.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import type { Chat } from '../match/world.ts';
import type { Ground } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';

const APP = { clientId: 'bench', clientSecret: 'bench' };
const REDIRECT = 'http://127.0.0.1:3000/api/crm/callback';

export type Stage = {
  ground: Ground;
  crm: CrmSandbox;
  userIds: string[];
  queue: Queue;
  /** Queues a sync of each user. */
  startSyncs(): Promise<void>;
  /** Adds that many new messages to every conversation, from both sides. */
  write(messagesEach: number): void;
  stop(): Promise<void>;
};

/**
 * Users with a conversation for each of their chats, connected to a CRM with these contacts, who let all matches write,
 * have those created that the CRM lacks, and keep promises as tasks. The CRM keeps to the vendor's limits.
 */
export async function setStage(
  ground: Ground,
  { chats, contacts, messagesEach }: { chats: Chat[][]; contacts: SeedContact[]; messagesEach: number },
): Promise<Stage> {
  const worlds = chats.map((own, n) => worldOf(n, own, messagesEach));
  const messenger = await startMessenger(ground, worlds, 10);
  const crm = await startCrmSandbox({ port: 0, stateDir: join(ground.folder, 'crm'), ...APP, contacts });
  Object.assign(ground.env, {
    ...{ CRM_CLIENT_ID: APP.clientId, CRM_CLIENT_SECRET: APP.clientSecret },
    ...{ CRM_API_URL: crm.url, CRM_APP_URL: crm.url },
  });
  const userIds = (await connectAll(ground, messenger)).map(({ userId }) => userId);
  for (const userId of userIds) {
    await connectCrm(ground, crm, userId);
    await upsertConfig(ground.db, userId, { autoCreateContacts: true }, new Date());
  }
  const log = createLog({ level: 'fatal', name: 'bench' });
  const queue = createQueue({ url: ground.url, works: false, pool: 2, log });
  await queue.start();
  await prepareQueues(queue);
  return {
    ...{ ground, crm, userIds, queue },
    async startSyncs() {
      for (const userId of userIds) await triggerSync({ db: ground.db, queue, clock: systemClock }, { userId });
    },
    write(each) {
      for (const world of worlds) writeAll(messenger, world, each);
    },
    async stop() {
      await queue.stop({ graceful: false });
      await messenger.stop();
      await crm.stop();
    },
  };
}

/** The messenger's side of the chats, each with messages from both sides. */
function worldOf(index: number, chats: Chat[], messagesEach: number): World {
  const world = accountOf(index, chats.length, messagesEach);
  const users = world.users.map((user, at) => {
    const chat = chats[at];
    return { ...user, firstName: chat?.name ?? '', username: chat?.username || null, phone: chat?.phone || null };
  });
  return { ...world, users };
}

function writeAll(messenger: MessengerSandbox, { key, dialogs, owner }: World, each: number): void {
  for (const dialog of dialogs) {
    const peer = Number(dialog.key.split(':')[1]);
    const messages = Array.from({ length: each }, (_, n) => ({
      from: n % 2 ? owner.id : peer,
      text: `Could you confirm number ${n} by tomorrow? The contract is ready.`,
    }));
    messenger.addMessages(key, dialog.key, messages);
  }
}

/** Allows access at the CRM and stores the tokens, as the callback does. */
async function connectCrm(ground: Ground, crm: CrmSandbox, userId: string): Promise<void> {
  const client = createHubspotClient({ ...APP, apiUrl: crm.url, appUrl: crm.url, report: () => {} });
  const asked = new URL(client.authorizationUrl({ redirectUri: REDIRECT, state: 'bench' }));
  const form = new URLSearchParams(asked.searchParams);
  form.set('account', crm.portals()[0]?.id ?? '');
  form.set('decision', 'allow');
  const answer = await fetch(asked, { method: 'POST', body: form, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { account, ...tokens } = await client.exchangeCode({ code, redirectUri: REDIRECT });
  const cipher = createCipher([Buffer.from(ground.env.ENCRYPTION_KEY ?? '', 'base64')]);
  await setSwitches(ground.db, userId, { sureMatchesWrite: true, nameMatchesWrite: true, tasksWrite: true });
  const sealed = sealTokens({ cipher, clock: systemClock }, userId, tokens);
  await activateConnection(ground.db, userId, { account, ...sealed, now: new Date() });
}
