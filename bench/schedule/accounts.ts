import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { StringSession } from 'telegram/sessions/index.js';
import { HOME_DC } from '../../sandbox/messenger/dataCentres.ts';
import { openState } from '../../sandbox/messenger/state.ts';
import type { World } from '../../sandbox/messenger/world.ts';
import { credentialsContext } from '../../src/features/messenger/withAccount.ts';
import { createCipher } from '../../src/lib/crypto.ts';
import type { Db } from '../../src/lib/db.ts';
import type { Ground } from '../support/ground.ts';

const KEY_BYTES = 256;
const ROWS_AT_ONCE = 500;

/** The key of each world's owner, as if the sandbox had agreed on it at a sign-in: two thousand of those take minutes. */
export function keysOf(ground: Ground, worlds: World[]): Map<string, Buffer> {
  const state = openState(join(ground.folder, 'messenger'));
  return new Map(
    worlds.map(({ key: worldKey }) => {
      const secret = randomBytes(KEY_BYTES);
      const authKey = state.addKey(secret, HOME_DC);
      state.saveKey({ ...authKey, account: worldKey });
      return [worldKey, secret];
    }),
  );
}

async function sessionOf(secret: Buffer): Promise<string> {
  const session = new StringSession('');
  session.setDC(HOME_DC, '127.0.0.1', 443);
  const key = new AuthKey();
  await key.setKey(secret);
  session.setAuthKey(key, HOME_DC);
  return session.save();
}

/**
 * The users of these worlds, whose conversations were all read before; in the first one there is something new.
 * Returns their ids.
 */
export async function addAccounts(ground: Ground, worlds: World[], keys: Map<string, Buffer>): Promise<string[]> {
  const cipher = createCipher([Buffer.from(ground.env.ENCRYPTION_KEY ?? '', 'base64')]);
  const people = [];
  for (const world of worlds) {
    const secret = keys.get(world.key);
    if (!secret) throw new Error(`no key for ${world.key}`);
    const [userId, accountId] = [randomUUID(), randomUUID()];
    const credentials = cipher.encrypt(await sessionOf(secret), credentialsContext(accountId));
    people.push({ world, userId, accountId, credentials });
  }
  const insert = (table: string, rows: object[]) => ground.db.batchInsert(table, rows, ROWS_AT_ONCE);
  await insert(
    'users',
    people.map(({ world, userId }) => ({ id: userId, email: `${world.key}@example.com` })),
  );
  await insert(
    'messenger_accounts',
    people.map(({ world, userId, accountId, credentials }) => ({
      ...{ id: accountId, user_id: userId, messenger_user_id: world.key, phone: world.owner.phone },
      ...{ status: 'active', credentials, connected_at: new Date() },
    })),
  );
  await insert(
    'dialogs',
    people.flatMap(({ world, userId, accountId }) => dialogsOf(world, userId, accountId)),
  );
  await addConfigs(ground.db);
  return people.map(({ userId }) => userId);
}

function dialogsOf(world: World, userId: string, accountId: string): object[] {
  return world.dialogs.map(({ key, messages }, n) => {
    const peerId = key.replace('user:', '');
    const [first, last] = [messages.at(0)?.id ?? 0, messages.at(-1)?.id ?? 0];
    return {
      ...{ user_id: userId, account_id: accountId, peer_id: peerId, peer_type: 'user', peer_kind: 'user' },
      ...{ peer_key: peerId, peer_name: `Person ${peerId}`, top_message_id: last },
      cursor_message_id: n === 0 ? first - 1 : last,
    };
  });
}

async function addConfigs(db: Db): Promise<void> {
  await db.raw(`
    insert into sync_configs
      (user_id, sync_time, timezone, include_groups, min_messages, summary_style, auto_create_contacts)
    select id, '18:00', 'UTC', false, 1, 'BUSINESS', false from users`);
}
