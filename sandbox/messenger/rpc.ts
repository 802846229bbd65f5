import { setTimeout as wait } from 'node:timers/promises';
import { Api } from 'telegram/tl/index.js';
import { digitsOf } from './account.ts';
import { authMethods } from './rpc/auth.ts';
import { type Call, type Method, RpcFailure } from './rpc/call.ts';
import { contactMethods } from './rpc/contacts.ts';
import { dialogMethods } from './rpc/dialogs.ts';
import { helpMethods } from './rpc/help.ts';
import { historyMethods } from './rpc/history.ts';
import { loginTokenMethods } from './rpc/loginTokens.ts';
import { passwordMethods } from './rpc/password.ts';
import { userMethods } from './rpc/users.ts';
import type { Sandbox } from './sandbox.ts';
import type { AuthKey } from './state.ts';
import type { TlAnswer, TlObject } from './tl.ts';

const methods = new Map<string, Method>(
  [
    ...[authMethods, loginTokenMethods, passwordMethods, helpMethods, userMethods],
    ...[contactMethods, dialogMethods, historyMethods],
  ].flatMap(family => family.map(method => [method.name, method])),
);

/** Answers one call, with an RPC error if it fails; null when it must stay unanswered. Never throws. */
export async function answerCall(sandbox: Sandbox, key: AuthKey, request: TlObject): Promise<TlAnswer | null> {
  const query = unwrap(sandbox, key, request);
  const name = query.className;
  sandbox.calls.set(name, (sandbox.calls.get(name) ?? 0) + 1);
  const about = [...phonesOf(sandbox, key, query), ...peersOf(query)];
  const fault = sandbox.faults.take({ kind: name, about });
  if (fault.delayMs > 0) await wait(fault.delayMs, undefined, { ref: false });
  if (fault.isSilent) return null;
  if (fault.status !== undefined) return rpcError(fault.status, fault.message ?? 'INTERNAL');
  const answer = run({ sandbox, key }, query);
  return fault.isGarbled ? garbled(answer) : answer;
}

function run(call: Call, query: TlObject): TlAnswer {
  try {
    const method = methods.get(query.className);
    if (!method) throw new RpcFailure(400, 'INPUT_METHOD_INVALID');
    if (call.key.layer === null) throw new RpcFailure(400, 'CONNECTION_NOT_INITED');
    return unlessFlooded(call, method.name, () => method.run(call, query));
  } catch (error) {
    if (error instanceof RpcFailure) return rpcError(error.code, error.message);
    call.sandbox.log?.error({ err: error, method: query.className }, 'A messenger sandbox method failed');
    return rpcError(500, 'INTERNAL');
  }
}

/** Throws FLOOD_WAIT_n for an account that asked for too much. */
function unlessFlooded({ sandbox, key }: Call, name: string, answer: () => TlAnswer): TlAnswer {
  const { meter } = sandbox.faults;
  const account = key.account ?? '';
  const seconds = meter.waitFor(account, name);
  if (seconds > 0) throw new RpcFailure(420, `FLOOD_WAIT_${seconds}`);
  const answered = answer();
  meter.note(account, name, messagesIn(answered));
  return answered;
}

function messagesIn(answer: TlAnswer): number {
  return typeof answer === 'object' && 'messages' in answer && Array.isArray(answer.messages) ? answer.messages.length : 0;
}

function rpcError(errorCode: number, errorMessage: string): TlObject {
  return new Api.RpcError({ errorCode, errorMessage });
}

/** Returns the answer with an unknown object at the beginning of every list. */
function garbled(answer: TlAnswer): TlAnswer {
  const unknown: TlObject = { className: 'unknown', getBytes: () => Buffer.from('unknown!') };
  if (typeof answer === 'boolean') return answer;
  if (Array.isArray(answer)) return [unknown, ...answer];
  for (const [field, value] of Object.entries(answer)) {
    if (Array.isArray(value)) Object.assign(answer, { [field]: [unknown, ...value] });
  }
  return answer;
}

/** Unwraps a call; stores the layer that initConnection declares for the key. */
function unwrap(sandbox: Sandbox, key: AuthKey, request: TlObject): TlObject {
  let layer = key.layer;
  let initialised = false;
  let query = request;
  for (let inner = wrapped(query); inner; inner = wrapped(query)) {
    if (query instanceof Api.InvokeWithLayer) layer = query.layer;
    if (query instanceof Api.InitConnection) initialised = true;
    query = inner;
  }
  if (initialised && layer !== key.layer) {
    key.layer = layer;
    sandbox.state.saveKey(key);
  }
  return query;
}

/** Whether a call declines updates for its session. */
export function asksForSilence(request: TlObject): boolean {
  if (request instanceof Api.InvokeWithoutUpdates) return true;
  const inner = wrapped(request);
  return inner !== null && asksForSilence(inner);
}

function wrapped(request: TlObject): TlObject | null {
  const isWrapping =
    request instanceof Api.InvokeWithLayer ||
    request instanceof Api.InitConnection ||
    request instanceof Api.InvokeWithoutUpdates ||
    request instanceof Api.InvokeAfterMsg ||
    request instanceof Api.InvokeAfterMsgs ||
    request instanceof Api.InvokeWithTakeout ||
    request instanceof Api.InvokeWithMessagesRange;
  return isWrapping ? (request.query as unknown as TlObject) : null;
}

/** Returns the phone that a call names and that of the calling account, in E.164. */
function phonesOf(sandbox: Sandbox, key: AuthKey, query: TlObject): string[] {
  const named = 'phoneNumber' in query ? digitsOf(String(query.phoneNumber)) : undefined;
  const account = sandbox.accounts.get(key.account ?? key.passwordPending ?? '');
  return [named, account?.phone].flatMap(digits => (digits === undefined ? [] : `+${digits}`));
}

/** Returns the conversation that a call is about, if any, as the world names it. */
function peersOf(query: TlObject): string[] {
  const peer = 'peer' in query ? query.peer : undefined;
  if (peer instanceof Api.InputPeerUser) return [`user:${peer.userId}`];
  if (peer instanceof Api.InputPeerChat) return [`chat:${peer.chatId}`];
  return peer instanceof Api.InputPeerChannel ? [`channel:${peer.channelId}`] : [];
}
