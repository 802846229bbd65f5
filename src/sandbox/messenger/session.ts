import { gunzipSync } from 'node:zlib';
import { Api } from 'telegram/tl/index.js';
import { faultOfMessageId, nextMessageId } from './messageIds.ts';
import { answerCall } from './rpc.ts';
import { currentSalt, isValidSalt, saltsOf } from './salts.ts';
import type { Sandbox } from './sandbox.ts';
import { type InnerMessage, messageBytes, readContainer, type SecureMessage, sealForClient } from './secureMessages.ts';
import type { AuthKey } from './state.ts';
import * as tl from './tl.ts';

/** One MTProto session on one connection: salts, ids, containers, acknowledgements, pings, and the calls themselves. */
export type Session = { receive(message: SecureMessage): void };

export type SessionLink = {
  send(packet: Buffer): void;
  /** Breaks the connection unless called again in time. */
  closeAfter(seconds: number): void;
};

type Outgoing = { id: bigint; sequence: number; body: Buffer };

const BAD_SALT = 48;
const FUTURE_SALTS = 0xae500895;
/** "The message was received", a byte of msgs_state_info. */
const RECEIVED = '\u0004';

export function openSession(sandbox: Sandbox, key: AuthKey, id: bigint, link: SessionLink): Session {
  const secret = Buffer.from(key.secret, 'base64');
  const seen = new Set<bigint>();
  let toAcknowledge: bigint[] = [];
  let outbox: Outgoing[] = [];
  let contentSent = 0;
  let announced = false;

  /** Queued, so that what belongs together leaves in one container. */
  function post(body: Buffer, kind: 'answer' | 'notice', contentRelated: boolean): void {
    if (outbox.length === 0) setImmediate(flush);
    outbox.push({ id: nextMessageId(kind), sequence: contentSent * 2 + (contentRelated ? 1 : 0), body });
    if (contentRelated) contentSent += 1;
  }

  const notify = (object: tl.TlObject, contentRelated = false) => post(object.getBytes(), 'notice', contentRelated);
  const reply = (body: Buffer) => post(body, 'answer', false);

  function flush(): void {
    if (toAcknowledge.length > 0) notify(new Api.MsgsAck({ msgIds: toAcknowledge.map(tl.long) }));
    toAcknowledge = [];
    const messages = outbox.map(message => messageBytes(message.id, message.sequence, message.body));
    outbox = [];
    const [first] = messages;
    if (!first) return;
    const whole =
      messages.length === 1 ? first : messageBytes(nextMessageId('notice'), contentSent * 2, tl.container(messages));
    link.send(sealForClient(secret, currentSalt(sandbox.state, key.id), id, whole));
  }

  function receive(message: SecureMessage): void {
    const refusal = refusalOf(message);
    if (refusal) {
      notify(refusal);
      return;
    }
    announce(message.messageId);
    handle(message);
  }

  function refusalOf(message: SecureMessage): tl.TlObject | null {
    const about = { badMsgId: tl.long(message.messageId), badMsgSeqno: message.sequence };
    const salt = currentSalt(sandbox.state, key.id);
    if (!isValidSalt(sandbox.state, key.id, message.salt)) {
      return new Api.BadServerSalt({ ...about, errorCode: BAD_SALT, newServerSalt: tl.long(salt) });
    }
    const errorCode = faultOfMessageId(message.messageId);
    return errorCode === null ? null : new Api.BadMsgNotification({ ...about, errorCode });
  }

  function announce(firstMessageId: bigint): void {
    if (announced) return;
    announced = true;
    const serverSalt = tl.long(currentSalt(sandbox.state, key.id));
    const uniqueId = tl.long(sandbox.state.derive(`session:${key.id}:${id}`));
    notify(new Api.NewSessionCreated({ firstMsgId: tl.long(firstMessageId), uniqueId, serverSalt }), true);
  }

  function handle(message: InnerMessage): void {
    const constructorId = message.body.readUInt32LE(0);
    if (constructorId === tl.CONTAINER) {
      for (const inner of readContainer(message.body)) handle(inner);
      return;
    }
    if (message.sequence % 2 === 1) acknowledge(message.messageId);
    if (seen.has(message.messageId)) return;
    seen.add(message.messageId);
    const packed = constructorId === tl.GZIP_PACKED;
    const body = packed ? gunzipSync(tl.readPackedBytes(message.body)) : message.body;
    react(message.messageId, parse(body));
  }

  function acknowledge(messageId: bigint): void {
    toAcknowledge.push(messageId);
    if (outbox.length === 0) setImmediate(flush);
  }

  function react(messageId: bigint, request: tl.TlObject): void {
    if (request instanceof Api.MsgsAck || request instanceof Api.HttpWait || request instanceof Api.MsgsStateInfo)
      return;
    const msgId = tl.long(messageId);
    if (request instanceof Api.Ping || request instanceof Api.PingDelayDisconnect) {
      if (request instanceof Api.PingDelayDisconnect) link.closeAfter(request.disconnectDelay);
      reply(new Api.Pong({ msgId, pingId: request.pingId }).getBytes());
    } else if (request instanceof Api.MsgsStateReq || request instanceof Api.MsgResendReq) {
      reply(new Api.MsgsStateInfo({ reqMsgId: msgId, info: RECEIVED.repeat(request.msgIds.length) }).getBytes());
    } else if (request instanceof Api.GetFutureSalts) {
      reply(futureSalts(messageId, request.num));
    } else if (request instanceof Api.DestroySession) {
      reply(new Api.DestroySessionNone({ sessionId: request.sessionId }).getBytes());
    } else if (request instanceof Api.RpcDropAnswer) {
      post(tl.rpcResult(messageId, new Api.RpcAnswerUnknown()), 'answer', true);
    } else {
      void call(messageId, request);
    }
  }

  async function call(messageId: bigint, request: tl.TlObject): Promise<void> {
    const answer = await answerCall(sandbox, key, request);
    if (answer !== null) post(tl.rpcResult(messageId, answer), 'answer', true);
  }

  function futureSalts(messageId: bigint, count: number): Buffer {
    const salts = saltsOf(sandbox.state, key.id, Math.min(Math.max(count, 1), 64));
    const each = salts.map(salt =>
      Buffer.concat([tl.uint32(salt.validSince), tl.uint32(salt.validUntil), tl.int64(salt.value)]),
    );
    const now = tl.uint32(Math.floor(Date.now() / 1000));
    return Buffer.concat([tl.uint32(FUTURE_SALTS), tl.int64(messageId), now, tl.uint32(each.length), ...each]);
  }

  return { receive };
}

/** What cannot be read becomes a call to a method that does not exist, and is answered as such. */
function parse(body: Buffer): tl.TlObject {
  try {
    return tl.readObject(body);
  } catch {
    return { className: 'unreadable', getBytes: () => body };
  }
}
