import { gunzipSync } from 'node:zlib';
import { Api } from 'telegram/tl/index.js';
import { faultOfMessageId } from './messageIds.ts';
import type { Outbox } from './outbox.ts';
import { answerCall, asksForSilence } from './rpc.ts';
import { currentSalt, isValidSalt, saltsOf } from './salts.ts';
import type { Sandbox } from './sandbox.ts';
import { type InnerMessage, readContainer, type SecureMessage } from './secureMessages.ts';
import type { AuthKey, State } from './state.ts';
import * as tl from './tl.ts';

/** One MTProto session on one connection: salts, ids, containers, acknowledgements, pings, and the calls themselves. */
export type Session = {
  receive(message: SecureMessage): void;
  /** Ends its updates. */
  end(): void;
};

/** Breaks the connection unless called again in time. */
export type CloseAfter = (seconds: number) => void;

const BAD_SALT = 48;
const FUTURE_SALTS = 0xae500895;
const MAX_FUTURE_SALTS = 64;
/** "The message was received", a byte of msgs_state_info. */
const RECEIVED = '\u0004';

export function openSession(
  sandbox: Sandbox,
  key: AuthKey,
  id: bigint,
  { outbox, closeAfter }: { outbox: Outbox; closeAfter: CloseAfter },
): Session {
  const seen = new Set<bigint>();
  let announced = false;
  let unsubscribe: (() => void) | null = null;

  function receive(message: SecureMessage): void {
    const refusal = refusalOf(sandbox.state, key, message);
    if (refusal) {
      outbox.notify(refusal);
      return;
    }
    if (!announced) outbox.notify(newSession(sandbox.state, key, id, message), { contentRelated: true });
    announced = true;
    handle(message);
  }

  function handle(message: InnerMessage): void {
    const constructorId = message.body.readUInt32LE(0);
    if (constructorId === tl.CONTAINER) {
      for (const inner of readContainer(message.body)) handle(inner);
      return;
    }
    if (message.sequence % 2 === 1) outbox.acknowledge(message.messageId);
    if (seen.has(message.messageId)) return;
    seen.add(message.messageId);
    const isPacked = constructorId === tl.GZIP_PACKED;
    react(message.messageId, parse(isPacked ? gunzipSync(tl.readPackedBytes(message.body)) : message.body));
  }

  function react(messageId: bigint, request: tl.TlObject): void {
    if (needsNoAnswer(request)) return;
    const msgId = tl.long(messageId);
    if (request instanceof Api.Ping || request instanceof Api.PingDelayDisconnect) {
      if (request instanceof Api.PingDelayDisconnect) closeAfter(request.disconnectDelay);
      outbox.reply(new Api.Pong({ msgId, pingId: request.pingId }).getBytes());
    } else if (request instanceof Api.MsgsStateReq || request instanceof Api.MsgResendReq) {
      const info = RECEIVED.repeat(request.msgIds.length);
      outbox.reply(new Api.MsgsStateInfo({ reqMsgId: msgId, info }).getBytes());
    } else if (request instanceof Api.GetFutureSalts) {
      outbox.reply(futureSalts(sandbox.state, key, messageId, request.num));
    } else if (request instanceof Api.DestroySession) {
      outbox.reply(new Api.DestroySessionNone({ sessionId: request.sessionId }).getBytes());
    } else if (request instanceof Api.RpcDropAnswer) {
      outbox.result(messageId, new Api.RpcAnswerUnknown());
    } else {
      void call(messageId, request);
    }
  }

  async function call(messageId: bigint, request: tl.TlObject): Promise<void> {
    const answer = await answerCall(sandbox, key, request);
    if (answer !== null) outbox.result(messageId, answer);
    if ((key.account !== null || key.loginToken !== null) && !asksForSilence(request)) {
      unsubscribe ??= sandbox.updates.subscribe(key, update => outbox.notify(update, { contentRelated: true }));
    }
  }

  return { receive, end: () => unsubscribe?.() };
}

/** The error for a message with a wrong salt or id, null when both are right. */
function refusalOf(state: State, key: AuthKey, message: SecureMessage): tl.TlObject | null {
  const about = { badMsgId: tl.long(message.messageId), badMsgSeqno: message.sequence };
  if (!isValidSalt(state, key.id, message.salt)) {
    const newServerSalt = tl.long(currentSalt(state, key.id));
    return new Api.BadServerSalt({ ...about, errorCode: BAD_SALT, newServerSalt });
  }
  const errorCode = faultOfMessageId(message.messageId);
  return errorCode === null ? null : new Api.BadMsgNotification({ ...about, errorCode });
}

function newSession(state: State, key: AuthKey, id: bigint, first: SecureMessage): tl.TlObject {
  return new Api.NewSessionCreated({
    firstMsgId: tl.long(first.messageId),
    uniqueId: tl.long(state.derive(`session:${key.id}:${id}`)),
    serverSalt: tl.long(currentSalt(state, key.id)),
  });
}

function needsNoAnswer(request: tl.TlObject): boolean {
  return (
    request instanceof Api.MsgsAck ||
    request instanceof Api.HttpWait ||
    request instanceof Api.MsgsStateInfo ||
    request instanceof Api.MsgsAllInfo
  );
}

/** Written by hand: the vector holds its elements without their constructor ids. */
function futureSalts(state: State, key: AuthKey, requestId: bigint, asked: number): Buffer {
  const salts = saltsOf(state, key.id, Math.min(Math.max(asked, 1), MAX_FUTURE_SALTS));
  const each = salts.map(salt =>
    Buffer.concat([tl.uint32(salt.validSince), tl.uint32(salt.validUntil), tl.int64(salt.value)]),
  );
  const now = tl.uint32(Math.floor(Date.now() / 1000));
  return Buffer.concat([tl.uint32(FUTURE_SALTS), tl.int64(requestId), now, tl.uint32(each.length), ...each]);
}

/** An unreadable call becomes a call to a method that does not exist, and is answered as such. */
function parse(body: Buffer): tl.TlObject {
  try {
    return tl.readObject(body);
  } catch {
    return { className: 'unreadable', getBytes: () => body };
  }
}
