import { randomBytes } from 'node:crypto';
import { Api } from 'telegram/tl/index.js';
import type { Account } from '../account.ts';
import { DH_GENERATOR, DH_PRIME } from '../diffieHellman.ts';
import type { Sandbox } from '../sandbox.ts';
import { checkProof, makeChallenge, makeVerifier, type SrpChallenge, type SrpVerifier } from '../srp.ts';
import type { AuthKey } from '../state.ts';
import { fromLong, long } from '../tl.ts';
import { authorize } from './auth.ts';
import { type Call, openMethod, RpcFailure, signedOut } from './call.ts';

type Pending = SrpChallenge & { id: bigint };

/** Each challenge costs 100,000 rounds. It works once, with the auth key it was created for. */
const verifiers = new WeakMap<Account, SrpVerifier>();
const challenges = new WeakMap<AuthKey, Pending>();

export const passwordMethods = [
  openMethod(Api.account.GetPassword, getPassword),
  openMethod(Api.auth.CheckPassword, checkPassword),
];

function getPassword(call: Call): Api.account.Password {
  const account = accountAskedFor(call);
  const verifier = verifierOf(call.sandbox, account);
  const common = {
    newAlgo: algorithm(randomBytes(8), randomBytes(16)),
    newSecureAlgo: new Api.SecurePasswordKdfAlgoUnknown(),
    secureRandom: randomBytes(256),
  };
  if (!verifier) return new Api.account.Password(common);
  const pending: Pending = { ...makeChallenge(verifier), id: randomBytes(8).readBigInt64LE() };
  challenges.set(call.key, pending);
  return new Api.account.Password({
    ...common,
    hasPassword: true,
    currentAlgo: algorithm(verifier.salt1, verifier.salt2),
    srp_B: pending.shown,
    srpId: long(pending.id),
  });
}

function checkPassword(call: Call, request: Api.auth.CheckPassword): Api.auth.Authorization {
  const account = accountAskedFor(call);
  const verifier = verifierOf(call.sandbox, account);
  const { password } = request;
  if (!verifier || !(password instanceof Api.InputCheckPasswordSRP)) throw new RpcFailure(400, 'PASSWORD_HASH_INVALID');
  const pending = challenges.get(call.key);
  if (!pending || pending.id !== fromLong(password.srpId)) throw new RpcFailure(400, 'SRP_ID_INVALID');
  challenges.delete(call.key);
  if (!checkProof(verifier, pending, password.A, password.M1)) throw new RpcFailure(400, 'PASSWORD_HASH_INVALID');
  return authorize(call, account.key);
}

function accountAskedFor({ sandbox, key }: Call): Account {
  const account = sandbox.accounts.get(key.passwordPending ?? key.account ?? '');
  if (!account) throw signedOut(key);
  return account;
}

function verifierOf(sandbox: Sandbox, account: Account): SrpVerifier | null {
  if (account.password === null) return null;
  const made = verifiers.get(account) ?? makeVerifier(account.password, saltFor(sandbox, account));
  verifiers.set(account, made);
  return made;
}

function saltFor(sandbox: Sandbox, account: Account): Buffer {
  const salt = Buffer.alloc(8);
  salt.writeBigInt64LE(sandbox.state.derive(`password:${account.key}`));
  return salt;
}

function algorithm(salt1: Buffer, salt2: Buffer): Api.TypePasswordKdfAlgo {
  return new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({
    salt1,
    salt2,
    g: DH_GENERATOR,
    p: DH_PRIME,
  });
}
