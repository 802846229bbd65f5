import type { Account } from '../account.ts';
import { homeOf, KEY_DUPLICATED, type Sandbox } from '../sandbox.ts';
import type { AuthKey } from '../state.ts';
import type { TlAnswer, TlObject } from '../tl.ts';

export type Call = { sandbox: Sandbox; key: AuthKey };
export type SignedInCall = Call & { account: Account };

export type Method = { name: string; run(call: Call, request: TlObject): TlAnswer };

/** An RPC error: a code like those of HTTP and a name in capitals. */
export class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type RequestType<R> = (new (args: never) => R) & { className: string };

/** A method anyone with an auth key may call. */
export function openMethod<R extends TlObject>(type: RequestType<R>, run: (call: Call, request: R) => TlAnswer): Method {
  return {
    name: type.className,
    run(call, request) {
      if (!(request instanceof type)) throw new RpcFailure(400, 'INPUT_METHOD_INVALID');
      return run(call, request);
    },
  };
}

/** A method for those who are signed in. */
export function method<R extends TlObject>(type: RequestType<R>, run: (call: SignedInCall, request: R) => TlAnswer): Method {
  return openMethod(type, (call, request) => run({ ...call, account: signedInAccount(call) }, request));
}

/** Why a key that is not signed in is refused. */
export function signedOut({ refusal }: AuthKey): RpcFailure {
  return new RpcFailure(refusal === KEY_DUPLICATED ? 406 : 401, refusal ?? 'AUTH_KEY_UNREGISTERED');
}

function signedInAccount({ sandbox, key }: Call): Account {
  if (key.passwordPending !== null) throw new RpcFailure(401, 'SESSION_PASSWORD_NEEDED');
  const account = key.account === null ? undefined : sandbox.accounts.get(key.account);
  if (!account) throw signedOut(key);
  const home = homeOf(sandbox, account);
  if (home !== key.dc) throw new RpcFailure(303, `USER_MIGRATE_${home}`);
  if (sandbox.faults.deactivated.has(account.phone)) throw new RpcFailure(401, 'USER_DEACTIVATED');
  return account;
}
