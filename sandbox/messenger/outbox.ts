import { Api } from 'telegram/tl/index.js';
import { bytesInLayer } from './layers.ts';
import { nextMessageId } from './messageIds.ts';
import { currentSalt } from './salts.ts';
import type { Sandbox } from './sandbox.ts';
import { messageBytes, sealForClient } from './secureMessages.ts';
import type { AuthKey } from './state.ts';
import * as tl from './tl.ts';

/** The messages to a session. They are collected briefly, so that those of one turn are sent in one container. */
export type Outbox = {
  /** An answer to one of the client's messages; its id says so. */
  reply(body: Buffer): void;
  /** The result of a call, which the client must acknowledge. */
  result(requestId: bigint, answer: tl.TlAnswer): void;
  /** Sends something the client did not request. */
  notify(object: tl.TlObject, options?: { contentRelated: boolean }): void;
  /** Acknowledges a message of the client. */
  acknowledge(messageId: bigint): void;
};

export function createOutbox(sandbox: Sandbox, key: AuthKey, sessionId: bigint, send: (packet: Buffer) => void): Outbox {
  const secret = Buffer.from(key.secret, 'base64');
  let waiting: Buffer[] = [];
  let toAcknowledge: bigint[] = [];
  let contentSent = 0;
  let isScheduled = false;

  function schedule(): void {
    if (!isScheduled) setImmediate(flush);
    isScheduled = true;
  }

  function post(body: Buffer, kind: 'answer' | 'notice', contentRelated: boolean): void {
    const sequence = contentSent * 2 + (contentRelated ? 1 : 0);
    waiting.push(messageBytes(nextMessageId(kind), sequence, body));
    if (contentRelated) contentSent += 1;
    schedule();
  }

  function flush(): void {
    if (toAcknowledge.length > 0) post(new Api.MsgsAck({ msgIds: toAcknowledge.map(tl.long) }).getBytes(), 'notice', false);
    const [first, ...others] = waiting;
    const whole =
      others.length === 0 ? first : messageBytes(nextMessageId('notice'), contentSent * 2, tl.container(waiting));
    [waiting, toAcknowledge, isScheduled] = [[], [], false];
    if (whole) send(sealForClient(secret, currentSalt(sandbox.state, key.id), sessionId, whole));
  }

  return {
    reply: body => post(body, 'answer', false),
    result: (requestId, answer) => post(tl.rpcResult(requestId, answer, key.layer), 'answer', true),
    notify: (object, { contentRelated } = { contentRelated: false }) =>
      post(bytesInLayer(object, key.layer), 'notice', contentRelated),
    acknowledge(messageId) {
      toAcknowledge.push(messageId);
      schedule();
    },
  };
}
