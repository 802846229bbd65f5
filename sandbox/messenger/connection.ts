import type { Socket } from 'node:net';
import { startKeyExchange } from './keyExchange.ts';
import { nextMessageId } from './messageIds.ts';
import { createOutbox } from './outbox.ts';
import { KEY_DUPLICATED, type Sandbox, signOut } from './sandbox.ts';
import { openFromClient } from './secureMessages.ts';
import { openSession, type Session } from './session.ts';
import type { AuthKey } from './state.ts';
import { int64, readObject, uint32 } from './tl.ts';
import { createTransport } from './transport.ts';

/** "Auth key not found", the transport's way of saying that the key is unknown. */
const KEY_NOT_FOUND = -404;
const PLAIN_HEADER_BYTES = 20;
/** Node's timers overflow beyond this; some clients ask for longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Serves one TCP connection until either side ends it. */
export function serveConnection(sandbox: Sandbox, socket: Socket, dataCentre: number): void {
  const transport = createTransport();
  const exchange = startKeyExchange(sandbox.serverKey, secret => void sandbox.state.addKey(secret, dataCentre));
  const sessions = new Map<string, Session>();
  let closing: NodeJS.Timeout | undefined;

  const send = (packet: Buffer) => {
    if (socket.writable && !sandbox.faults.silent()) socket.write(transport.wrap(packet));
  };
  const closeAfter = (seconds: number) => {
    clearTimeout(closing);
    closing = setTimeout(() => socket.destroy(), Math.min(seconds * 1000, MAX_TIMER_MS)).unref();
  };

  function receive(packet: Buffer): void {
    const keyId = packet.subarray(0, 8);
    if (keyId.every(byte => byte === 0)) {
      answerPlain(packet);
      return;
    }
    const key = sandbox.state.keys.get(keyId.toString('hex'));
    if (key?.dc !== dataCentre || sandbox.faults.keysRefused()) {
      refuse();
      return;
    }
    const message = openFromClient(Buffer.from(key.secret, 'base64'), packet);
    const isShared = sandbox.keyUse.note(key.id, socket);
    if (isShared && key.account !== null && sandbox.faults.sharedKeysEnd()) signOut(sandbox, key, KEY_DUPLICATED);
    sessionFor(key, message.sessionId).receive(message);
  }

  function answerPlain(packet: Buffer): void {
    const length = packet.readUInt32LE(16);
    const answer = exchange.answer(readObject(packet.subarray(PLAIN_HEADER_BYTES, PLAIN_HEADER_BYTES + length)));
    const body = answer.getBytes();
    send(Buffer.concat([int64(0n), int64(nextMessageId('answer')), uint32(body.length), body]));
  }

  function refuse(): void {
    const error = Buffer.alloc(4);
    error.writeInt32LE(KEY_NOT_FOUND);
    send(error);
    socket.end();
  }

  function sessionFor(key: AuthKey, id: bigint): Session {
    const name = `${key.id}:${id}`;
    const open = sessions.get(name);
    if (open) return open;
    const session = openSession(sandbox, key, id, { outbox: createOutbox(sandbox, key, id, send), closeAfter });
    sessions.set(name, session);
    return session;
  }

  socket.on('data', chunk => {
    if (sandbox.faults.silent()) return;
    try {
      for (const packet of transport.receive(chunk)) receive(packet);
    } catch (error) {
      sandbox.log?.debug({ err: error }, 'A messenger connection broke the protocol');
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(closing);
    for (const session of sessions.values()) session.end();
  });
}
