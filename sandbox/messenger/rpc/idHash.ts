import type { BigInteger } from 'big-integer';
import { fromLong } from '../tl.ts';

/** Whether a client that sent this hash already has exactly these ids (https://core.telegram.org/api/offsets#hash-generation). */
export function alreadyHas(hash: BigInteger, ids: number[]): boolean {
  const given = BigInt.asUintN(64, fromLong(hash));
  return given !== 0n && given === idHash(ids);
}

function idHash(ids: number[]): bigint {
  let hash = 0n;
  for (const id of ids) {
    hash ^= hash >> 21n;
    hash = BigInt.asUintN(64, hash ^ (hash << 35n));
    hash ^= hash >> 4n;
    hash = BigInt.asUintN(64, hash + BigInt(id));
  }
  return hash;
}
