import { join } from 'node:path';
import getPort, { portNumbers } from 'get-port';
import { type MessengerSandbox, startMessengerSandbox } from '../../sandbox/messenger/server.ts';
import type { World, WorldMessage } from '../../sandbox/messenger/world.ts';
import { createTelegramClient } from '../../src/clients/messenger/telegram.ts';
import { OPERATOR_DECIDES } from '../../src/features/messenger/consent/rules.ts';
import { storeChoiceOfAccount } from '../../src/features/messenger/consent/service.ts';
import { createCipher } from '../../src/lib/crypto.ts';
import type { Db } from '../../src/lib/db.ts';
import type { Ground } from './ground.ts';

export type Person = { userId: string; worldKey: string; phone: string };

/** Private chats of one account, each with as many messages, all of today. */
export function accountOf(index: number, conversations: number, messages: number): World {
  const owner = 1_000_000 + index;
  const ids = Array.from({ length: conversations }, (_, n) => 2_000_000 + index * 1000 + n);
  const nobody = { lastName: '', username: null, phone: null, isContact: false, isBot: false, isDeleted: false };
  let nextId = 1;
  return {
    key: `account-${index}`,
    owner: { id: owner, firstName: `Owner ${index}`, ...nobody, phone: `+1202555${String(1000 + index)}` },
    password: null,
    users: ids.map(id => ({ id, firstName: `Person ${id}`, ...nobody })),
    chats: [],
    dialogs: ids.map(id => ({
      key: `user:${id}`,
      pinned: false,
      archived: false,
      unreadCount: 0,
      messages: Array.from({ length: messages }, (_, n) => message(nextId++, n % 2 ? owner : id)),
    })),
    nextDays: [],
  };
}

const LINES = [
  'Could you send me the revised offer by Friday? Our board meets on Monday and I would like to have it then.',
  'I will send it tomorrow. The price stays at 18,400 a year for 24 months.',
  'Great, thank you. The pilot in Leeds went well, the team there is happy with the sensors.',
  'Please also check whether the second site fits into the same contract.',
];

function message(id: number, from: number): WorldMessage {
  const plain = { media: null, fileName: null, forwardedFrom: null, replyTo: null, service: null };
  return { id, date: Math.floor(Date.now() / 1000) - 3600 + id, from, text: LINES[id % LINES.length] ?? '', ...plain };
}

export async function startMessenger(ground: Ground, worlds: World[], delayMs = 0): Promise<MessengerSandbox> {
  const port = await getPort({ host: '127.0.0.1', port: portNumbers(26_000, 32_000) });
  const sandbox = await startMessengerSandbox({ port, stateDir: join(ground.folder, 'messenger'), worlds, delayMs });
  Object.assign(ground.env, {
    MESSENGER_SERVER: `${sandbox.host}:${sandbox.port}`,
    MESSENGER_SERVER_KEY: Buffer.from(sandbox.publicKeyPem).toString('base64'),
  });
  return sandbox;
}

/** Signs the owner of each world in at the messenger and keeps the account as the service does for its API. */
export async function connectAll(ground: Ground, sandbox: MessengerSandbox): Promise<Person[]> {
  const client = createTelegramClient({ apiId: 1, apiHash: 'bench', server: sandbox, report: () => {} });
  const cipher = createCipher([Buffer.from(ground.env.ENCRYPTION_KEY ?? '', 'base64')]);
  const people: Person[] = [];
  for (const { phone, worldKey } of sandbox.accounts()) {
    const { session, codeHash } = await client.sendCode(phone);
    const code = sandbox.accounts().find(account => account.phone === phone)?.codes[0]?.code ?? '';
    const signedIn = await client.signIn({ session, phone, codeHash, code });
    people.push({
      userId: await insertAccount(ground.db, worldKey, phone, id =>
        cipher.encrypt(signedIn.session, `messenger account ${id}`),
      ),
      worldKey,
      phone,
    });
  }
  return people;
}

async function insertAccount(db: Db, worldKey: string, phone: string, seal: (id: string) => string): Promise<string> {
  const [user] = await db('users')
    .insert({ email: `${worldKey}@example.com` })
    .returning('id');
  const account = { user_id: user.id, messenger_user_id: worldKey, phone, status: 'inactive', connected_at: new Date() };
  const [{ id }] = await db('messenger_accounts').insert(account).returning('id');
  await db('messenger_accounts')
    .where({ id })
    .update({ status: 'active', credentials: seal(id) });
  const signIn = { choice: OPERATOR_DECIDES, isNew: true, now: new Date() };
  await db.transaction(trx => storeChoiceOfAccount(trx, { userId: user.id, accountId: id }, signIn));
  return user.id;
}
