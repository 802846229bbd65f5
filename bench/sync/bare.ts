import pMap from 'p-map';
import { Api, Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { StringSession } from 'telegram/sessions/index.js';
import { trustServerKey } from '../../src/clients/messenger/telegram.ts';

/*
 * Reads every conversation of an account with the same library, pool and server, and does nothing with it.
 * Prints the milliseconds from before the connection to after the last answer.
 */

const { MESSENGER_SERVER = '', MESSENGER_SERVER_KEY = '', SESSION = '', POOL = '8' } = process.env;
const [host = '', port = ''] = MESSENGER_SERVER.split(':');
trustServerKey(Buffer.from(MESSENGER_SERVER_KEY, 'base64').toString('utf8'));
const session = new StringSession(SESSION);
session.setDC(session.dcId, host, Number(port));
const client = new TelegramClient(session, 1, 'bench', { baseLogger: new Logger(LogLevel.NONE), connectionRetries: 2 });

const started = performance.now();
await client.connect();
const peers = await listPeers();
await pMap(peers, peer => client.invoke(new Api.messages.GetHistory({ peer, limit: 50 })), { concurrency: Number(POOL) });
process.stdout.write(`${Math.round(performance.now() - started)}\n`);
process.exit(0);

async function listPeers(): Promise<Api.InputPeerUser[]> {
  const found: Api.InputPeerUser[] = [];
  let offset: { offsetDate: number; offsetId: number; offsetPeer: Api.TypeInputPeer } = {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: new Api.InputPeerEmpty(),
  };
  for (;;) {
    const page = await client.invoke(new Api.messages.GetDialogs({ ...offset, limit: 100 }));
    if (!('users' in page)) return found;
    const users = new Map(page.users.map(user => [String(user.id), user]));
    const peers = page.dialogs.flatMap(dialog => {
      const peer = 'peer' in dialog ? dialog.peer : undefined;
      const user = peer instanceof Api.PeerUser ? users.get(String(peer.userId)) : undefined;
      if (!(user instanceof Api.User) || !user.accessHash || String(user.id) === '777000') return [];
      return [new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash })];
    });
    found.push(...peers);
    const last = page.messages.at(-1);
    const lastPeer = peers.at(-1);
    if (page.dialogs.length < 100 || !(last instanceof Api.Message) || !lastPeer) return found;
    offset = { offsetDate: last.date, offsetId: last.id, offsetPeer: lastPeer };
  }
}
